// What the four bytes that a run store keeps for every case mean. The numbers are part of schema
// version 1 and never change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "impl/core/dtype.h"
#include "impl/core/rejection.h"

namespace upcast::reports {

/// The judge's verdict on one case.
enum class VerdictByte : uint8_t {
  kAgree = 0,
  kKnown = 1,
  kNotJudged = 2,
  kDifferDType = 3,
  kDifferShape = 4,
  kDifferStrides = 5,
  kDifferRefusal = 6,
  kDifferValue = 7,
  kDifferAlias = 8,
  kDifferNondeterminism = 9,
  kCrash = 10,
  kTimeout = 11,
  kExpectation = 12  // a line's `-> X` is not met by a side
};
inline constexpr int kVerdictCount = 13;

/// "agree", "known", "not_judged", "differ(dtype)", ..., "crash", "timeout", "expectation".
std::string_view verdict_name(VerdictByte verdict);

/// Every verdict but agree, known and not_judged: unexplained unless a known entry covers it.
constexpr bool is_failure(VerdictByte verdict) { return verdict >= VerdictByte::kDifferDType; }

/// What a side answered: the code of the result dtype, or kRefusalByte + a RejectionCode, or one of
/// the three below.
using AnswerByte = uint8_t;
inline constexpr AnswerByte kRefusalByte = 64;
inline constexpr AnswerByte kNotRunByte = 253;
inline constexpr AnswerByte kTimeoutByte = 254;
inline constexpr AnswerByte kCrashByte = 255;

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

/// "float32", "refuses(unsupported_dtype)", "crash", "timeout", "not run"; a byte without a meaning
/// gives "answer 200".
std::string answer_name(AnswerByte answer);

}  // namespace upcast::reports
