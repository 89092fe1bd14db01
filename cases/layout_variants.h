// Tensors of one shape in different layouts, and in the roles of broadcasting.
#pragma once

#include <vector>

#include "cases/case.h"

namespace upcast::internal {

/// Sizes up to rank 5, among them zero-dim, empty ones, and dimensions of size 1.
const std::vector<Dims>& layout_shapes();

/// Tensors of these sizes in each layout: dense, reversed, with gaps, off by one element,
/// channels_last, expanded.
std::vector<Operand> layouts_of(DType dtype, const Dims& sizes);
/// Tensors that broadcast to these sizes: fewer dimensions, dimensions of size 1, zero-dim. One
/// does not.
std::vector<Operand> roles_of(DType dtype, const Dims& sizes);
/// Tensors for out= of these sizes: each layout, and other sizes, which are resized.
std::vector<Operand> outs_of(DType dtype, const Dims& sizes);

/// Tensors whose elements share memory, with no stride of 0: rows that overlap.
std::vector<Operand> folded_layouts(DType dtype);

/// Views of the storage of argument `owner`, which has these sizes and is dense: itself, reversed,
/// one element further, next to it, its first element, all of it in one dimension. LibTorch notices
/// each overlap. Otherwise results would depend on the width of a vector.
std::vector<Operand> views_of(DType dtype, const Dims& sizes, int owner);

/// A tensor of every second element in the storage of `owner`, and one of the elements between
/// them.
Operand with_gaps(DType dtype, const Dims& sizes);
Operand in_the_gaps(DType dtype, const Dims& sizes, int owner);

}  // namespace upcast::internal
