#include "fuzz/chains/open_values.h"

#include <algorithm>
#include <cmath>

#include "oracle/error_bounds.h"
#include "oracle/same_value.h"
#include "oracle/truth/truth_subject.h"

namespace upcast::fuzz {
namespace {

std::size_t count_of(const Answer& answer) {
  return answer.bytes.size() / static_cast<std::size_t>(itemsize(answer.dtype));
}

bool has_the_values_of(const Answer& right, const Answer& result) {
  if (right.dtype != result.dtype || right.sizes != result.sizes) return false;
  const auto size = static_cast<std::size_t>(itemsize(right.dtype));
  for (std::size_t i = 0; i < count_of(right); ++i)
    if (!same_value(right.dtype, right.bytes.data() + i * size, result.bytes.data() + i * size))
      return false;
  return true;
}

/// Whether the result's dtype holds every exact value, so that a longer format would add no digits.
bool holds_all_digits(const TruthSubject& truth, const Answer& right) {
  if (count_of(right) == 0) return true;
  if (right.rest.empty() ||
      std::any_of(right.rest.begin(), right.rest.end(), [](double rest) { return rest != 0; }))
    return false;
  const auto values = truth.exact();
  return std::all_of(values.begin(), values.end(), [](const truth::Value& value) {
    return std::isfinite(value.rounded) || !std::isfinite(value.high);  // no overflow
  });
}

}  // namespace

std::string why_open(const Case& c, const Answer& result, Implementation side,
                     protocol::Chains chains) {
  TruthSubject truth;
  const Answer right = answer_of(truth, c);
  if (right.tag != Answer::Tag::kTensor) return right.detail;
  if (result.bytes.empty()) return "";
  const bool is_open = std::any_of(right.leeway.begin(), right.leeway.end(),
                                   [](double leeway) { return leeway != 0; });
  if (is_open) return "its steps are rounded one by one";
  if (!has_the_values_of(right, result)) return "the oracle's value is not the exact value";
  const DType part = to_real(result.dtype);
  const bool common_is_floating = is_floating(to_real(truth.common_dtype()));
  if (!is_floating(part))
    return common_is_floating && part != DType::kBool ? "it converts to whole numbers" : "";
  for (const DType dtype : {result.dtype, truth.common_dtype()})
    if (error_bound(c.op->spec->accuracy, dtype, side) != 0)
      return "the op has an error of its own";
  if (chains == protocol::Chains::kFused && compute_dtype(part) != part &&
      !holds_all_digits(truth, right))
    return "a fused chain keeps more digits between its calls";
  return "";
}

}  // namespace upcast::fuzz
