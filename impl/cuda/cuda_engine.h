// The engine of a CUDA device.
#pragma once

#include <memory>
#include <string>

#include "impl/cuda/device_engine.h"

struct CUstream_st;

namespace upcast {

/// CUDA's cudaStream_t.
using CudaStream = CUstream_st*;

/// The engine of CUDA device 0. Launches go to one stream; memory comes from its pool. A call is
/// refused if memory runs out (std::bad_alloc). Any other failure leaves a context that no later
/// call can use. So it ends the program, and the supervisor starts a new one.
class CudaEngine : public DeviceEngine {
 public:
  /// Throws UsageError where there is no device that this build can use.
  CudaEngine();
  ~CudaEngine() override;
  Memory& memory() override;

  /// The device in words: "NVIDIA H200, compute capability 9.0, driver 13.0, runtime 13.0".
  std::string description() const;
  /// Waits for all launches.
  void synchronize() override;
  /// The stream that launches, allocations and copies go to, in order.
  CudaStream stream() const;
  /// Copies within the device's memory, after the launches so far have run.
  void copy(const std::byte* from, std::byte* to, std::size_t size);
  /// Bytes of the device's memory, free or not.
  std::size_t total_memory() const;

 private:
  void start(const Op& op, DType computed, const Launch& launch) override;
  Fault* fault() override { return nullptr; }
  Fault raised() override { return {}; }

  struct State;
  explicit CudaEngine(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace upcast
