// Models of LibTorch's activations where they are wrong. LibTorch evaluates the textbook formula in
// the compute dtype. Then terms cancel, 0 * inf and inf / inf give NaN, and an intermediate value
// that overflows stays infinite.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/core/element.h"
#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/known/known_models.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_values.h"

namespace upcast::models {
namespace {

/// How one of LibTorch's paths evaluates a formula. The default values are those of its scalar
/// code, without contraction.
struct Path {
  bool vector = false;  // whether NaN is treated as by the vector body
  // How often a * b + c * d is rounded: 0: three times; 1: FMA with a * b; 2: with c * d.
  int sum = 0;
  int last_sum = 0;         // how often the formula's last sum is rounded, as `sum`
  int exp_step = 0;         // by how many steps exp is off: the vector library errs by up to an ulp
  int function_step = 0;    // by how many steps erf or tanh is off
  bool five_terms = false;  // whether erf of float32 is erf_of_five_terms
};

template <class T>
T stepped(T value, int steps) {
  if (steps == 0) return value;
  return std::nextafter(value, std::copysign(std::numeric_limits<T>::infinity(), T(steps)));
}

/// What all formulas of one call need: the case, its common dtype, the path, the parameters.
struct Setting {
  const Case& c;
  DType common;
  Path path{};

  template <class T>
  T exp(T x) const {
    return stepped(std::exp(x), path.exp_step);
  }
  template <class T>
  T tanh(T x) const {
    return stepped(std::tanh(x), path.function_step);
  }
  template <class T>
  T erf(T x) const {
    if constexpr (sizeof(T) == 4)
      if (path.five_terms) return stepped(erf_of_five_terms(x), path.function_step);
    return stepped(std::erf(x), path.function_step);
  }
  /// Computes a * b + c * d, rounded as the path rounds its sums.
  template <class T>
  T sum(T a, T b, T c_, T d) const {
    return contracted(path.sum, a, b, c_, d);
  }
  template <class T>
  T last_sum(T a, T b, T c_, T d) const {
    return contracted(path.last_sum, a, b, c_, d);
  }
  template <class T>
  static T contracted(int how, T a, T b, T c_, T d) {
    if (how == 1) return std::fma(a, b, c_ * d);
    return how == 2 ? std::fma(c_, d, a * b) : a * b + c_ * d;
  }

