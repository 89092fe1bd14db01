// An emulated device: the GPU's kernels run over a grid on the host, thread by thread. Canaries
// before and after its memory blocks reveal writes out of bounds. Grids are small, blocks are no
// multiple of a warp, memory is partly misaligned, and the limit of offsets is low. So short
// tensors take the paths that on a GPU only long ones take.
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
