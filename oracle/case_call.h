// Makes a Call of our own implementation from a Case.
#pragma once

#include "cases/case.h"
#include "impl/ops/call.h"
#include "impl/ops/promote_call.h"

namespace upcast {

/// Whether a case involves a GPU: the side's own device is one, or the case names one.
bool on_gpu(const Case& c, Device device);

/// Holds what a Call points to. Reused from case to case.
class CaseCall {
 public:
  /// `device` is the side's own: tensors lie on it unless the case names another device for them.
  explicit CaseCall(Device device = Device::kCpu) : device_(device) {}

  /// Makes the call. Every tensor has storage in the memory, with the case's bytes. Without memory
  /// it has dtypes and shapes only, enough for promote_call.
  const Call& make(const Case& c, const Rules& rules = kPyTorchRules,
                   Memory* memory = &host_memory());

  /// The tensors of the last case: by argument, then out and the second out; not defined() for an
  /// argument that is no tensor. They share the storages of the call.
  std::vector<Tensor> tensors() const;

 private:
  Tensor make_operand(const Case& c, int position, const Operand& operand, Memory* memory) const;

  Device device_;
  std::vector<Argument> arguments_;
  Tensor out_;
  Tensor second_out_;
  Call call_;
};

/// The dtype of a tensor, or that of a number as it is written.
inline DType dtype_of(const Operand& operand) {
  return operand.tag == Operand::Tag::kNumber ? operand.number.dtype() : operand.dtype;
}

/// The elements of an operand, broadcast to a shape, in logical order and in the operand's own
/// dtype. It works on any device except meta. Empty if the operand has no elements, or does not
/// broadcast.
std::vector<std::byte> broadcast_values(const Case& c, int position, const Dims& shape);

/// Why a case is no elementwise call; "" for one that is. A loss with a reduction, which is the
/// default of the schemas, is no elementwise call. Neither our implementation nor the truth answers
/// such a call.
std::string_view why_not_elementwise(const Case& c);

/// The common and result dtype of a case by our own rules.
Outcome<Promoted> promote_case(const Case& c);

}  // namespace upcast
