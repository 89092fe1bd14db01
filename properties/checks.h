// Helpers for the checks of properties.
#pragma once

#include <rapidcheck.h>

#include <optional>
#include <string>

#include "cases/case.h"
#include "oracle/answer.h"
#include "properties/property.h"

namespace upcast::properties {

/// Whether the system answered: it neither refused nor was not judged.
inline bool answered(const Answer& answer) {
  return answer.tag == Answer::Tag::kTensor || answer.tag == Answer::Tag::kDType;
}

/// The finding of a check that is done: kHolds if the system answered, else kVacuous.
inline Finding finding_of(const Answer& answer) {
  return answered(answer) ? Finding::kHolds : Finding::kVacuous;
}

/// Whether two answers are the same: both refuse, or both have one dtype, one shape and the same
/// elements. All NaNs count as one value, and zeros keep their sign. Strides are not compared.
bool same_answer(const Answer& a, const Answer& b);

/// Whether two answers are the same, as same_answer() says, except that +0 equals -0.
bool same_but_for_signs_of_zeros(const Answer& a, const Answer& b);

/// Asks the system to make the call call_of(callable, arguments, like).
Answer ask(const System& system, std::string_view callable, std::vector<Operand> arguments,
           const Case& like);

/// Fails (RC_FAIL) if two answers are not the same. The message has both; `what` says what they
/// are.
void require_same(const std::string& what, const Answer& a, const Answer& b);

/// A dtype as text, as "int16"; "a refusal" if there is none.
std::string text_of(std::optional<DType> dtype);

/// An operand with the dtype, shape and elements of an answer, which must be a tensor.
Operand operand_of(const Answer& answer);

/// A call of `callable` with these arguments and the settings of `like`. Surplus arguments are left
/// out.
Case call_of(std::string_view callable, std::vector<Operand> arguments, const Case& like);

}  // namespace upcast::properties
