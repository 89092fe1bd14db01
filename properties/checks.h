// Helpers of the checks of properties.
#pragma once

#include <rapidcheck.h>

#include <optional>
#include <string>

#include "cases/case.h"
#include "oracle/answer.h"
#include "properties/property.h"

namespace upcast::properties {

/// Whether it is an answer: neither a refusal nor "not judged".
inline bool answered(const Answer& answer) {
  return answer.tag == Answer::Tag::kTensor || answer.tag == Answer::Tag::kDType;
}

/// kHolds if the side answers, else kVacuous.
inline Finding finding_of(const Answer& answer) {
  return answered(answer) ? Finding::kHolds : Finding::kVacuous;
}

/// Whether two answers are the same. Both refuse, or both have one dtype, one shape and the same
/// elements: all NaNs are one value, zeros keep their sign. Strides are not compared.
bool same_answer(const Answer& a, const Answer& b);

/// As same_answer, but +0 equals -0.
bool same_but_for_signs_of_zeros(const Answer& a, const Answer& b);

/// Asks the system for call_of(callable, arguments, like).
Answer ask(const System& system, std::string_view callable, std::vector<Operand> arguments,
           const Case& like);

/// Fails (RC_FAIL) with both answers if they are not the same. `what` says which two they are.
void require_same(const std::string& what, const Answer& a, const Answer& b);

/// A dtype in words: "int16"; "a refusal" for none.
std::string text_of(std::optional<DType> dtype);

/// An operand that holds an answer: its dtype, its shape, its elements. Precondition: a tensor.
Operand operand_of(const Answer& answer);

/// A call of `callable` with these arguments and the settings of `like`. Surplus arguments are left
/// out.
Case call_of(std::string_view callable, std::vector<Operand> arguments, const Case& like);

}  // namespace upcast::properties
