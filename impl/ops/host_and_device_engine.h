// An engine for calls with operands on the host and on a device. A call runs where its result lies.
// Tensors are copied between the two memories.
#pragma once

#include "impl/ops/engine.h"

namespace upcast {

/// An engine made of a host's and a device's. Tensors on Device::kCuda lie in the device's memory,
/// all others on the host. Both engines must outlive it.
class HostAndDeviceEngine : public Engine {
 public:
  HostAndDeviceEngine(Engine& host, Engine& device) : host_(host), device_(device) {}

  Memory& memory() override { return device_.memory(); }
  Memory& memory_for(Device device) override;
  /// Runs an op over a plan. copy_ takes operands from any device, and runs on the host, as
  /// LibTorch's does: operands on the device are fetched, and the result is copied back.
  Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) override;
  void synchronize() override { device_.synchronize(); }

 private:
  Fault run_on_copies(const Op& op, const Call& call, DType common, IteratorPlan plan);

  Engine& host_;
  Engine& device_;
};

}  // namespace upcast
