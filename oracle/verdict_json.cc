#include "oracle/verdict_json.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "impl/core/error.h"

namespace upcast {
namespace {

using Json = nlohmann::json;

constexpr const char* kInfinity = "Infinity";

/// Visits the fields of each struct of a verdict, for a Writer or a Reader.
template <class Io>
void fields(Io io, typename Io::template Part<Difference>& part) {
  io.named("what", part.what, kWhatNames);
  io.plain("result", part.result);
  io.plain("element", part.element);
  io.dtype("dtype", part.dtype);
  io.plain("subject", part.subject);
  io.plain("oracle", part.oracle);
  io.number("ulp", part.ulp);
  io.number("allowed", part.allowed);
  io.optional("steps", part.steps);
}

template <class Io>
void fields(Io io, typename Io::template Part<Ruling>& part) {
  io.named("outcome", part.outcome, kOutcomeNames);
  io.plain("result", part.result);
  io.plain("element", part.element);
  io.plain("truth", part.truth);
  io.number("subject_ulp", part.subject_ulp);
  io.number("oracle_ulp", part.oracle_ulp);
  io.number("subject_bound", part.subject_bound);
  io.number("oracle_bound", part.oracle_bound);
  io.plain("why", part.why);
  io.plain("rules", part.rules);
}

template <class Io>
void fields(Io io, typename Io::template Part<Death>& part) {
  io.named("side", part.side, kRoleNames);
  io.plain("how", part.how);
  io.plain("why", part.why);
}

template <class Io>
void fields(Io io, typename Io::template Part<Unmet>& part) {
  io.named("who", part.who, kRoleNames);
  io.named("wanted", part.wanted, kWantedNames);
  io.plain("expected", part.expected);
  io.plain("answer", part.answer);
  io.optional("difference", part.difference);
}

template <class Io>
void fields(Io io, typename Io::template Part<Witness>& part) {
  io.plain("side", part.side);
  io.plain("answer", part.answer);
  io.plain("has", part.has);
  io.named("with", part.with, kVoteNames);
}

template <class Io>
void fields(Io io, typename Io::template Part<Verdict>& part) {
  io.named("code", part.code, kVerdictNames);
  io.named("found", part.found, kVerdictNames);
  if (part.not_judged != NotJudged::kNone || !Io::kWrites)
    io.named("not_judged", part.not_judged, kNotJudgedNames);
  io.plain("why", part.why);
  io.plain("values_judged", part.values_judged);
  io.number("max_ulp", part.max_ulp);
  io.optional("difference", part.difference);
  if (part.ruling.outcome != Ruling::Outcome::kNotAsked || !Io::kWrites)
    io.part("ruling", part.ruling);
  io.list("deaths", part.deaths);
  io.list("unmet", part.unmet);
  io.optional("asked", part.asked);
  io.list("witnesses", part.witnesses);
  if (part.asked || !Io::kWrites) io.named("alone", part.alone, kAloneNames);
}

/// Writes JSON. Texts and numbers with their default values are left out; enumerators are always
/// written.
class Writer {
 public:
  static constexpr bool kWrites = true;
  template <class T>
  using Part = const T;
  explicit Writer(Json& json) : json_(json) { json_ = Json::object(); }

  template <class T>
  void plain(const char* key, const T& value) {
    if (value != T{}) json_[key] = value;
  }
  void number(const char* key, double value) {
    if (std::isinf(value))
      json_[key] = kInfinity;
    else
      plain(key, value);
  }
  void dtype(const char* key, DType value) {
    if (value != DType::kUndefined) json_[key] = name(value);
  }
  template <class Enum>
  void named(const char* key, Enum value, std::span<const std::string_view> names) {
    json_[key] = names[static_cast<std::size_t>(value)];
  }
  template <class T>
  void part(const char* key, const T& part) {
    fields(Writer(json_[key]), part);
  }
  template <class T>
  void optional(const char* key, const std::optional<T>& value) {
    if (!value) return;
    if constexpr (std::is_arithmetic_v<T>)
      json_[key] = *value;
    else
      part(key, *value);
  }
  template <class T>
  void list(const char* key, const std::vector<T>& parts) {
    for (const T& part : parts) fields(Writer(json_[key].emplace_back()), part);
  }

 private:
  Json& json_;
};

class Reader {
 public:
  static constexpr bool kWrites = false;
  template <class T>
  using Part = T;
  explicit Reader(const Json& json) : json_(json) {}

  template <class T>
  void plain(const char* key, T& value) {
    if (json_.contains(key)) json_.at(key).get_to(value);
  }
  void number(const char* key, double& value) {
    if (!json_.contains(key)) return;
    const Json& found = json_.at(key);
    value = found == kInfinity ? std::numeric_limits<double>::infinity() : found.get<double>();
  }
  void dtype(const char* key, DType& value) {
    if (!json_.contains(key)) return;
    const auto text = json_.at(key).get<std::string>();
    const int code = find_dtype_code(text);
    if (code == kDTypeCount) refuse(key, text);
    value = dtype_from_code(code);
  }
  template <class Enum>
  void named(const char* key, Enum& value, std::span<const std::string_view> names) {
    if (!json_.contains(key)) return;
    const auto text = json_.at(key).get<std::string>();
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) refuse(key, text);
    value = static_cast<Enum>(found - names.begin());
  }
  template <class T>
  void part(const char* key, T& part) {
    if (json_.contains(key)) fields(Reader(json_.at(key)), part);
  }
  template <class T>
  void optional(const char* key, std::optional<T>& value) {
    if (!json_.contains(key)) return;
    if constexpr (std::is_arithmetic_v<T>)
      value = json_.at(key).get<T>();
    else
      part(key, value.emplace());
  }
  template <class T>
  void list(const char* key, std::vector<T>& parts) {
    if (!json_.contains(key)) return;
    for (const Json& each : json_.at(key)) fields(Reader(each), parts.emplace_back());
  }

 private:
  [[noreturn]] static void refuse(const char* key, const std::string& text) {
    throw UsageError("this upcast does not know '" + text + "', the " + key + " of a verdict");
  }

  const Json& json_;
};

}  // namespace

void to_json(Json& json, const Verdict& verdict) { fields(Writer(json), verdict); }

void from_json(const Json& json, Verdict& verdict) {
  if (!json.is_object()) throw UsageError("a verdict is a JSON object");
  verdict = {};
  fields(Reader(json), verdict);
}

}  // namespace upcast
