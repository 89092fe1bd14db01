// Both ways of docs/decisions/0003: a number, and an operand that leaves the dtype to others,
// enters a computation in the compute dtype, or rounded to the common dtype.
#pragma once

#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/side.h"

namespace upcast {

/// One way in which numbers may be rounded in a case.
struct NumberRounding {
  Case c;                        // the case; its parameters may be rounded
  bool rounds_operands = false;  // as ImplSubject::round_numbers
};

/// All ways of a case except our own, which rounds no number: operands are rounded, or parameters
/// that are computed with, or both. Empty if there is no number to round.
std::vector<NumberRounding> number_roundings(const Case& c);

/// Our answer with numbers rounded that way.
Answer answer_of(const NumberRounding& way);

/// Whether two elements of a floating or complex dtype are of one kind, part by part: both finite
/// and not 0, or the same special value. 0 and the least value of its sign are neighbours, of one
/// kind.
bool are_of_one_kind(DType dtype, const std::byte* a, const std::byte* b);

/// Whether two answers whose values differ do so by that choice alone. In each element that
/// differs, each answer must be ours on one of the ways, and of the same kind as its own way's.
bool differ_by_rounding_of_numbers(const Case& c, const Answer& subject, const Answer& oracle,
                                   Sides sides);

}  // namespace upcast
