// The engine of a device, which turns plans into launches of the device's kernels.
#pragma once

#include "impl/cuda/make_launches.h"
#include "impl/ops/engine.h"

namespace upcast {

class DeviceEngine : public Engine {
 public:
  Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) final;

 protected:
  explicit DeviceEngine(DeviceModel model) : model_(model) {}

  /// Starts a launch of the op's kernel for the compute dtype `computed`.
  virtual void start(const Op& op, DType computed, const Launch& launch) = 0;
  /// Clears and returns the place where kernels report faults. Null if the device's kernels report
  /// none.
  virtual Fault* fault() = 0;
  /// Waits for the launches. Returns the fault that a kernel has reported since the last call of
  /// fault().
  virtual Fault raised() = 0;

 private:
  DeviceModel model_;
};

/// The index of an op in the catalogue, which is also its index in the tables of kernels.
std::size_t catalogue_index(const Op& op);

}  // namespace upcast
