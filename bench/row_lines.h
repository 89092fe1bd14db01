// Case lines of benchmarks, whose shapes and dtypes are letters.
//
// A shape letter stands after a dtype. N: a dense tensor of all elements. H: half of it. S: a
// square; R: its row, C: its column. T: rows of three. D stands for the dtype of a row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "impl/core/dtype.h"

namespace upcast::bench {

/// One op of a family that has a kernel.
struct FamilyLine {
  std::string_view family, line;
  DType dtype = DType::kFloat32;  // that every build of LibTorch has a fast loop for
};
std::span<const FamilyLine> family_lines();

/// add.Tensor of every two dtypes of a list of twelve.
std::vector<std::string> pair_lines();

/// The line as a case of side * side elements.
std::string with_sizes(std::string_view line, std::int64_t side, DType dtype = DType::kFloat32);
/// The line as a row is called: sizes left out, and other shapes than N, H and S in words.
std::string without_sizes(std::string_view line, DType dtype = DType::kFloat32);

}  // namespace upcast::bench
