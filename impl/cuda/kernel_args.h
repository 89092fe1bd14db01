// What a launch passes to its kernel.
#pragma once

#include <array>
#include <cstddef>

#include "impl/core/dtype.h"
#include "impl/cuda/element_groups.h"
#include "impl/cuda/offset_calculator.h"
#include "impl/iterator/operand.h"
#include "impl/ops/call.h"

namespace upcast {

/// The value of an operand that is a number, or a tensor of one element on the host. It is passed
/// in the compute type, so that the kernel reads no memory for it.
struct alignas(16) KernelConstant {
  std::array<std::byte, 16> bytes{};

  template <class T>
  UPCAST_HOST_DEVICE T as() const {
    return *reinterpret_cast<const T*>(bytes.data());
  }
};

/// Where the elements of an operand come from.
enum class Access : std::uint8_t {
  kEach,      // every element has an address of its own
  kRepeated,  // one element in the device's memory, used for all
  kConstant,  // a value that the launch passes to the kernel
};

/// Arguments of the kernel in elementwise_contiguous.h: dense operands of one dtype.
struct ContiguousArgs {
  VectorElements elements{};
  std::byte* output = nullptr;
  std::array<const std::byte*, kMaxInputs> inputs{};
  std::array<Access, kMaxInputs> access{};
  std::array<KernelConstant, kMaxInputs> constants{};
  KernelParams params{};
  Fault* fault = nullptr;  // where faults are noted, in device memory; null: nowhere
};

struct KernelOperand {
  std::byte* data = nullptr;
  DType dtype = DType::kUndefined;    // the dtype of the operand's elements
  DType through = DType::kUndefined;  // elements are rounded to it first; kUndefined: to none
  std::uint8_t itemsize = 0;
  Access access = Access::kEach;
};

/// Arguments of the kernel in elementwise_general.h: any dtypes and strides.
struct GeneralArgs {
  ElementGroups groups{};
  OffsetCalculator offsets{};  // outputs first
  std::array<KernelOperand, kMaxOutputs> outputs{};
  std::array<KernelOperand, kMaxInputs> inputs{};
  std::array<KernelConstant, kMaxInputs> constants{};
  KernelParams params{};
  Fault* fault = nullptr;
};

}  // namespace upcast
