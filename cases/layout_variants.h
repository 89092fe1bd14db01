// Makes tensors of one shape in different layouts, and in the roles of broadcasting.
#pragma once

#include <vector>

#include "cases/case.h"

namespace upcast::internal {

/// The shapes that the grid of layouts asks: up to rank 5, with zero-dim and empty ones, and
/// dimensions of size 1.
const std::vector<Dims>& layout_shapes();

/// Tensors of the given sizes in each layout: dense, reversed, with gaps, off by one element,
/// channels_last, expanded.
std::vector<Operand> layouts_of(DType dtype, const Dims& sizes);
/// Tensors that broadcast to the given sizes: fewer dimensions, dimensions of size 1, zero-dim. One
/// more does not broadcast to them.
std::vector<Operand> roles_of(DType dtype, const Dims& sizes);
/// Tensors for out= of a result of the given sizes: each layout, and tensors of other sizes, which
/// the call resizes.
std::vector<Operand> outs_of(DType dtype, const Dims& sizes);

/// Tensors whose own elements share memory although no stride is 0: their rows overlap.
std::vector<Operand> folded_layouts(DType dtype);

/// Views of the storage of argument `owner`, a dense tensor of the given sizes: itself, reversed,
/// one element further, next to it, its first element, all of it in one dimension. LibTorch notices
/// each overlap. An overlap that it misses would make results depend on the width of a vector.
std::vector<Operand> views_of(DType dtype, const Dims& sizes, int owner);

/// with_gaps makes a tensor of every second element of its storage. in_the_gaps makes one of the
/// elements between them, in the storage of argument `owner`.
Operand with_gaps(DType dtype, const Dims& sizes);
Operand in_the_gaps(DType dtype, const Dims& sizes, int owner);

}  // namespace upcast::internal
