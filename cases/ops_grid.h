// The rows of the grid `ops`: cases/grid.h makes a plan of them.
#pragma once

#include <vector>

#include "cases/grid.h"

namespace upcast::internal {

/// Every op x overload x form x dtypes of its tensors x values, with the attributes of
/// cases/attribute_values.h as axes:
///   dtypes    every elementwise dtype in all tensors, and some mixed tuples
///   kinds     each tensor as zero-dim one too, every further one as a wrapped number (functional
///             form, and pairs in the others)
///   special   one tensor: each special element; two: all pairs of them (in place and out=: as many
///             pairs as fit); three: all triples of some, other ones for each of four seeds
///   random    two seeds
///   small     one stretch
///   out       the dtype of the last tensor, float64, complex128, bool
/// A divisor of an integral op is never 0 or -1 here; the degree of a polynomial is small; what a
/// cast from floating to integral dtypes cannot represent is left out.
std::vector<GridRow> ops_rows();

}  // namespace upcast::internal
