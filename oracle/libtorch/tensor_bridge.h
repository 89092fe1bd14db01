// Makes at::Tensors of the operands of a case, and answers of at::Tensors.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"

namespace at {
class Tensor;
}

namespace upcast::libtorch {

/// Makes tensors for the operands of cases, and keeps them, because most cases of a grid share
/// their operands. A tensor that calls only read is made once. A tensor that a call writes gets its
/// initial bytes back before each call.
class TensorBridge {
 public:
  /// `device`: where tensors lie for which the case names no other device. `host_stands_in`:
  /// tensors for CUDA are made in the same way but stay on the host, for tests without a GPU.
  explicit TensorBridge(Device device, bool host_stands_in = false);
  virtual ~TensorBridge();

  /// Call this before the operands of a call are asked for. It makes the operands that share
  /// storage. Two of them with the same layout are one tensor.
  void begin_call(const Case& c);
  /// The tensor of an operand that the call only reads. A benchmark overrides this with tensors of
  /// its own.
  virtual at::Tensor read_operand(const Case& c, int position);
  /// The tensor of an operand (kOutPosition: out) that the call writes. The next call for an equal
  /// operand gets the same tensor.
  at::Tensor written_operand(const Case& c, int position);
  /// The bytes in the storage of a tensor operand after the last call. `written`: whether the call
  /// writes that operand.
  std::vector<std::byte> storage_of(const Case& c, int position, bool written);
  /// A zero-dim CPU tensor with the wrapped-number flag for the number at a position, whatever the
  /// bridge's device is.
  at::Tensor wrapped_number(const Number& number, int position);

 private:
  struct Entry;
  struct Store;
  Entry& find(const Case& c, int position, bool written);
  at::Tensor make_tensor(const Case& c, int position, Device device,
                         std::int64_t elements = 0) const;
  /// The tensor of an operand that shares storage in this call; null if the operand shares none.
  const at::Tensor* find_sharing(int position) const;

  Device device_;
  bool host_stands_in_;
  std::unique_ptr<Store> store_;
};

/// Sets tag, dtype, sizes, strides and bytes from a tensor. Bytes are copied from the tensor's
/// device. On the meta device there are none, and without_values is set.
void read_tensor(const at::Tensor& tensor, Answer& answer);

}  // namespace upcast::libtorch
