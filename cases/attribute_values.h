// The values that the grids give to parameters that are not elementwise operands. The op's row says
// them (Samples in impl/ops/op_spec.h), or a table by name.
#pragma once

#include <vector>

#include "cases/operands.h"

namespace upcast {

/// A number of each kind: True, 3, 2.5 and 1+2j.
std::vector<Operand> kinds_of_numbers();

/// Values that an attribute needs, or that choose between rules of typing; none if it is left to
/// its default. A Scalar without a default and without samples gets a number of each kind, and
/// `Scalar?` also gets None.
std::vector<Operand> typing_values(const Op& op, const Parameter& parameter);

/// As typing_values, with 2 and 2.5 in place of a number of each kind, for tests of something else.
std::vector<Operand> plain_values(const Op& op, const Parameter& parameter);

/// Several values of an attribute, boundary ones too; none for a parameter with a default and
/// without samples.
std::vector<Operand> attribute_values(const Op& op, const Parameter& parameter);

/// Values of an operand that is looped over (OpSpec::is_loop_count), from -1 to 30.
std::vector<double> degrees();

}  // namespace upcast
