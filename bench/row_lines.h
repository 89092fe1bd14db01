// Case lines of benchmarks, with letters in place of shapes and dtypes.
//
// A shape letter stands after a dtype. N: a dense tensor of all elements. H: a tensor of half as
// many. S: a square matrix; R: one row of it, C: one column. T: a matrix of rows of three elements.
// D stands for the dtype that the row is measured in.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "impl/core/dtype.h"

namespace upcast::bench {

/// A case line for one op of a family; only families with a kernel have one.
struct FamilyLine {
  std::string_view family, line;
  DType dtype = DType::kFloat32;  // a dtype for which every build of LibTorch has a fast loop
};
std::span<const FamilyLine> family_lines();

/// Lines of add.Tensor for every two dtypes of a list of twelve.
std::vector<std::string> pair_lines();

/// The line as a case: tensors of side * side elements, and `dtype` in place of D.
std::string with_sizes(std::string_view line, std::int64_t side, DType dtype = DType::kFloat32);
/// The line as the name of its row: sizes left out, and shapes other than N, H and S in words.
std::string without_sizes(std::string_view line, DType dtype = DType::kFloat32);

}  // namespace upcast::bench
