#include "oracle/truth/whole_compositions.h"

#include <cmath>
#include <complex>
#include <limits>
#include <optional>
#include <vector>

#include "impl/core/cast.h"
#include "impl/ops/number_cast.h"
#include "impl/promotion/result_type.h"
#include "oracle/case_call.h"
#include "oracle/truth/definition_rows.h"
#include "oracle/truth/evaluate.h"
#include "oracle/truth/rounding.h"
#include "oracle/truth/steps.h"
#include "oracle/truth/wide.h"

namespace upcast::truth {
namespace {

/// poisson_nll_loss as one formula. x holds input, target, log_input, full and eps. If `full` is
/// set, Stirling's term is added where the target is above 1.
struct PoissonNllLoss {
  template <class T>
  T operator()(std::span<const T> x) const {
    constexpr double kTwoPi = 6.283185307179586476925286766559;
    const T &input = x[0], &target = x[1];
    const T loss =
        is_positive(x[2]) ? exp(input) - target * input : input - target * log(input + x[4]);
    if (!is_positive(x[3]) || !is_positive(target - 1.0)) return loss;
    return loss + ((target * log(target) - target) + 0.5 * log(kTwoPi * target));
  }
};

/// The loss in float64 for operands that are not finite, or that have no finite logarithm.
Special poisson_special(Doubles x) {
  const bool is_finite = std::isfinite(x[0]) && std::isfinite(x[1]);
  if (is_finite && (x[2] > 0 || x[0] + x[4] > 0)) return std::nullopt;
  const double value = PoissonNllLoss{}(x);
  return std::isnan(value) ? kNaN : value;
}

std::vector<double> poisson_attributes(const Call& call, DType common) {
  const auto flag = [&call](std::string_view name, bool otherwise) {
    return number_to<bool>(call.number(name, otherwise)) ? 1.0 : 0.0;
  };
  return {flag("log_input", true), flag("full", false),
          in_compute_dtype(call.number("eps", 1e-8), common)};
}

/// The imaginary part of the loss for a complex target and a real input. The loss is linear in the
/// target.
struct PoissonNllLossAcross {
  template <class T>
  T operator()(std::span<const T> x) const {
    const T &input = x[0], &target = x[1];
    return 0.0 - target * (is_positive(x[2]) ? input : log(input + x[4]));
  }
};

/// The definitions of a composition's value, and of its imaginary part.
struct Whole {
  Definition real, imaginary;
};

constexpr Whole kWholes[] = {
    {stepwise_formula("poisson_nll_loss", "torch.nn.PoissonNLLLoss", PoissonNllLoss{},
                      poisson_special, poisson_attributes),
     stepwise_formula("poisson_nll_loss", "torch.nn.PoissonNLLLoss", PoissonNllLossAcross{})},
};

const Whole* find_whole(std::string_view op) {
  for (const Whole& row : kWholes)
    if (row.real.op == op) return &row;
  return nullptr;
}

/// Whether the op's functions take this operand in `dtype`: it has this dtype, or is an integer
/// that is converted to it.
bool enters_as(const Operand& operand, DType dtype, DType default_dtype) {
  if (operand.tag != Operand::Tag::kTensor || is_complex(operand.dtype)) return false;
  return is_floating(operand.dtype) ? operand.dtype == dtype : default_dtype == dtype;
}

/// Whether the product of two tensors of integers fits the dtype in which PyTorch multiplies them.
/// If it does not, no document says whether the formula is meant, or the product modulo 2^bits.
class IntegerProduct {
 public:
  IntegerProduct(const Tensor& a, const Tensor& b, Defaults defaults)
      : dtype_(result_type({a.dtype, a.kind()}, {b.dtype, b.kind()}, defaults).dtype()) {}
  bool holds(double a, double b) const {
    const Int exact = static_cast<Int>(a) * static_cast<Int>(b);
    return wrap(exact, dtype_) == exact;
  }