  /// The number that the call gives for a parameter; `otherwise` if it gives none, or None.
  double number(std::string_view parameter, double otherwise) const {
    const int at = c.schema().find(parameter);
    if (at < 0 || c.arguments[at].tag != Operand::Tag::kNumber) return otherwise;
    return number_to<double>(c.arguments[at].number);
  }
  bool is_text(std::string_view parameter, std::string_view text) const {
    const int at = c.schema().find(parameter);
    return at >= 0 && c.arguments[at].tag == Operand::Tag::kText && c.arguments[at].text == text;
  }
  /// Rounds a value that ATen computes in the common dtype and not in the compute dtype.
  template <class T>
  T step(T value) const {
    if (common == DType::kFloat16) return static_cast<float>(Half(static_cast<double>(value)));
    if (common == DType::kBFloat16) return static_cast<float>(BFloat16(static_cast<double>(value)));
    return value;
  }
};

constexpr double kSqrtHalf = 0.70710678118654752440;
constexpr double kSqrtTwoOverPi = 0.79788456080286535588;
constexpr double kInverseSqrtTwoPi = 0.39894228040143267794;
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

template <class T>
T gelu(const Setting& s, T x) {
  return x * T(0.5) * (1 + s.erf(x * T(kSqrtHalf)));
}

template <class T>
T gelu_tanh(const Setting& s, T x) {
  const T inner = T(kSqrtTwoOverPi) * s.sum(x, T(1), T(0.044715), x * x * x);
  return T(0.5) * x * (1 + s.tanh(inner));
}

constexpr auto kLogit = []<class T>(const Setting& s, T, T x) -> T {
  const T low = s.step(T(s.number("eps", -1)));
  if (low >= 0) {  // -0 too
    const T high = s.step(1 - low);
    x = x < low ? low : x > high ? high : x;
  }
  return std::log(s.step(x / s.step(1 - x)));
};

template <class T>
T elu_of(T x, double alpha, double scale, double input_scale) {
  return x < 0 ? std::expm1(x * T(input_scale)) * (T(alpha) * T(scale)) : x * T(scale);
}
constexpr auto kElu = []<class T>(const Setting& s, T, T x) -> T {
  return elu_of(x, s.number("alpha", 1), s.number("scale", 1), s.number("input_scale", 1));
};
constexpr auto kCelu = []<class T>(const Setting& s, T, T x) -> T {
  const double alpha = s.number("alpha", 1);
  return elu_of(x, alpha, 1, 1 / alpha);
};
constexpr auto kSelu = []<class T>(const Setting&, T, T x) -> T {
  return elu_of(x, 1.6732632423543772848, 1.0507009873554804934, 1);
};

constexpr auto kSoftplus = []<class T>(const Setting& s, T, T x) -> T {
  const T scaled = x * T(s.number("beta", 1));
  return scaled > T(s.number("threshold", 20))
             ? x
             : std::log1p(std::exp(scaled)) / T(s.number("beta", 1));
};

constexpr auto kSinc = []<class T>(const Setting&, T, T x) -> T {
  const T scaled = T(3.14159265358979323846) * x;
  return x == 0 ? T(1) : std::sin(scaled) / scaled;
};

constexpr auto kGelu = []<class T>(const Setting& s, T, T x) -> T {
  return s.is_text("approximate", "tanh") ? gelu_tanh(s, x) : gelu(s, x);
};
constexpr auto kSigmoid = []<class T>(const Setting&, T, T x) -> T {
  return 1 / (1 + std::exp(-x));
};
constexpr auto kSilu = []<class T>(const Setting& s, T, T x) -> T { return x / (1 + s.exp(-x)); };
constexpr auto kMish = []<class T>(const Setting& s, T, T x) -> T {
  return x * s.tanh(std::log1p(s.exp(x)));
};
constexpr auto kHardswish = []<class T>(const Setting&, T, T x) -> T {
  return x * std::min(std::max(x + 3, T(0)), T(6)) / 6;
};

template <class T>
T gelu_backward(const Setting& s, T grad, T x) {
  const T twice_cdf = 1 + s.erf(x * T(kSqrtHalf));
  const T pdf = T(kInverseSqrtTwoPi) * s.exp(x * x * T(-0.5));
  return grad * s.last_sum(T(0.5), twice_cdf, x, pdf);
}

template <class T>
T gelu_tanh_backward(const Setting& s, T grad, T x) {
  const T slope = T(kSqrtTwoOverPi);
  const T square = x * x;
  const T t = s.tanh(slope * s.sum(x, T(1), T(0.044715), square * x));
  const T outer = T(0.5) * x * s.sum(T(1), T(1), -t, t);
  const T inner = slope * s.sum(T(1), T(1), 3 * T(0.044715), square);
  return grad * s.last_sum(T(0.5), 1 + t, outer, inner);
}

/// elu_backward: where x is NaN, a vector body returns NaN, and the scalar tail does not.
constexpr auto kEluBackward = []<class T>(const Setting& s, T grad, T x) -> T {
  const T positive = T(s.number("scale", 1));
  const T negative = T(s.number("alpha", 1)) * positive;
  const T input = T(s.number("input_scale", 1));
  if (std::isnan(x) ? !s.path.vector : x > 0) return grad * positive;
  if (s.number("is_result", 0) != 0) return grad * input * (x + negative);
  return grad * input * negative * std::exp(x * input);
};

constexpr auto kSoftplusBackward = []<class T>(const Setting& s, T grad, T x) -> T {
  const T z = std::exp(x * T(s.number("beta", 1)));
  return x * T(s.number("beta", 1)) > T(s.number("threshold", 20)) ? grad : grad * z / (z + 1);
};

constexpr auto kHardswishBackward = []<class T>(const Setting& s, T grad, T x) -> T {
  if (std::isnan(x)) return s.path.vector ? x : grad;
  return x <= -3 ? T(0) : x < 3 ? grad * (x / 3 + T(0.5)) : grad;
};

constexpr auto kLogitBackward = []<class T>(const Setting& s, T grad, T x) -> T {
  const T eps = s.step(T(s.number("eps", -1)));
  const T low = eps < 0 ? T(0) : eps;
  if (x < low || x > 1 - low) return eps < 0 ? T(kNaN) : T(0);
  if (std::isnan(x)) return s.path.vector && eps >= 0 ? T(0) : x;
  if (!s.path.vector && (x == 0 || x == 1)) return grad * std::numeric_limits<T>::infinity();
  return s.step(grad / s.step(x * s.step(1 - x)));
};

constexpr auto kSigmoidBackward = []<class T>(const Setting& s, T grad, T y) -> T {
  if (s.common != DType::kFloat16) return grad * (1 - y) * y;
  return s.step(s.step(grad * s.step(1 - y)) * y);
};

constexpr auto kSiluBackward = []<class T>(const Setting& s, T grad, T x) -> T {
  const T sigmoid = 1 / (1 + s.exp(-x));
  return grad * sigmoid * s.sum(T(1), T(1), x, 1 - sigmoid);
};

constexpr auto kMishBackward = []<class T>(const Setting& s, T grad, T x) -> T {
  const T sigmoid = 1 / (1 + s.exp(-x));
  const T t = s.tanh(std::log1p(s.exp(x)));
  return grad * s.sum(t, T(1), x * sigmoid, s.sum(T(1), T(1), -t, t));
};

constexpr auto kGeluBackward = []<class T>(const Setting& s, T grad, T x) -> T {
  return s.is_text("approximate", "tanh") ? gelu_tanh_backward(s, grad, x)
                                          : gelu_backward(s, grad, x);
};
constexpr auto kTanhBackward = []<class T>(const Setting&, T grad, T y) -> T {
  return grad * (1 - y * y);
};
constexpr auto kHardsigmoidBackward = []<class T>(const Setting&, T grad, T x) -> T {
  return x > -3 && x < 3 ? grad * T(1.0F / 6) : T(0);
};

/// Gives a forward formula the signature of a backward one. The gradient is ignored.
template <class T>
using Formula = T (*)(const Setting& s, T grad, T x);

/// Rounds results to the common dtype, and makes an answer of them in the dtype of the right
/// answer.
template <class T>
Answer as_answer(const Setting& s, const Answer& right, const std::vector<T>& results) {
  constexpr DType kCompute = sizeof(T) == 8 ? DType::kFloat64 : DType::kFloat32;
  return with_values(right, s.common, cast(kCompute, bytes_of(results), s.common));
}

/// The operands of a formula, with one element for each element of the result.
template <class T>
struct Operands {
  Operands(const Setting& s, const Dims& shape) {
    constexpr DType kCompute = sizeof(T) == 8 ? DType::kFloat64 : DType::kFloat32;
    const int position = std::max({s.c.schema().find("self"), s.c.schema().find("output"),
                                   s.c.schema().find("self_or_result")});
    self = loop_values<T>(s.c, position, shape, s.common, kCompute);
    const bool backward = !s.c.op->spec->operands[1].empty();
    grad = backward ? loop_values<T>(s.c, 0, shape, s.common, kCompute) : self;
  }
  std::vector<T> self, grad;
};

template <class T>
Answer evaluate(Setting s, Formula<T> formula, const Answer& right) {
  const Operands<T> operands(s, right.sizes);
  std::vector<T> results(operands.self.size());
  const std::vector<bool> vector = in_vector_body(s.c, s.common, results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    s.path.vector = vector[i];
    results[i] = formula(s, operands.grad[i], operands.self[i]);
  }
  return as_answer(s, right, results);
}

std::vector<Path> vector_paths() {
  std::vector<Path> paths;
  for (const bool vector : {false, true})
    for (const int sum : {0, 1, 2, 3, 4, 5, 6, 7, 8})
      for (const int exp_step : {0, -1, 1})
        for (const int function_step : {0, -1, 1})
          for (const bool five_terms : {false, true})
            paths.push_back({vector, sum / 3, sum % 3, exp_step, function_step, five_terms});
  return paths;
}

/// The number of steps between two values. All NaNs count as one value. Zeros of two signs are
/// apart, by less than a step.
template <class T>
T distance(T a, T b) {
  if (std::isnan(a) && std::isnan(b)) return 0;
  if (a == b) return std::signbit(a) == std::signbit(b) ? T(0) : std::numeric_limits<T>::min();
  const T apart = std::abs(a - b);
  return std::isnan(apart) ? std::numeric_limits<T>::infinity() : apart;
}

template <class T>
Answer nearest(Setting s, Formula<T> formula, const Answer& right, const Answer& answer) {
  constexpr DType kCompute = sizeof(T) == 8 ? DType::kFloat64 : DType::kFloat32;
  const Operands<T> operands(s, right.sizes);
  std::vector<T> results = elements<T>(right.dtype, right.bytes, kCompute);
  const std::vector<T> given = elements<T>(answer.dtype, answer.bytes, kCompute);
  const std::vector<Path> paths = vector_paths();
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (distance(results[i], given[i]) == 0) continue;
    for (const Path& path : paths) {
      s.path = path;
      const T result = formula(s, operands.grad[i], operands.self[i]);
      if (distance(result, given[i]) < distance(results[i], given[i])) results[i] = result;
    }
  }
  return as_answer(s, right, results);
}

/// The product of two integers, which wraps.
std::optional<Answer> whole_product(const Case& c) {
  for (int i = 0; i < 2; ++i)
    if (!is_integral(dtype_of(c.arguments[i])) && !is_bool(dtype_of(c.arguments[i])))
      return std::nullopt;
  Case product = c;
  set_callable(product, "mul.Tensor");
  product.arguments = {c.arguments[0], c.arguments[1]};
  product.out = {};
  return ours_of(product);
}

/// native_dropout_backward of float16 and bfloat16. ATen multiplies by a mask of one element and by
/// the scale in float32, without rounding them first (as second_element_unrounded).
std::optional<Answer> dropout_with_unrounded_factors(const Case& c, const Answer& right) {
  if (!kReducedFloats.contains(right.dtype)) return std::nullopt;
  const Setting s{c, right.dtype};
  const auto factors = [&](int position, DType dtype) {
    return loop_values<float>(c, position, right.sizes, dtype, DType::kFloat32);
  };
  const bool one_mask = seen_values(c, 1).size() == std::size_t(itemsize(dtype_of(c.arguments[1])));
  std::vector<float> results = factors(0, right.dtype);
  const std::vector<float> mask = factors(1, one_mask ? DType::kFloat32 : right.dtype);
  if (mask.size() != results.size()) return std::nullopt;
  for (std::size_t i = 0; i < results.size(); ++i) results[i] = s.step(results[i] * mask[i]);
  if (const auto whole = whole_product(c))
    results =
        elements<float>(right.dtype, cast_through_float32(whole->dtype, whole->bytes, right.dtype),
                        DType::kFloat32);
  if (results.size() * std::size_t(itemsize(right.dtype)) != right.bytes.size())
    return std::nullopt;
  const auto scale = static_cast<float>(s.number("scale", 1));
  for (float& result : results) result *= scale;
  Answer wrong = right;
  cast_elements(DType::kFloat32, reinterpret_cast<const std::byte*>(results.data()), right.dtype,
                wrong.bytes.data(), static_cast<std::int64_t>(results.size()));
  return wrong;
}

/// A model of an activation's scalar formula, for real dtypes. For complex ones, silu has the model
/// complex_formula.
template <auto kFormula>
std::optional<Answer> formula(const Case& c, const Answer& right) {
  const auto common = common_among(c, kFloats);
  if (!common) return std::nullopt;
  const Setting setting{c, *common};
  return setting.common == DType::kFloat64 ? evaluate<double>(setting, kFormula, right)
                                           : evaluate<float>(setting, kFormula, right);
}

template <auto kFormula>
std::optional<Answer> real_or_complex(const Case& c, const Answer& right) {
  const auto real = formula<kFormula>(c, right);
  return real ? real : complex_formula(c, right);
}

/// A model of LibTorch's vector paths. They contract into FMA, and their exp, erf or tanh is off by
/// an ulp. They compute erf of float32 by erf_of_five_terms. NaN is treated as in the vector body
/// or as in the scalar tail.
template <auto kFormula>
std::optional<Answer> on_a_vector_path(const Case& c, const Answer& right, const Answer& answer) {
  const auto common = common_among(c, kFloats);
  if (!common) return std::nullopt;
  const Setting setting{c, *common};
  return setting.common == DType::kFloat64 ? nearest<double>(setting, kFormula, right, answer)
                                           : nearest<float>(setting, kFormula, right, answer);
}

}  // namespace

