// Times our CUDA kernels and LibTorch's, and compares both with the model of bench/gpu/traffic.h.
#pragma once

#include <string_view>

#include "bench/measure.h"

namespace upcast::bench {

/// Rows of gpu_cases() at every size, in nanoseconds a call of the functional form. Operands exist
/// already; both sides allocate their result. The predicted times use the copy bandwidth of this
/// device, which is measured first. A row whose tensors do not fit into memory is left out, with a
/// note. Throws UsageError if there is no device, or if this build has no CUDA kernels.
Report gpu_report(std::string_view filter = "");

/// The times that the model predicts for a device from its published bandwidth. Runs nothing.
Report gpu_prediction(std::string_view device, std::string_view filter = "");

}  // namespace upcast::bench
