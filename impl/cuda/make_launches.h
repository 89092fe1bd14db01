// Turns a plan into launches: which kernel runs, over which elements, with which arguments.
#pragma once

#include <variant>
#include <vector>

#include "impl/cuda/device_kernels.h"
#include "impl/cuda/device_model.h"
#include "impl/ops/catalogue.h"

namespace upcast {

struct Launch {
  std::uint32_t blocks = 1, threads = 1;
  StorageKind storage = StorageKind::kComputeDType;  // how tensors store the operands
  std::variant<ContiguousArgs, GeneralArgs> args{};
};

/// The launches of a plan, in order. An operand on the host has one element, which is passed as a
/// constant. `fault` points into the device's memory; null if the device reports no faults.
std::vector<Launch> make_launches(const Op& op, const Call& call, DType common,
                                  const IteratorPlan& plan, const DeviceModel& model, Fault* fault);

}  // namespace upcast
