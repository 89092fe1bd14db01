// Time as a CUDA device sees it.
#pragma once

#include <memory>

#include "impl/cuda/cuda_engine.h"

namespace upcast {

/// Measures work that is launched between start() and stop().
class CudaTimer {
 public:
  /// stream: null is the default stream, which is the same one for every runtime in the process.
  explicit CudaTimer(CudaStream stream);
  ~CudaTimer();

  void start();
  /// Waits for the work, and gives its time in nanoseconds, to about half a microsecond.
  double stop();

 private:
  struct Events;
  std::unique_ptr<Events> events_;
};

}  // namespace upcast
