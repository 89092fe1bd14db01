// The rows of the grids of promotion: cases/grid.h makes plans of them.
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

/// The same rows of add, div, lt, pow, where, neg, sqrt and result_type over bool, uint8, int32,
/// uint16, float16, float32 and complex64, default dtype float32.
std::vector<GridRow> smoke_rows();

}  // namespace upcast::internal
