// The engine of a CUDA device, which runs our kernels on a GPU.
#pragma once

#include <memory>
#include <string>

#include "impl/cuda/device_engine.h"

struct CUstream_st;

namespace upcast {

/// CUDA's cudaStream_t.
using CudaStream = CUstream_st*;

/// The engine of CUDA device 0. Launches go to one stream, and memory comes from its pool. If
/// memory runs out, the call throws std::bad_alloc. After any other failure no later call can use
/// the context. So the engine ends the program, and the supervisor starts a new one.
class CudaEngine : public DeviceEngine {
 public:
  /// Throws UsageError if there is no device that this build can use.
  CudaEngine();
  ~CudaEngine() override;
  Memory& memory() override;

  /// The device in words: "NVIDIA H200, compute capability 9.0, driver 13.0, runtime 13.0".
  std::string description() const;
  /// Waits until all launches have run.
  void synchronize() override;
  /// The stream that launches, allocations and copies go to, in this order of calls.
  CudaStream stream() const;
  /// Copies within the device's memory, after all launches so far have run.
  void copy(const std::byte* from, std::byte* to, std::size_t size);
  /// The size of the device's memory in bytes, used or free.
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
