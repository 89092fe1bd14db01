// Operands of a case as at::Tensors, and at::Tensors as answers.
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
  /// Tensors of a case on the CPU lie on this device, save those that name their own.
  explicit TensorBridge(Device device);
  ~TensorBridge();

  /// Before the operands of a call: makes those that share storage. One that lies as the tensor it
  /// shares with is that tensor itself.
  void begin_call(const Case& c);
  /// A tensor operand that the call only reads.
  at::Tensor read_operand(const Case& c, int position);
  /// A tensor operand (kOutPosition: out) that the call writes. The next call for an equal operand
  /// gives the same tensor.
  at::Tensor written_operand(const Case& c, int position);
  /// The storage of a tensor operand of the call that was made last.
  std::vector<std::byte> storage_of(const Case& c, int position, bool written);
  /// A zero-dim CPU tensor with the wrapped-number flag, on any device.
  at::Tensor wrapped_number(const Number& number);

 private:
  struct Entry;
  struct Store;
  Entry& find(const Case& c, int position, bool written);
  /// The tensor of an operand that shares storage in this call, else null.
  const at::Tensor* find_sharing(int position) const;

  Device device_;
  std::unique_ptr<Store> store_;
};

/// Sets tag, dtype, sizes, strides and bytes; none and without_values on the meta device.
void read_tensor(const at::Tensor& tensor, Answer& answer);

}  // namespace upcast::libtorch
