// Models of oneDNN where its answers are worse than LibTorch's own. LibTorch asks oneDNN first if
// onednn=on.
#include <cfloat>
#include <cmath>
#include <cstring>

#include "oracle/known/known_models.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_values.h"

namespace upcast::models {
namespace {

/// The largest absolute error of oneDNN's distribution function, measured over 2^24 values. With
/// AVX-512 oneDNN evaluates a table of polynomials, with AVX2 an erf of five terms.
constexpr double kErrorOfCdf = 0x1p-21;

/// How far oneDNN's results of a dtype may be off besides the error of the distribution function.
struct Range {
  double rounding;  // as a part of the value
  double step;      // absolute, where the dtype has no smaller numbers
  double flushed;   // below it a result may be 0
  double overflow;  // above it a result may be infinite
};

/// oneDNN computes in float32. It flushes what is subnormal there, and doubles the largest numbers
/// before it halves them. It keeps subnormal numbers of float16: the gradient and the result are
/// each rounded to a multiple of 2^-24.
Range range_of(DType dtype) {
  switch (dtype) {
    case DType::kBFloat16:
      return {0x1p-7, 0, FLT_MIN, FLT_MAX / 4};
    case DType::kFloat16:
      return {0x1p-10, 0x1p-23, 0, 65472};
    default:
      return {0x1p-22, 0, FLT_MIN, FLT_MAX / 4};
  }
}

/// Whether oneDNN may have given this value. gelu is x times a distribution function, and its
/// gradient is grad times such a function, so that an error of the function is an error of the
/// product. An infinity times 0 is NaN.
bool may_be_onednns(const Range& range, double x, double factor, double right, double given) {
  const bool overflows = std::isinf(factor) || std::abs(right) > range.overflow;
  if (std::isinf(given))
    return overflows && !std::isnan(right) && std::signbit(given) == std::signbit(right);
  if (std::isinf(x) || std::isinf(factor)) return std::isnan(given);
  if (given == 0 && std::abs(right) < range.flushed) return true;
  return std::abs(given - right) <=
         kErrorOfCdf * std::abs(factor) + range.rounding * std::abs(right) + range.step;
}

/// gelu and gelu_backward of float32, bfloat16 and float16, in the variant with erf. LibTorch gives
/// a tensor of several elements to oneDNN, one of float16 only if the processor has avx512_fp16.
/// The gradient is converted to the dtype of self, in which oneDNN answers.
std::optional<Answer> gelu_of_onednn(const Case& c, const Answer& right, const Answer& answer) {
  const auto common = common_among(c, {DType::kFloat32, DType::kBFloat16, DType::kFloat16});
  const int approximate = c.schema().find("approximate");
  if (!common || !is_floating(right.dtype) || c.arguments[approximate].text == "tanh")
    return std::nullopt;
  const DType self = c.arguments[std::max(0, c.schema().find("self"))].dtype;
  const auto operand = [&](std::string_view name) {
    // The factor is the operand with this name. An op without one, as gelu, has it in argument 0,
    // x.
    const int position = std::max(0, c.schema().find(name));
    return loop_values<float>(c, position, right.sizes, self, DType::kFloat32);
  };
  const std::vector<float> x = operand("self");
  const std::vector<float> factor = operand("grad_output");
  const auto rights = elements<double>(right.dtype, right.bytes, DType::kFloat64);
  const auto given = elements<double>(answer.dtype, answer.bytes, DType::kFloat64);
  const Range range = range_of(self);
  Answer nearest = right;
  const auto size = static_cast<std::size_t>(itemsize(right.dtype));
  for (std::size_t i = 0; i < rights.size(); ++i)
    if (may_be_onednns(range, x[i], factor[i], rights[i], given[i]))
      std::memcpy(nearest.bytes.data() + i * size, answer.bytes.data() + i * size, size);
  return nearest;
}

}  // namespace

ModelRows onednn_models() {
  return {{"gelu_of_onednn", {"gelu", "gelu_backward"}, gelu_of_onednn}};
}

}  // namespace upcast::models
