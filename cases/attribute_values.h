// The values that the grids give to parameters that are not elementwise operands. They come from
// the op's row (Samples in impl/ops/op_spec.h), or from a table by the parameter's name.
#pragma once

#include <vector>

#include "cases/operands.h"

namespace upcast {

/// One number of each kind: True, 3, 2.5 and 1+2j.
std::vector<Operand> kinds_of_numbers();

/// Values for an attribute that has no default, or whose value changes the result dtype. Empty if
/// the attribute is left to its default. A Scalar without a default and without samples gets a
/// number of each kind, and `Scalar?` also gets None.
std::vector<Operand> typing_values(const Op& op, const Parameter& parameter);

/// Like typing_values, but with only 2 and 2.5 for a number of each kind: for tests that are not
/// about dtypes.
std::vector<Operand> plain_values(const Op& op, const Parameter& parameter);

/// Several values of an attribute, boundary values included. Empty for a parameter with a default
/// and without samples.
std::vector<Operand> attribute_values(const Op& op, const Parameter& parameter);

/// Values of an operand that is looped over (OpSpec::is_loop_count), from -1 to 30.
std::vector<double> degrees();

}  // namespace upcast
