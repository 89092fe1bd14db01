#include "bench/row_lines.h"

#include <array>

namespace upcast::bench {
namespace {

constexpr FamilyLine kFamilies[] = {
    {"arithmetic", "add.Tensor(DN, DN)"},
    {"comparison", "lt.Tensor(DN, DN)"},
    {"classification", "isnan(DN)"},
    {"logical", "logical_and(DN, DN)"},
    {"bitwise", "bitwise_and.Tensor(DN, DN)", DType::kInt32},
    {"parts", "conj_physical(DN)", DType::kComplex64},
    {"rounding", "floor(DN)"},
    {"powers", "pow.Tensor_Tensor(DN, DN)"},
    {"scaling", "ldexp.Tensor(DN, int32N)"},
    {"exponential", "exp(DN)"},
    {"trigonometric", "sin(DN)"},
    {"hyperbolic", "tanh(DN)"},
    {"special", "erf(DN)"},
    {"gamma", "lgamma(DN)"},
    {"bessel", "special_bessel_j0(DN)"},
    {"selection", "where.self(boolN, DN, DN)"},
    {"clamp", "clamp(DN, 0.25, 0.75)"},
    {"interpolation", "lerp.Tensor(DN, DN, DN)"},
    {"losses", "huber_loss(DN, DN, 0)"},
    {"copies", "clone(DN)"},
    {"activation", "gelu(DN)"},
    {"activation_backward", "tanh_backward(DN, DN)"},
    {"piecewise_activation", "relu(DN)"},
    {"orthogonal_polynomial", "special_chebyshev_polynomial_t(DN, DN)"},
};

constexpr std::array kPairDTypes{DType::kBool,    DType::kUInt8,     DType::kInt8,
                                 DType::kInt16,   DType::kInt32,     DType::kInt64,
                                 DType::kFloat16, DType::kBFloat16,  DType::kFloat32,
                                 DType::kFloat64, DType::kComplex64, DType::kComplex128};

/// Whether a letter can be the last one of a dtype's name, or D, which stands for a dtype.
bool ends_a_dtype(char before) {
  return (before >= '0' && before <= '9') || before == 'l' || before == 'D';
}

/// The line, with each shape letter after a dtype replaced by what `shape` gives for the letter.
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

std::string shape_text(char letter, std::int64_t side) {
  const std::int64_t elements = side * side;
  const std::string n = std::to_string(side);
  switch (letter) {
    case 'N':
      return "[" + std::to_string(elements) + "]";
    case 'H':
      return "[" + std::to_string(elements / 2) + "]";
    case 'S':
      return "[" + n + "," + n + "]";
    case 'R':
      return "[" + n + "]";
    case 'C':
      return "[" + n + ",1]";
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

/// The line with D replaced by a dtype's name. Call it after with_shapes(), because the name may
/// end with any letter.
std::string with_dtype(std::string_view line, DType dtype) {
  std::string text;
  for (const char letter : line)
    text += letter == 'D' ? std::string(name(dtype)) : std::string(1, letter);
  return text;
}

}  // namespace

std::span<const FamilyLine> family_lines() { return kFamilies; }

std::vector<std::string> pair_lines() {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < kPairDTypes.size(); ++i)
    for (std::size_t j = i; j < kPairDTypes.size(); ++j)
      lines.push_back("add.Tensor(" + std::string(name(kPairDTypes[i])) + "N, " +
                      std::string(name(kPairDTypes[j])) + "N)");
  return lines;
}

std::string with_sizes(std::string_view line, std::int64_t side, DType dtype) {
  return with_dtype(with_shapes(line, [side](char letter) { return shape_text(letter, side); }),
                    dtype);
}

std::string without_sizes(std::string_view line, DType dtype) {
  return with_dtype(with_shapes(line, shape_name), dtype);
}

}  // namespace upcast::bench
