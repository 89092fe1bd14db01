#include "reports/columns.h"

#include <fmt/format.h>

namespace upcast::reports {

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
