// What a launch hands to its kernel.
#pragma once

#include <array>
#include <cstddef>

#include "impl/core/dtype.h"
#include "impl/cuda/element_groups.h"
#include "impl/cuda/offset_calculator.h"
#include "impl/iterator/operand.h"
#include "impl/ops/call.h"

namespace upcast {

/// A number, or a tensor of one element on the host: a value of the compute type, no memory access.
struct alignas(16) KernelConstant {
  std::array<std::byte, 16> bytes{};

  template <class T>
  UPCAST_HOST_DEVICE T as() const {
    return *reinterpret_cast<const T*>(bytes.data());
  }
};

/// Where the elements of an operand come from.
enum class Access : std::uint8_t {
  kEach,      // each has an address of its own
  kRepeated,  // one element of the device's memory for all
  kConstant,  // the kernel's constant
};

/// For elementwise_contiguous.h: dense operands of one dtype.
struct ContiguousArgs {
  VectorElements elements{};
  std::byte* output = nullptr;
  std::array<const std::byte*, kMaxInputs> inputs{};
  std::array<Access, kMaxInputs> access{};
  std::array<KernelConstant, kMaxInputs> constants{};
  KernelParams params{};
  Fault* fault = nullptr;  // in the device's memory; null: unused
};

struct KernelOperand {
  std::byte* data = nullptr;
  DType dtype = DType::kUndefined;    // of its elements
  DType through = DType::kUndefined;  // rounded to it on the way; kUndefined: needless
  std::uint8_t itemsize = 0;
  Access access = Access::kEach;
};

/// For elementwise_general.h: any dtypes and strides.
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
