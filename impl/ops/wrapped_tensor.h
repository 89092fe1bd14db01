// Wraps numbers that stand for tensors, as ATen does.
#pragma once

#include "impl/core/element.h"
#include "impl/ops/call.h"

namespace upcast {

/// A zero-dim tensor that holds a number, in the number's own dtype, and counts as a wrapped
/// number.
inline Tensor wrapped_tensor(const Number& number) {
  Tensor tensor = make_tensor(number.dtype(), {});
  tensor.wrapped_number = true;
  number.visit([&tensor](auto value) {
    for_each_element(AllElements{}, [&](auto row) {
      using T = typename decltype(row)::type;
      if (row.dtype == tensor.dtype) *reinterpret_cast<T*>(tensor.data()) = convert<T>(value);
    });
  });
  return tensor;
}

/// The dtype of an argument that is a tensor or a number; kUndefined for any other argument.
inline DType operand_dtype(const Argument& argument) {
  return argument.tag == Argument::Tag::kNumber ? argument.number.dtype() : argument.tensor.dtype;
}

/// The tensor of an argument that is an operand: its own, or its number wrapped. An undefined
/// tensor for other arguments.
inline Tensor operand_tensor(const Argument& argument) {
  return argument.tag == Argument::Tag::kNumber ? wrapped_tensor(argument.number) : argument.tensor;
}

}  // namespace upcast