 private:
  DType dtype_;
};

/// The elements of an operand, broadcast and rounded as steps in `dtype` take them.
std::vector<std::complex<double>> rounded_values(const Case& c, int position, const Dims& shape,
                                                 DType dtype) {
  const DType own = dtype_of(c.arguments[position]), complex = to_complex(dtype);
  const std::vector<std::byte> elements = broadcast_values(c, position, shape);
  const std::int64_t count = static_cast<std::int64_t>(elements.size()) / itemsize(own);
  std::vector<std::byte> rounded(static_cast<std::size_t>(count * itemsize(complex)));
  cast_elements(own, elements.data(), complex, rounded.data(), count);
  std::vector<std::complex<double>> values(static_cast<std::size_t>(count));
  cast_elements(complex, rounded.data(), DType::kComplex128,
                reinterpret_cast<std::byte*>(values.data()), count);
  return values;
}

}  // namespace

bool evaluate_whole(const Case& c, Answer& answer) {
  const Whole* const whole = find_whole(c.op->spec->name);
  const DType dtype = to_real(answer.dtype);
  if (whole == nullptr || c.form != Form::kFunctional || !kFullFloats.contains(dtype)) return false;
  CaseCall maker;
  const Call& call = maker.make(c);
  const std::vector<double> attributes = whole->real.attributes(call, dtype);
  const Operand &input = c.operand(0), &target = c.operand(1);
  const bool full = attributes[1] != 0;
  // In target * input, an integer is converted to the other factor's dtype. Two integers are
  // multiplied as integers.
  const bool whole_factor = attributes[0] != 0 && !is_floating(input.dtype);
  if (!enters_as(input, dtype, c.defaults.floating) ||
      ((full || whole_factor) && !enters_as(target, dtype, c.defaults.floating)))
    return false;
  const auto inputs = rounded_values(c, 0, answer.sizes, dtype);
  const auto targets = rounded_values(c, 1, answer.sizes, dtype);
  if (inputs.size() != targets.size()) return false;
  std::optional<IntegerProduct> product;
  if (whole_factor && !is_floating(target.dtype))
    product.emplace(call.argument("input").tensor, call.argument("target").tensor, c.defaults);
  // An integer below this limit is exact in the dtype.
  const double too_large = 2 / ulp_of(dtype, 1);

  Evaluator real(whole->real, dtype), imaginary(whole->imaginary, dtype);
  std::vector<std::complex<double>> rounded;
  answer.leeway.clear();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    std::vector<double> x{inputs[i].real(), targets[i].real()};
    x.insert(x.end(), attributes.begin(), attributes.end());
    const Value along = real(x);
    bool is_decided = along.decided && (is_floating(input.dtype) || std::abs(x[0]) < too_large);
    if (is_decided && product)
      is_decided = std::abs(x[1]) < too_large && product->holds(x[0], x[1]);
    rounded.emplace_back(along.rounded, 0);
    double leeway = along.leeway;
    if (is_complex(answer.dtype)) {
      x[1] = targets[i].imag();
      const Value across = imaginary(x);
      // If one part is not finite, steps may carry it into the other part.
      is_decided = is_decided && across.decided && std::isfinite(along.rounded) &&
                   std::isfinite(across.rounded);
      rounded.back().imag(across.rounded);
      leeway = std::max(leeway, across.leeway);
      // A real factor that was made complex adds products of zeros, which may change the sign of a
      // zero.
      if (along.rounded == 0 || across.rounded == 0)
        leeway = std::max(leeway, std::numeric_limits<double>::denorm_min());
    }
    answer.leeway.push_back(is_decided ? leeway : kInf);
  }
  answer.rest.clear();
  cast_elements(DType::kComplex128, reinterpret_cast<const std::byte*>(rounded.data()),
                answer.dtype, answer.bytes.data(), static_cast<std::int64_t>(rounded.size()));
  return true;
}

}  // namespace upcast::truth
