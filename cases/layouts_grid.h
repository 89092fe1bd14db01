// The rows of the grid `layouts`: cases/grid.h makes a plan of them.
#pragma once

#include <vector>

#include "cases/grid.h"

namespace upcast::internal {

/// Four parts.
///   shapes    Some ops, one or more of each kind of iterator: shapes up to rank 5, with empty
///             dimensions and dimensions of size 1, x the layouts and broadcasting roles of each
///             operand x out= of the right size with strides of its own, of another size (to be
///             resized), empty, expanded; in place on strided and expanded self. Every other op:
///             fewer layouts of two shapes.
///   overlap   The same ops: operands that share storage: in place and out= that is an operand
///             itself, another view of all of it, of a part of it, interleaved with it, beside it.
///             Every other op: an operand itself.
///   folded    Every op: in place and out= over a tensor that lies over itself, without a stride of
///             0, so that the result tells the order of the loop; operands of the dtype, and of one
///             that is converted.
///   lengths   Every op: 1 to 1000 elements, dense, with gaps, off by one element and expanded,
///             functional, in place and out=: the same seven elements over and over, so that a
///             vector's body, its tail and a lone element are seen to agree with our answer.
std::vector<GridRow> layouts_rows();

}  // namespace upcast::internal