ModelRows activation_models() {
  return {
      {"activation_formula", {"gelu"}, formula<kGelu>},
      {"activation_formula", {"softplus"}, formula<kSoftplus>},
      {"activation_formula", {"sinc"}, formula<kSinc>},
      {"activation_formula", {"sigmoid"}, formula<kSigmoid>},
      {"activation_formula", {"mish"}, formula<kMish>},
      {"activation_formula", {"hardswish"}, formula<kHardswish>},
      {"activation_formula", {"elu"}, formula<kElu>},
      {"activation_formula", {"celu"}, formula<kCelu>},
      {"activation_formula", {"selu"}, formula<kSelu>},
      {"activation_formula", {"logit"}, formula<kLogit>},
      {"activation_formula", {"silu"}, real_or_complex<kSilu>},
      {"activation_formula", {"sigmoid_backward"}, formula<kSigmoidBackward>},
      {"activation_formula", {"tanh_backward"}, formula<kTanhBackward>},
      {"activation_formula", {"mish_backward"}, formula<kMishBackward>},
      {"activation_formula",
       {"logit_backward"},
       formula<kLogitBackward>,
       on_a_vector_path<kLogitBackward>},
      {"activation_formula",
       {"elu_backward"},
       formula<kEluBackward>,
       on_a_vector_path<kEluBackward>},
      {"activation_formula", {"softplus_backward"}, formula<kSoftplusBackward>},
      {"activation_formula", {"hardsigmoid_backward"}, formula<kHardsigmoidBackward>},
      {"activation_formula",
       {"hardswish_backward"},
       formula<kHardswishBackward>,
       on_a_vector_path<kHardswishBackward>},
      {"activation_formula", {"gelu_backward"}, formula<kGeluBackward>},
      {"activation_formula", {"silu_backward"}, real_or_complex<kSiluBackward>},
      {"activation_on_a_vector_path", {"gelu"}, on_a_vector_path<kGelu>},
      {"activation_on_a_vector_path", {"mish"}, on_a_vector_path<kMish>},
      {"activation_on_a_vector_path", {"gelu_backward"}, on_a_vector_path<kGeluBackward>},
      {"activation_on_a_vector_path", {"mish_backward"}, on_a_vector_path<kMishBackward>},
      {"activation_on_a_vector_path", {"hardswish_backward"}, on_a_vector_path<kHardswishBackward>},
      {"activation_on_a_vector_path", {"logit_backward"}, on_a_vector_path<kLogitBackward>},
      {"activation_on_a_vector_path", {"silu_backward"}, on_a_vector_path<kSiluBackward>},
      {"one_element_unrounded", {"native_dropout_backward"}, dropout_with_unrounded_factors},
  };
}

}  // namespace upcast::models
