// Makes the rows of each grid; cases/grid.h makes plans of them.
#pragma once

#include <vector>

#include "cases/grid.h"

namespace upcast::internal {

/// Every op of the catalogue x overload x form x default dtype (float32, float64, float16,
/// bfloat16; out= rows of two tensors, in-place and out= rows of three: float32 alone). Axes, in
/// the order of the parameters:
///   Tensor       every elementwise dtype with sizes [4] and [], and the numbers True, 3, 2.5, 1+2j
///                as wrapped ones; self of an in-place form: tensors only; Tensor?: None as well
///   Scalar       the four numbers; Scalar?: None as well; one with a default is left to it
///   ScalarType   every dtype but Undefined
///   attributes   those of cases/attribute_values.h that matter to typing, else the default
///   out          every elementwise dtype with sizes [4]; float32 alone where three parameters are
///                axes already: an out dtype meets the common dtype only, whatever made that one
std::vector<GridRow> promotion_rows();

/// The rows of promotion_rows for add, div, lt, pow, where, neg, sqrt and result_type over bool,
/// uint8, int32, uint16, float16, float32 and complex64, with the default dtype float32.
std::vector<GridRow> smoke_rows();

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

/// Four parts.
///   shapes    Some ops, one or more of each kind of iterator: shapes up to rank 5, with empty
///             dimensions and dimensions of size 1, x the layouts and broadcasting roles of each
///             operand x out= of the right size with strides of its own, of another size (to be
///             resized), empty, expanded; in place on strided and expanded self. Every other op:
///             fewer layouts of two shapes.
///   overlap   The same ops: operands that share storage: in place and out= that is an operand
///             itself, another view of all of it, of a part of it, interleaved with it, next to it.
///             Every other op: an operand itself.
///   folded    Every op: in place and out= over a tensor that lies over itself, without a stride of
///             0, so that the result tells the order of the loop; operands of the dtype, and of one
///             that is converted.
///   lengths   Every op: 1 to 1000 elements, dense, with gaps, off by one element and expanded,
///             functional, in place and out=: the same seven elements over and over, so that a
///             vector's body, its tail and a lone element are seen to agree with our answer.
std::vector<GridRow> layouts_rows();

/// Every op in every form, with four pairs of dtypes. An operand is a tensor of three elements, a
/// tensor of one element with one dimension, a zero-dim tensor, or a number. Each tensor lies on
/// the subject's own device or on the CPU. So does out=, which may also be empty. A subject whose
/// own device is the CPU sees one device only.
std::vector<GridRow> devices_rows();

/// What a compiler is asked, whose calls cost a thousand times those of a library:
///   pairs  every functional overload: its first two tensors that are no mask have every pair of
///          elementwise dtypes once, in turn dense, broadcast, strided and with a zero-dim one,
///          with small, special and random values (small ones where a divisor or a loop count might
///          be among them); an overload of one tensor: every dtype, with a number of each kind
///          where it has to be given one
///   cover  one call of each callable, in place and out= too, and as many more as it takes for
///   every
///          two factors of cases/tuple_space.h that can meet
std::vector<GridRow> compile_rows();

/// Part of the grid `compile`, for every change: one call of the pairs and two of the cover an op.
std::vector<GridRow> compile_slice_rows();

}  // namespace upcast::internal
