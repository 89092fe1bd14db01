// The engine of a device: plans become launches of its kernels.
#pragma once

#include "impl/cuda/make_launches.h"
#include "impl/ops/engine.h"

namespace upcast {

class DeviceEngine : public Engine {
 public:
  Fault run(const Op& op, const Call& call, DType common, const IteratorPlan& plan) final;

 protected:
  explicit DeviceEngine(DeviceModel model) : model_(model) {}

  /// Starts a launch of an op's kernel for a compute dtype.
  virtual void start(const Op& op, DType computed, const Launch& launch) = 0;
  /// The place where kernels raise faults, cleared before; null on a device that raises none.
  virtual Fault* fault() = 0;
  /// Waits for the launches, and gives the fault that was raised since fault() was called.
  virtual Fault raised() = 0;

 private:
  DeviceModel model_;
};

/// The index of an op in the catalogue, and in the tables of kernels.
std::size_t catalogue_index(const Op& op);

}  // namespace upcast
