#include "oracle/libtorch/cuda_library.h"

#include <ATen/core/Tensor.h>
#include <ATen/detail/CUDAHooksInterface.h>
#include <ATen/ops/add.h>
#include <ATen/ops/ones.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <dlfcn.h>
#include <link.h>

#include <array>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "impl/core/error.h"
#include "oracle/libtorch/refusal.h"

namespace upcast::libtorch {
namespace {

/// The driver's functions. Their C interface is stable, so no header of a toolkit is needed.
class Driver {
 public:
  Driver() : library_(dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) fail("no NVIDIA driver: libcuda.so.1 cannot be loaded");
    if (const int error = find<int (*)(unsigned)>("cuInit")(0); error != 0) fail(text_of(error));
  }
  int device_count() const {
    int count = 0;
    const int error = find<int (*)(int*)>("cuDeviceGetCount")(&count);
    if (error != 0) fail(text_of(error));
    return count;
  }
  std::string name() const {
    std::array<char, 256> text{};
    find<int (*)(char*, int, int)>("cuDeviceGetName")(text.data(), text.size(), 0);
    return text.data();
  }
  int attribute(int which) const {
    int value = 0;
    find<int (*)(int*, int, int)>("cuDeviceGetAttribute")(&value, which, 0);
    return value;
  }
  int version() const {
    int version = 0;
    find<int (*)(int*)>("cuDriverGetVersion")(&version);
    return version;
  }

  [[noreturn]] static void fail(const std::string& why) {
    throw UsageError("libtorch:cuda needs a CUDA device, and there is none here (" + why +
                     "); libtorch:cpu and libtorch:meta need none");
  }

 private:
  template <class Function>
  Function find(const char* name) const {
    void* const found = dlsym(library_, name);
    if (found == nullptr) fail(std::string("the NVIDIA driver has no ") + name);
    return reinterpret_cast<Function>(found);
  }
  std::string text_of(int error) const {
    const char* text = nullptr;
    find<int (*)(int, const char**)>("cuGetErrorString")(error, &text);
    return text == nullptr ? "the NVIDIA driver's error " + std::to_string(error) : text;
  }

  void* library_;  // never closed, because LibTorch uses the driver's library too
};

constexpr int kCapabilityMajor = 75;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR
constexpr int kCapabilityMinor = 76;

std::string version_text(long version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

std::string describe_cuda_device() {
  const Driver driver;
  if (driver.device_count() == 0) Driver::fail("the NVIDIA driver shows no device");
  return driver.name() + ", compute capability " +
         std::to_string(driver.attribute(kCapabilityMajor)) + "." +
         std::to_string(driver.attribute(kCapabilityMinor)) + ", driver " +
         version_text(driver.version());
}

std::string libtorch_folder() {
  void* const library = dlopen("libtorch_cpu.so", RTLD_NOW | RTLD_NOLOAD);
  check(library != nullptr, "this program is linked with libtorch_cpu.so");
  std::array<char, PATH_MAX> folder{};
  check(dlinfo(library, RTLD_DI_ORIGIN, folder.data()) == 0, "a loaded library has a folder");
  dlclose(library);
  return folder.data();
}

void load_cuda_library(const std::string& folder) {
  const std::string path = folder + "/libtorch_cuda.so";
  if (dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL) != nullptr) return;
  const char* const why = dlerror();
  throw UsageError("libtorch:cuda needs LibTorch's CUDA kernels (" +
                   std::string(why == nullptr ? path : why) +
                   "); build with LIBTORCH set to a torch that has them, installed with its "
                   "CUDA libraries");
}

void try_cuda_kernel() {
  try {
    const at::Tensor one = at::ones({1}, at::TensorOptions().device(at::kCUDA));
    if (at::add(one, one).item<float>() == 2) return;
  } catch (const std::exception& error) {
    throw UsageError("this LibTorch cannot use the CUDA device: " +
                     std::string(first_line(std::string_view(error.what()))));
  }
  throw UsageError("this LibTorch cannot use the CUDA device: 1 + 1 is not 2 on it");
}

void finish_on_cuda() {
  try {
    const c10::impl::VirtualGuardImpl cuda(c10::DeviceType::CUDA);
    cuda.synchronizeStream(cuda.getStream(cuda.getDevice()));
  } catch (const std::exception& error) {
    const std::string why(first_line(std::string_view(error.what())));
    std::fprintf(stderr, "upcast: the CUDA device is lost: %s\n", why.c_str());
    std::abort();
  }
}

std::string cuda_runtime_version() {
  const at::CUDAHooksInterface& hooks = at::detail::getCUDAHooks();
  return hooks.hasCUDART() ? "CUDA " + version_text(hooks.versionCUDART()) : "CUDA unknown";
}

}  // namespace upcast::libtorch
