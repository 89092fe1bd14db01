// An emulated device: the GPU's kernels run over a grid on the host, thread by thread, in memory
// with canaries around it. Small grids, blocks that are no multiple of a warp, memory off a 16-byte
// boundary and a low limit of offsets send short tensors through the paths of long ones.
#pragma once

#include <memory>

#include "impl/cuda/device_engine.h"

namespace upcast {

class EmulatedEngine : public DeviceEngine {
 public:
  EmulatedEngine();
  ~EmulatedEngine() override;
  Memory& memory() override;

 private:
  void start(const Op& op, DType computed, const Launch& launch) override;
  Fault* fault() override;
  Fault raised() override { return fault_; }

  std::unique_ptr<Memory> memory_;
  Fault fault_;
};

}  // namespace upcast
