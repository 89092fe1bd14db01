// Tensors of one shape in different layouts, and in the roles of broadcasting.
#pragma once

#include <vector>

#include "cases/case.h"

namespace upcast::internal {

/// Sizes up to rank 5: zero-dim, empty ones, dimensions of size 1.
const std::vector<Dims>& layout_shapes();

/// Tensors of these sizes: dense, reversed, with gaps, off by one element, channels_last, expanded.
std::vector<Operand> layouts_of(DType dtype, const Dims& sizes);
/// Tensors that broadcast to these sizes: fewer dimensions, dimensions of size 1, zero-dim; and one
/// that does not.
std::vector<Operand> roles_of(DType dtype, const Dims& sizes);
/// out= for these sizes: layouts, and other sizes, to be resized.
std::vector<Operand> outs_of(DType dtype, const Dims& sizes);

/// Tensors whose elements share memory, with no stride of 0: rows that overlap.
std::vector<Operand> folded_layouts(DType dtype);

/// Views of the storage of argument `owner`, which has these sizes and is dense: itself, reversed,
/// one element further, next to it, its first element, all of it in one dimension. None overlaps it
/// in a way that LibTorch does not notice: results would depend on the width of a vector.
std::vector<Operand> views_of(DType dtype, const Dims& sizes, int owner);

/// Every second element, and those between them in the storage of `owner`.
Operand with_gaps(DType dtype, const Dims& sizes);
Operand in_the_gaps(DType dtype, const Dims& sizes, int owner);

}  // namespace upcast::internal
