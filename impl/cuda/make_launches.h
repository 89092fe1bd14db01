// From a plan to launches: which kernel, over which elements, with what arguments.
#pragma once

#include <variant>
#include <vector>

#include "impl/cuda/device_kernels.h"
#include "impl/cuda/device_model.h"
#include "impl/ops/catalogue.h"

namespace upcast {

struct Launch {
  std::uint32_t blocks = 1, threads = 1;
  StorageKind storage = StorageKind::kComputeDType;  // of a contiguous kernel
  std::variant<ContiguousArgs, GeneralArgs> args{};
};

/// A plan's launches, in order. Operands on the host have one element; it becomes a constant.
/// `fault` is in the device's memory, or null.
std::vector<Launch> make_launches(const Op& op, const Call& call, DType common,
                                  const IteratorPlan& plan, const DeviceModel& model, Fault* fault);

}  // namespace upcast
