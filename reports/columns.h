// The meaning of the four bytes that a run store keeps for every case. The numbers are part of the
// schema and never change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "impl/core/dtype.h"
#include "impl/core/rejection.h"
#include "oracle/host/block.h"

namespace upcast::reports {

/// A side's answer in a byte: the code of the result dtype, kRefusalByte + a RejectionCode,
/// kNotRunByte, kTimeoutByte or kCrashByte.
using AnswerByte = uint8_t;
inline constexpr AnswerByte kRefusalByte = 64;

constexpr bool is_dtype(AnswerByte answer) { return answer < kDTypeCount; }
constexpr bool is_refusal(AnswerByte answer) {
  return answer >= kRefusalByte && answer < kRefusalByte + kRejectionNames.size();
}
constexpr bool is_answer(AnswerByte answer) {
  return is_dtype(answer) || is_refusal(answer) || answer >= kNotRunByte;
}

constexpr AnswerByte answer_byte(DType result) { return static_cast<AnswerByte>(code(result)); }
constexpr AnswerByte answer_byte(RejectionCode code) {
  return static_cast<AnswerByte>(kRefusalByte + static_cast<int>(code));
}

/// An answer byte in words: "float32", "refuses(unsupported_dtype)", "crash", "timeout", "not run";
/// "answer 200" for a byte without a meaning.
std::string answer_name(AnswerByte answer);

}  // namespace upcast::reports
