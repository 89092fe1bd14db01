#include "bench/gpu/gpu_cases.h"

#include <array>

#include "impl/core/dtype.h"

namespace upcast::bench {
namespace {

/// N: the shape of a dense tensor of all elements. H: half of it. S: a square; R: its row, C: its
/// column. T: rows of three. Each stands after a dtype.
struct CaseRow {
  std::string_view group, line;
};

constexpr CaseRow kRows[] = {
    {"family/arithmetic", "add.Tensor(float32N, float32N)"},
    {"family/comparison", "lt.Tensor(float32N, float32N)"},
    {"family/classification", "isnan(float32N)"},
    {"family/logical", "logical_and(float32N, float32N)"},
    {"family/bitwise", "bitwise_and.Tensor(int32N, int32N)"},
    {"family/parts", "conj_physical(complex64N)"},
    {"family/rounding", "floor(float32N)"},
    {"family/powers", "pow.Tensor_Tensor(float32N, float32N)"},
    {"family/scaling", "ldexp.Tensor(float32N, int32N)"},
    {"family/exponential", "exp(float32N)"},
    {"family/trigonometric", "sin(float32N)"},
    {"family/hyperbolic", "tanh(float32N)"},
    {"family/special", "erf(float32N)"},
    {"family/gamma", "lgamma(float32N)"},
    {"family/bessel", "special_bessel_j0(float32N)"},
    {"family/selection", "where.self(boolN, float32N, float32N)"},
    {"family/clamp", "clamp(float32N, 0.25, 0.75)"},
    {"family/interpolation", "lerp.Tensor(float32N, float32N, float32N)"},
    {"family/losses", "huber_loss(float32N, float32N, 0)"},
    {"family/copies", "clone(float32N)"},
    {"family/activation", "gelu(float32N)"},
    {"family/activation_backward", "tanh_backward(float32N, float32N)"},
    {"family/piecewise_activation", "relu(float32N)"},
    {"family/orthogonal_polynomial", "special_chebyshev_polynomial_t(float32N, float32N)"},
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

constexpr std::array kPairDTypes{DType::kBool,    DType::kUInt8,     DType::kInt8,
                                 DType::kInt16,   DType::kInt32,     DType::kInt64,
                                 DType::kFloat16, DType::kBFloat16,  DType::kFloat32,
                                 DType::kFloat64, DType::kComplex64, DType::kComplex128};

bool ends_a_dtype(char before) { return (before >= '0' && before <= '9') || before == 'l'; }

/// The text with each shape letter that follows a dtype replaced by `shape` of it.
template <class Shape>
std::string with_shapes(std::string_view line, Shape shape) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const bool is_shape = i > 0 && ends_a_dtype(line[i - 1]) &&
                          std::string_view("NHSRCT").find(line[i]) != std::string_view::npos;
    text += is_shape ? shape(line[i]) : std::string(1, line[i]);
  }
  return text;
}

std::string shape_text(char letter, int exponent) {
  const std::int64_t elements = std::int64_t{1} << exponent;
  const std::string side = std::to_string(std::int64_t{1} << exponent / 2);
  switch (letter) {
    case 'N':
      return "[" + std::to_string(elements) + "]";
    case 'H':
      return "[" + std::to_string(elements / 2) + "]";
    case 'S':
      return "[" + side + "," + side + "]";
    case 'R':
      return "[" + side + "]";
    case 'C':
      return "[" + side + ",1]";
    default:
      return "[" + std::to_string(elements / 3) + ",3]";
  }
}

std::string shape_name(char letter) {
  switch (letter) {
    case 'R':
      return " row";
    case 'C':
      return " column";
    case 'T':
      return " [n,3]";
    default:
      return "";
  }
}

}  // namespace

std::span<const int> gpu_sizes() {
  static constexpr std::array kSizes{10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30};
  return kSizes;
}

std::vector<GpuCase> gpu_cases(int exponent, std::string_view filter) {
  std::vector<GpuCase> cases;
  const auto add = [&](std::string_view group, std::string_view line) {
    GpuCase made{
        std::string(group) + " " + with_shapes(line, shape_name) + " 2^" + std::to_string(exponent),
        with_shapes(line, [=](char letter) { return shape_text(letter, exponent); }) +
            " @device=cuda"};
    if (made.name.find(filter) != std::string::npos) cases.push_back(std::move(made));
  };
  for (const CaseRow& row : kRows) add(row.group, row.line);
  for (std::size_t i = 0; i < kPairDTypes.size(); ++i)
    for (std::size_t j = i; j < kPairDTypes.size(); ++j)
      add("pair", "add.Tensor(" + std::string(name(kPairDTypes[i])) + "N, " +
                      std::string(name(kPairDTypes[j])) + "N)");
  return cases;
}

}  // namespace upcast::bench
