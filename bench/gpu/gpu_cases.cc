#include "bench/gpu/gpu_cases.h"

#include <array>

#include "bench/row_lines.h"

namespace upcast::bench {
namespace {

struct GroupLine {
  std::string_view group, line;
};

constexpr GroupLine kLines[] = {
    {"scalar", "add.Tensor(float32N, 2.5)"},
    {"scalar", "add.Tensor(int32N, 2.5)"},
    {"scalar", "mul.Tensor(float16N, 2.5)"},
    {"scalar", "add.Tensor(float32N, float32[])"},
    {"scalar", "add.Tensor(float32N, float32[]:device(cpu))"},
    {"strided", "add.Tensor(float32H:strides(2), float32H:strides(2))"},
    {"strided", "add.Tensor(float32S, float32S:permuted)"},
    {"strided", "add.Tensor(float32S, float32R)"},
    {"strided", "add.Tensor(float32S, float32C)"},
    {"strided", "add.Tensor(float32T, float32[3])"},
    {"strided", "add.Tensor(int32S, float32S:permuted)"},
    {"strided", "exp(float32H:strides(2))"},
};

}  // namespace

std::span<const int> gpu_sizes() {
  static constexpr std::array kSizes{10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
  return kSizes;
}

std::vector<GpuCase> gpu_cases(int exponent, std::string_view filter) {
  std::vector<GpuCase> cases;
  const std::int64_t side = std::int64_t{1} << exponent / 2;
  const auto add = [&](std::string_view group, std::string_view line,
                       DType dtype = DType::kFloat32) {
    GpuCase made{
        std::string(group) + " " + without_sizes(line, dtype) + " 2^" + std::to_string(exponent),
        with_sizes(line, side, dtype) + " @device=cuda"};
    if (made.name.find(filter) != std::string::npos) cases.push_back(std::move(made));
  };
  for (const FamilyLine& row : family_lines())
    add("family/" + std::string(row.family), row.line, row.dtype);
  for (const GroupLine& row : kLines) add(row.group, row.line);
  for (const std::string& line : pair_lines()) add("pair", line);
  return cases;
}

}  // namespace upcast::bench
