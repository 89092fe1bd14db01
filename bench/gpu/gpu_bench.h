// Our CUDA kernels and LibTorch's, compared with the model of bench/gpu/traffic.h.
#pragma once

#include <string_view>

#include "bench/measure.h"

namespace upcast::bench {

/// Rows of gpu_cases() at every size, in ns a call, operands ready, the functional form, allocation
/// of the result included on both sides; predicted from the copy bandwidth that is measured first.
/// A row whose tensors do not fit is left out, with a note. Throws UsageError where there is no
/// device, or this build has no CUDA kernels.
Report gpu_report(std::string_view filter = "");

/// The model's predictions for a device, by its published bandwidth; nothing runs.
Report gpu_prediction(std::string_view device, std::string_view filter = "");

}  // namespace upcast::bench
