#include "impl/cuda/cuda_timer.h"

#include "impl/cuda/cuda_check.h"

namespace upcast {

struct CudaTimer::Events {
  explicit Events(CudaStream of) : stream(of) {
    succeed(cudaEventCreate(&begin));
    succeed(cudaEventCreate(&end));
  }
  ~Events() {
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
  }

  CudaStream stream;
  cudaEvent_t begin{}, end{};
};

CudaTimer::CudaTimer(CudaStream stream) : events_(std::make_unique<Events>(stream)) {}
CudaTimer::~CudaTimer() = default;

void CudaTimer::start() { succeed(cudaEventRecord(events_->begin, events_->stream)); }

double CudaTimer::stop() {
  succeed(cudaEventRecord(events_->end, events_->stream));
  succeed(cudaEventSynchronize(events_->end));
  float milliseconds = 0;
  succeed(cudaEventElapsedTime(&milliseconds, events_->begin, events_->end));
  return double{milliseconds} * 1e6;
}

}  // namespace upcast
