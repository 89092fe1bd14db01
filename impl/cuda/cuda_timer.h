// Measures time on a CUDA device.
#pragma once

#include <memory>

#include "impl/cuda/cuda_engine.h"

namespace upcast {

/// Measures the time of work that is launched between start() and stop().
class CudaTimer {
 public:
  /// `stream` is the stream whose work is measured. Null is the default stream, which all CUDA
  /// runtimes in the process share.
  explicit CudaTimer(CudaStream stream);
  ~CudaTimer();

  void start();
  /// Waits for the work. Returns the time that it took in nanoseconds, precise to about 500.
  double stop();

 private:
  struct Events;
  std::unique_ptr<Events> events_;
};

}  // namespace upcast
