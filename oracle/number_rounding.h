// The choice of docs/decisions/0003. A number enters a computation either in the compute dtype or
// rounded to the common dtype. The same holds for an operand that does not decide the dtype.
#pragma once

#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/side.h"

namespace upcast {

/// One way in which numbers may be rounded in a case.
struct NumberRounding {
  Case c;                        // the case to ask, perhaps with rounded parameters
  bool rounds_operands = false;  // as ImplSubject::round_numbers
};

/// All ways to round the numbers of a case, except that of our implementation, which rounds none.
/// Operands are rounded, or the parameters that are computed with, or both. Empty if the case has
/// no number to round.
std::vector<NumberRounding> number_roundings(const Case& c);

/// Our implementation's answer if numbers are rounded in this way.
Answer answer_of(const NumberRounding& way);

/// Whether two elements of a floating or complex dtype are of one kind, part by part: both finite
/// and not 0, or the same special value. 0 and the least value of its sign count as one kind,
/// because they are neighbours.
bool are_of_one_kind(DType dtype, const std::byte* a, const std::byte* b);

/// Whether two answers whose values differ do so only by the choice of decision 0003. In each
/// element that differs, each answer must be within its bounds of our answer for one of the ways.
/// It must also be of the same kind.
bool differ_by_rounding_of_numbers(const Case& c, const Answer& subject, const Answer& oracle,
                                   Sides sides);

}  // namespace upcast
