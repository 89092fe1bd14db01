// What the grids give to parameters that are not elementwise operands: what the op's row says of
// them (Samples in impl/ops/op_spec.h), or a table by name.
#pragma once

#include <vector>

#include "cases/operands.h"

namespace upcast {

/// True, 3, 2.5 and 1+2j: a number of each kind.
std::vector<Operand> kinds_of_numbers();

/// Values that an attribute needs to be given, or that choose between rules of typing; none where
/// it is left to its default. A Scalar without a default and without samples gets a number of each
/// kind, Scalar? None as well.
std::vector<Operand> typing_values(const Op& op, const Parameter& parameter);

/// As typing_values, but 2 and 2.5 where there are numbers of each kind: numbers that do not matter
/// where something else is tested.
std::vector<Operand> plain_values(const Op& op, const Parameter& parameter);

/// Several values, boundary ones too; none for a parameter with a default and without samples.
std::vector<Operand> attribute_values(const Op& op, const Parameter& parameter);

/// Values of an operand that is looped over (OpSpec::is_loop_count), from -1 to 30.
std::vector<double> degrees();

}  // namespace upcast
