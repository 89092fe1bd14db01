// A case as LibTorch's loops see it: broadcast operands, and which elements a vector body computes.
#pragma once

#include <algorithm>
#include <vector>

#include "cases/case.h"
#include "impl/core/element.h"
#include "oracle/answer.h"
#include "oracle/case_call.h"
#include "oracle/known/model_values.h"

namespace upcast::models {

/// The elements of an operand, broadcast to a shape, as its memory holds them. The elements of an
/// expanded tensor repeat.
inline Bytes seen_values(const Case& c, int position) {
  return broadcast_values(c, position, c.arguments[position].sizes);
}

/// The elements of an operand, broadcast to a shape, rounded to the common dtype, then converted to
/// T (float, double or an integer).
template <class T>
std::vector<T> loop_values(const Case& c, int position, const Dims& shape, DType common,
                           DType compute) {
  const Bytes own = broadcast_values(c, position, shape);
  if (own.empty()) return {};
  return elements<T>(common, cast_through_float32(dtype_of(c.arguments[position]), own, common),
                     compute);
}

/// For each element of the result, in logical order, whether cpu_kernel_vec computes it in its
/// vector body and not in the scalar tail (capability "default": two vectors of 32 bytes a step).
/// All false if the call has no plan.
std::vector<bool> in_vector_body(const Case& c, DType common, std::size_t count);

/// The elements of an answer as memory holds them, from a model that made them one by one. If the
/// written operand overlaps itself, memory holds the element that its loop writes last.
Answer as_memory_holds(const Case& c, Answer answer);

/// For each element of a tensor operand, in logical order, whether a conversion's loop over vectors
/// of eight leaves it to scalar code. These are the last elements of a dense operand, in memory
/// order.
std::vector<bool> in_conversion_tail(const Operand& operand);

}  // namespace upcast::models
