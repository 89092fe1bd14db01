#include "reports/columns.h"

#include <fmt/format.h>

#include <array>

namespace upcast::reports {

std::string_view verdict_name(VerdictByte verdict) {
  constexpr std::array<std::string_view, kVerdictCount> kNames{
      "agree",           "known",
      "not_judged",      "differ(dtype)",
      "differ(shape)",   "differ(strides)",
      "differ(refusal)", "differ(value)",
      "differ(alias)",   "differ(nondeterminism)",
      "crash",           "timeout",
      "expectation"};
  const auto index = static_cast<size_t>(verdict);
  return index < kNames.size() ? kNames[index] : "unknown verdict";
}

std::string answer_name(AnswerByte answer) {
  if (is_dtype(answer)) return std::string(name(dtype_from_code(answer)));
  if (is_refusal(answer)) {
    return fmt::format("refuses({})", name(static_cast<RejectionCode>(answer - kRefusalByte)));
  }
  if (answer == kCrashByte) return "crash";
  if (answer == kTimeoutByte) return "timeout";
  if (answer == kNotRunByte) return "not run";
  return fmt::format("answer {}", answer);
}

}  // namespace upcast::reports
