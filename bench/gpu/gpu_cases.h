// The calls that `upcast bench gpu` times: families, dtype pairs, numbers, strides.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upcast::bench {

struct GpuCase {
  std::string name;  // "family/gamma lgamma(float32) 2^20"
  std::string line;
};

/// Exponents of the sizes: 2^10 to 2^30 elements. Even, so that squares have as many.
std::span<const int> gpu_sizes();

/// All cases of a size whose name holds `filter`:
///   family/FAMILY   one op of each family with a kernel, float32 (int32 for bits)
///   pair/           add.Tensor of every two dtypes of a list
///   scalar/         a number, a tensor of one element on the device and on the host
///   strided/        every second element, transposed, rows, columns, short rows
std::vector<GpuCase> gpu_cases(int exponent, std::string_view filter = "");

}  // namespace upcast::bench
