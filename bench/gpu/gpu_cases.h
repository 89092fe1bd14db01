// The calls that `upcast bench gpu` times. They cover op families, pairs of dtypes, numbers and
// strides.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace upcast::bench {

struct GpuCase {
  std::string name;  // for example "family/gamma lgamma(float32) 2^20"
  std::string line;
};

/// The sizes of the benchmark, as exponents: from 2^10 to 2^30 elements. All exponents are even, so
/// that square matrices can have the same numbers of elements.
std::span<const int> gpu_sizes();

/// All cases with 2^exponent elements whose name contains `filter`:
///   family/FAMILY   one op of each family with a kernel, in float32 (int32 for bitwise ops)
///   pair/           add.Tensor of every two dtypes of a list
///   scalar/         one operand is a number, or a tensor of one element on the device or on the
///   host strided/        every second element, transposed, rows, columns, short rows
std::vector<GpuCase> gpu_cases(int exponent, std::string_view filter = "");

}  // namespace upcast::bench
