// Numbers in the place of tensors, as ATen wraps them.
#pragma once

#include "impl/core/element.h"
#include "impl/ops/call.h"

namespace upcast {

/// A zero-dim tensor of the number's own dtype that counts as a wrapped number.
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

/// The dtype of a tensor or number; kUndefined for any other argument.
inline DType operand_dtype(const Argument& argument) {
  return argument.tag == Argument::Tag::kNumber ? argument.number.dtype() : argument.tensor.dtype;
}

/// The operand that an argument is; an undefined tensor for any argument that is no operand.
inline Tensor operand_tensor(const Argument& argument) {
  return argument.tag == Argument::Tag::kNumber ? wrapped_tensor(argument.number) : argument.tensor;
}

}  // namespace upcast
