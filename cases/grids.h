// Makes the rows of each grid; cases/grid.h makes plans of them.
#pragma once

#include <vector>

#include "cases/grid.h"

namespace upcast::internal {

/// The grid `promotion`: every op of the catalogue x overload x form x default dtype.
/// The default dtypes are float32, float64, float16, bfloat16. out= rows of two tensors, and
/// in-place and out= rows of three, have float32 alone. The axes, in the order of the parameters:
///   Tensor       every elementwise dtype with sizes [4] and [], and the wrapped numbers True, 3,
///                2.5, 1+2j. self of an in-place form: tensors only. `Tensor?`: None as well
///   Scalar       the four numbers. `Scalar?`: None as well. One with a default is left to it
///   ScalarType   every dtype but Undefined
///   attributes   the typing_values of cases/attribute_values.h, else the default
///   out          every elementwise dtype with sizes [4]. float32 alone if three parameters are
///                axes: the dtype of out= meets the common dtype only, whatever operands made that
///                one
std::vector<GridRow> promotion_rows();

/// The grid `smoke`: the rows of promotion_rows for add, div, lt, pow, where, neg, sqrt and
/// result_type. The dtypes are bool, uint8, int32, uint16, float16, float32 and complex64; the
/// default dtype is float32.
std::vector<GridRow> smoke_rows();

/// The grid `ops`: every op x overload x form x dtypes of its tensors x values. The attributes of
/// cases/attribute_values.h are axes too.
///   dtypes    every elementwise dtype in all tensors, and some mixed tuples
///   kinds     each tensor is also zero-dim, and each tensor after the first also a wrapped number
///             (in the functional form; in the other forms for pairs of tensors only)
///   special   one tensor: each special element. Two tensors: all pairs of them; in place and out=
///             as many pairs as fit. Three tensors: all triples of some of them, which change with
///             each of four seeds
///   random    random bits, from two seeds
///   small     the elements of the value class small
///   out       the dtype of the last tensor, float64, complex128, bool
/// A divisor of an integral op is never 0 or -1. The degree of a polynomial is small. Values that a
/// cast from floating to integral dtypes cannot represent are left out.
std::vector<GridRow> ops_rows();

/// The grid `layouts`. It has four parts; "some ops" are one or more of each kind of iterator.
///   shapes    Some ops: shapes up to rank 5, with empty dimensions and dimensions of size 1, x the
///             layouts and broadcasting roles of each operand x out=. An out= has the right size
///             with strides of its own, another size (it is resized), no elements, or is expanded.
///             In place, self is strided or expanded. Other ops: fewer layouts of two shapes.
///   overlap   Some ops: in place and out=, over storage that operands share. out= is an operand
///             itself, or another view: of all of it, of a part of it, interleaved with it, next to
///             it. Other ops: out= is an operand itself.
///   folded    Every op: in place and out=, over a tensor whose own elements overlap without a
///             stride of 0. The result tells the order of the loop. Operands have the dtype of the
///             output, or another one.
///   lengths   Every op and form: 1 to 1000 elements, dense, with gaps, off by one element and
///             expanded. The same seven elements repeat, so that a vector's body, its tail and a
///             lone element are all compared with our answer.
std::vector<GridRow> layouts_rows();

/// The grid `devices`: every op in every form, with four pairs of dtypes. An operand is a tensor of
/// three elements, a tensor of one element with one dimension, a zero-dim tensor, or a number. Each
/// tensor lies on the subject's own device or on the CPU. So does out=, which may also be empty. A
/// subject whose own device is the CPU sees one device only.
std::vector<GridRow> devices_rows();

/// The grid `compile`: what a compiler is asked. Its calls cost a thousand times those of a
/// library.
///   pairs  Every functional overload. Its first two tensors that are no mask have every pair of
///          elementwise dtypes once. In turn they are dense, broadcast, strided, and one is
///          zero-dim; their values are small, special and random (small if a divisor or a loop
///          count might be among them). An overload of one tensor has every dtype, and a number of
///          each kind if it must be given one.
///   cover  One call of each callable, in place and out= too. Then more calls, until every two
///          factors of cases/tuple_space.h that can meet have met.
std::vector<GridRow> compile_rows();

/// The part of the grid `compile` that every change runs: for each op, one call of the pairs and
/// two of the cover.
std::vector<GridRow> compile_slice_rows();

}  // namespace upcast::internal
