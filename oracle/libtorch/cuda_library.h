// LibTorch's CUDA half: a library of its own, which this project never links. It is loaded when
// libtorch:cuda is asked for.
#pragma once

#include <string>

namespace upcast::libtorch {

/// Describes device 0 by what the driver says: "NVIDIA H200, compute capability 9.0, driver 13.0".
/// Throws UsageError if there is no driver, or no device.
std::string describe_cuda_device();

/// The folder of the LibTorch that this program runs with.
std::string libtorch_folder();

/// Loads libtorch_cuda.so, whose kernels then answer for tensors on CUDA. Throws UsageError where
/// LibTorch's folder has none, or where a library that it needs is missing.
void load_cuda_library(const std::string& folder);

/// Runs a kernel on device 0, to learn early whether that works. Throws UsageError if this LibTorch
/// cannot run it.
void try_cuda_kernel();

/// Waits until all launched work is done, so that a failure is blamed on the current case. A kernel
/// may break the device's context, for instance by reading beyond its memory. No later call can
/// then use the device. In that case this function prints why and aborts, and the supervisor goes
/// on with a new worker.
void finish_on_cuda();

/// The CUDA runtime that LibTorch uses, such as "CUDA 13.0". Call it once the library is loaded.
std::string cuda_runtime_version();

}  // namespace upcast::libtorch
