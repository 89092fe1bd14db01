#include "impl/cuda/cuda_engine.h"

#include <limits>
#include <new>

#include "impl/cuda/cuda_check.h"
#include "impl/cuda/cuda_model.h"
#include "impl/cuda/families.h"

namespace upcast {
namespace {

class CudaMemory : public Memory {
 public:
  explicit CudaMemory(cudaStream_t stream) : stream_(stream) {}

  std::byte* allocate(std::size_t size) override {
    void* bytes = nullptr;
    const cudaError_t error = cudaMallocAsync(&bytes, size == 0 ? 1 : size, stream_);
    if (error == cudaErrorMemoryAllocation) {
      static_cast<void>(cudaGetLastError());  // clears the error, so that later calls succeed
      throw std::bad_alloc();
    }
    succeed(error);
    return static_cast<std::byte*>(bytes);
  }
  void free(std::byte* bytes, std::size_t) override { succeed(cudaFreeAsync(bytes, stream_)); }
  void read(const std::byte* from, std::span<std::byte> to) override {
    succeed(cudaMemcpyAsync(to.data(), from, to.size(), cudaMemcpyDeviceToHost, stream_));
    succeed(cudaStreamSynchronize(stream_));
  }
  void write(std::span<const std::byte> from, std::byte* to) override {
    succeed(cudaMemcpyAsync(to, from.data(), from.size(), cudaMemcpyHostToDevice, stream_));
    succeed(cudaStreamSynchronize(stream_));  // waits, so that the caller may free `from` on return
  }

 private:
  cudaStream_t stream_;
};

std::vector<CudaKernelTable> make_tables() {
  std::vector<CudaKernelTable> tables;
  for (device::AddFamily* add : device::kFamilies) add(tables);
  return tables;
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Makes the pool keep freed device memory. Giving it back to the system between calls would cost
/// time.
void keep_pool() {
  cudaMemPool_t pool;
  succeed(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t all = std::numeric_limits<std::uint64_t>::max();
  succeed(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
}

cudaStream_t make_stream() {
  int count = 0;
  const cudaError_t error = cudaGetDeviceCount(&count);
  if (error != cudaSuccess || count == 0)
    throw UsageError(std::string("impl:cuda needs a CUDA device, and there is none here (") +
                     cudaGetErrorString(error) + "); impl:emulated runs the same kernels");
  succeed(cudaSetDevice(0));
  keep_pool();
  cudaStream_t stream;
  succeed(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

}  // namespace

struct CudaEngine::State {
  cudaStream_t stream = make_stream();
  CudaMemory memory{stream};
  std::vector<CudaKernelTable> tables = make_tables();
};

CudaEngine::CudaEngine() : CudaEngine(std::make_unique<State>()) {}
CudaEngine::CudaEngine(std::unique_ptr<State> state)
    : DeviceEngine(cuda_device_model()), state_(std::move(state)) {}
CudaEngine::~CudaEngine() { cudaStreamDestroy(state_->stream); }

Memory& CudaEngine::memory() { return state_->memory; }

std::string CudaEngine::description() const {
  cudaDeviceProp properties;
  succeed(cudaGetDeviceProperties(&properties, 0));
  int driver = 0, runtime = 0;
  succeed(cudaDriverGetVersion(&driver));
  succeed(cudaRuntimeGetVersion(&runtime));
  return std::string(properties.name) + ", compute capability " + std::to_string(properties.major) +
         "." + std::to_string(properties.minor) + ", driver " + version_text(driver) +
         ", runtime " + version_text(runtime);
}

void CudaEngine::synchronize() { succeed(cudaStreamSynchronize(state_->stream)); }

CudaStream CudaEngine::stream() const { return state_->stream; }

void CudaEngine::copy(const std::byte* from, std::byte* to, std::size_t size) {
  succeed(cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, state_->stream));
}

std::size_t CudaEngine::total_memory() const {
  cudaDeviceProp properties;
  succeed(cudaGetDeviceProperties(&properties, 0));
  return properties.totalGlobalMem;
}

void CudaEngine::start(const Op& op, DType computed, const Launch& launch) {
  const DeviceKernels<CudaBackend>& kernels = state_->tables[catalogue_index(op)][code(computed)];
  const auto* const contiguous = std::get_if<ContiguousArgs>(&launch.args);
  const void* const kernel = contiguous != nullptr
                                 ? kernels.contiguous[static_cast<int>(launch.storage)]
                                 : kernels.general;
  const void* const args = contiguous != nullptr ? static_cast<const void*>(contiguous)
                                                 : &std::get<GeneralArgs>(launch.args);
  void* arguments[] = {const_cast<void*>(args)};
  succeed(cudaLaunchKernel(kernel, dim3(launch.blocks), dim3(launch.threads), arguments, 0,
                           state_->stream));
}

}  // namespace upcast
