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

/// Makes tensors and keeps them: most cases of a grid share their operands. What a call reads is
/// made once; what it writes gets its initial bytes back before each call.
class TensorBridge {
 public:
  /// `device`: where those tensors lie that a case has on the CPU, except those that name their own
  /// device. `host_stands_in`: tensors for CUDA are made in the same way but stay on the host, for
  /// tests without a GPU.
  explicit TensorBridge(Device device, bool host_stands_in = false);
  virtual ~TensorBridge();

  /// Call it before the operands of a call: it makes those that share storage. One with the layout
  /// of the tensor it shares with is that tensor itself.
  void begin_call(const Case& c);
  /// A tensor operand that the call only reads. A benchmark has tensors of its own.
  virtual at::Tensor read_operand(const Case& c, int position);
  /// A tensor operand (kOutPosition: out) that the call writes. The next call for an equal operand
  /// gives the same tensor.
  at::Tensor written_operand(const Case& c, int position);
  /// The storage of a tensor operand of the call that was made last.
  std::vector<std::byte> storage_of(const Case& c, int position, bool written);
  /// The number at a position as a zero-dim CPU tensor with the wrapped-number flag, on any device.
  at::Tensor wrapped_number(const Number& number, int position);

 private:
  struct Entry;
  struct Store;
  Entry& find(const Case& c, int position, bool written);
  at::Tensor make_tensor(const Case& c, int position, Device device,
                         std::int64_t elements = 0) const;
  /// The tensor of an operand that shares storage in this call; null if it does not.
  const at::Tensor* find_sharing(int position) const;

  Device device_;
  bool host_stands_in_;
  std::unique_ptr<Store> store_;
};

/// Sets tag, dtype, sizes, strides and bytes from a tensor. Bytes are copied from the tensor's
/// device. On the meta device there are none, and without_values is set.
void read_tensor(const at::Tensor& tensor, Answer& answer);

}  // namespace upcast::libtorch
