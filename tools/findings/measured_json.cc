#include "tools/findings/measured_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <set>
#include <tuple>

#include "cases/element.h"
#include "cases/notation.h"
#include "fuzz/findings/reproducer.h"
#include "impl/core/dtype_set.h"

namespace upcast::tools {
namespace {

using Json = nlohmann::ordered_json;

/// A number for JSON, with three digits. An infinity is written as a text, because JSON has none.
Json number(double value) {
  if (std::isinf(value)) return "inf";
  return std::strtod(fmt::format("{:.3g}", value).c_str(), nullptr);
}

Json sample_json(const std::optional<fuzz::OrdinarySample>& sample) {
  if (!sample) return nullptr;
  return {{"dtype", name(sample->dtype)},
          {"inputs", sample->inputs},
          {"wrong", sample->wrong},
          {"median_error", number(sample->median_error)},
          {"largest_error", number(sample->largest_error)}};
}

/// A table of JSON with the paths on which each dtype shows the difference. Leaves out dtypes that
/// show it on no path.
Json shows_json(const std::vector<fuzz::ShownCell>& shows) {
  std::set<DType> shown;
  for (const fuzz::ShownCell& each : shows)
    if (each.shows) shown.insert(each.dtype);
  Json rows = Json::array();
  for (const fuzz::ShownCell& each : shows)
    if (shown.contains(each.dtype))
      rows.push_back(
          {{"dtype", each.dtype == DType::kUndefined ? "as in the case" : name(each.dtype)},
           {"form", name(each.form)},
           {"path", name(each.path)},
           {"shows", each.shows}});
  return rows;
}

/// Whether some case shows the difference in a LibTorch without settings of a vector or scalar
/// path.
bool is_by_default(const fuzz::Reach& reach) {
  const auto is_default = [](fuzz::Path path) {
    return path != fuzz::Path::kAvx2 && path != fuzz::Path::kScalar;
  };
  return is_default(reach.path) ||
         std::ranges::any_of(reach.shows, [&](const fuzz::ShownCell& each) {
           return each.shows && is_default(each.path);
         });
}

/// Replaces a NaN element of any sign and payload by the usual NaN.
void make_plain(DType dtype, std::byte* element) {
  if (!std::isnan(real_part(dtype, element))) return;
  const std::vector<std::byte> nan = element_of(dtype, std::numeric_limits<double>::quiet_NaN());
  std::memcpy(element, nan.data(), nan.size());
}

double as_number(const Json& json) { return json.is_number() ? json.get<double>() : 1e300; }

}  // namespace

std::string plain_text(Reply reply) {
  Answer& answer = reply.answer;
  const auto size = static_cast<std::size_t>(itemsize(to_real(answer.dtype)));
  if (answer.tag == Answer::Tag::kTensor && size > 0 && kElementwise.contains(answer.dtype))
    for (std::size_t at = 0; at < answer.bytes.size(); at += size)
      make_plain(to_real(answer.dtype), answer.bytes.data() + at);
  return reply.text();
}

nlohmann::ordered_json measured_json(const KnownDifference& entry, const fuzz::Reach& reach,
                                     const std::string& right, const ShortPrograms& programs) {
  const Case& c = reach.strongest.c;
  const bool is_value = reach.strongest.verdict.found == VerdictCode::kDifferValue;
  const auto [subject, oracle, wrong] = sides_of(reach.path);
  const bool is_subject = wrong == Role::kSubject;
  return {{"id", entry.id},
          {"severity", name(reach.strength.severity)},
          {"reach",
           {{"python", programs.python.text.empty() ? "" : fuzz::public_name(c)},
            {"default_path", is_by_default(reach)}}},
          {"case", print_case(c)},
          {"subject", subject},
          {"oracle", oracle},
          {"right", right},
          {"wrong", plain_text(is_subject ? reach.strongest.subject : reach.strongest.oracle)},
          {"relative_error", is_value ? number(reach.strength.error) : Json(nullptr)},
          {"sample", sample_json(reach.sample)},
          {"shows", shows_json(reach.shows)},
          {"python", programs.python.text},
          {"why_no_python", programs.python.why_not},
          {"cpp", programs.cpp.text}};
}

bool is_worse(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b) {
  const auto key = [](const Json& each) {
    const auto severity = std::ranges::find(kSeverityNames, each.at("severity").get<std::string>());
    const Json& sample = each.at("sample");
    const double share =
        sample.is_null() ? 0 : sample.at("wrong").get<double>() / sample.at("inputs").get<double>();
    return std::make_tuple(severity - kSeverityNames.begin(), each.at("reach").at("python") == "",
                           each.at("reach").at("default_path") == false, -share,
                           -as_number(each.at("relative_error")), each.at("id").get<std::string>());
  };
  return key(a) < key(b);
}

}  // namespace upcast::tools
