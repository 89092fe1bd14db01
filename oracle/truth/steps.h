// What a formula may lose if each of its steps is rounded. The method is running error analysis: N.
// Higham, "Accuracy and Stability of Numerical Algorithms", 2002, 3.3.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "impl/core/error.h"
#include "impl/ops/number_cast.h"
#include "oracle/truth/definition.h"
#include "oracle/ulp.h"

namespace upcast::truth {

/// An intermediate number of a formula that an implementation computes in `compute`. It knows how
/// far that number may lie from the exact one, before the step's own rounding and after it.
class Steps {
 public:
  Steps() = default;
  Steps(double exact, DType compute) : value_(exact), compute_(compute) {}

  /// The error that the number inherits from the operands of its last step; infinite if one of them
  /// may overflow.
  double inherited() const { return inherited_; }

  friend Steps operator-(Steps a) {
    a.value_ = -a.value_;
    return a;
  }
  friend Steps operator+(const Steps& a, const Steps& b) {
    if (is_special(a, b)) return special(a.value_ + b.value_, a, b);
    // Two infinities of unlike signs would give NaN.
    const bool cancel = a.overflows_ && b.overflows_ && (a.value_ < 0) != (b.value_ < 0);
    return rounded(a.value_ + b.value_, cancel ? kLost : a.exact_error() + b.exact_error(), a, b);
  }
  friend Steps operator-(const Steps& a, const Steps& b) { return a + -b; }
  friend Steps operator*(const Steps& a, const Steps& b) {
    if (is_special(a, b)) {
      Steps product = special(a.value_ * b.value_, a, b);
      // The other factor of an infinity may be 0 after its steps, which would give NaN.
      if ((std::isinf(a.value_) && b.may_be_zero()) || (std::isinf(b.value_) && a.may_be_zero()))
        product.inherited_ = product.error_ = kLost;
      return product;
    }
    const double of_a = a.exact_error(), of_b = b.exact_error();
    double error = std::abs(a.value_) * of_b + std::abs(b.value_) * of_a + of_a * of_b;
    const double value = a.value_ * b.value_;
    if (value == 0 && a.value_ != 0 && b.value_ != 0) error += kLeast;  // float64 underflows
    Steps product = rounded(value, error, a, b);
    // A product with 0, 1 or -1 is not rounded.
    if ((a.is_trivial() || b.is_trivial()) && !product.overflows_)
      product.error_ = product.inherited_;
    return product;
  }
  friend Steps operator/(const Steps& a, const Steps& b) {
    const double quotient = a.value_ / b.value_;
    if (is_special(a, b) || (b.value_ == 0 && b.error_ == 0)) return special(quotient, a, b);
    const double divisor = std::abs(b.value_) - b.error_;
    double error = (a.exact_error() + std::abs(quotient) * b.error_) / divisor;
    if (quotient == 0 && a.value_ != 0) error += kLeast;  // float64 underflows
    return rounded(quotient, divisor > 0 ? error : kLost, a, b);
  }
  friend Steps operator+(const Steps& a, double b) { return a + Steps(b, a.compute_); }
  friend Steps operator-(const Steps& a, double b) { return a - Steps(b, a.compute_); }
  friend Steps operator-(double a, const Steps& b) { return Steps(a, b.compute_) - b; }
  friend Steps operator*(const Steps& a, double b) { return a * Steps(b, a.compute_); }
  friend Steps operator*(double a, const Steps& b) { return Steps(a, b.compute_) * b; }
  friend Steps operator/(const Steps& a, double b) { return a / Steps(b, a.compute_); }
  friend Steps operator/(double a, const Steps& b) { return Steps(a, b.compute_) / b; }

  friend Steps exp(const Steps& a) {
    const double value = std::exp(a.value_);
    if (!std::isfinite(a.value_)) return special(value, a, a);
    return function(value, value * std::expm1(a.error_), a);
  }
  friend Steps log(const Steps& a) {
    const double value = std::log(a.value_);
    if (!std::isfinite(value) || (a.error_ == 0 && a.value_ == 1)) return special(value, a, a);
    const double least = a.value_ - a.error_;
    return function(value, least > 0 ? a.error_ / least : kLost, a);
  }

  friend bool is_positive(const Steps& x) { return x.value_ > 0; }

 private:
  /// Whether an operand is an infinity or NaN. Such a step loses nothing, unless the operand came
  /// from an overflow.
  static bool is_special(const Steps& a, const Steps& b) {
    return !std::isfinite(a.value_) || !std::isfinite(b.value_);
  }
  static Steps special(double value, const Steps& a, const Steps& b) {
    Steps step(value, a.compute_);
    const bool overflows = std::isinf(a.error_) || std::isinf(b.error_);
    step.inherited_ = step.error_ = overflows ? kLost : 0;
    return step;
  }
  /// The result of a step that takes `a` and `b`, with the error that it inherits from them. Where
  /// one of them overflows for sure, an implementation may fuse that step with this one and round
  /// the exact value once; others go on with an infinity. All agree if this step overflows for sure
  /// too. Otherwise everything is lost.
  static Steps rounded(double value, double inherited, const Steps& a, const Steps& b) {
    Steps step(value, a.compute_);
    step.inherited_ = step.error_ = std::isnan(inherited) ? kLost : inherited;
    const double largest = largest_finite(a.compute_);
    const double size = std::abs(value) + step.inherited_;
    if (size > largest) {
      // A further step may not take a number that may overflow. The last step may: its exact value
      // is known, and is rounded to an infinity.
      step.error_ = kLost;
      step.overflows_ = std::abs(value) - step.inherited_ > largest + ulp_of(a.compute_, largest);
    } else if (size != 0) {
      step.error_ += std::max(ulp_of(a.compute_, size) / 2, kLeast);
    }
    if ((a.overflows_ || b.overflows_) && !step.overflows_) step.inherited_ = step.error_ = kLost;
    return step;
  }
  /// How far the number before its own rounding may lie from the exact one, if that rounding makes
  /// it infinite for sure. Otherwise how far the rounded one may lie.
  double exact_error() const { return overflows_ ? inherited_ : error_; }
  /// The result of a library's function, which errs in addition to its rounding (MKL's functions:
  /// by 2 ulp at most).
  static Steps function(double value, double inherited, const Steps& like) {
    constexpr double kFunctionUlp = 2;
    const double own = value == 0 ? kLeast : kFunctionUlp * ulp_of(like.compute_, value);
    return rounded(value, inherited + own, like, like);
  }
  bool may_be_zero() const { return error_ != 0 && std::abs(value_) <= error_; }
  bool is_trivial() const { return error_ == 0 && (value_ == 0 || std::abs(value_) == 1); }

  static constexpr double kLeast = std::numeric_limits<double>::denorm_min();
  static constexpr double kLost = std::numeric_limits<double>::infinity();

  double value_ = 0;
  double inherited_ = 0, error_ = 0;
  bool overflows_ = false;  // whether the number is an infinity for sure, after its rounding
  DType compute_ = DType::kFloat64;
};

/// What a formula may lose. F is a template over the type of its arguments. The loss is doubled,
/// because an implementation may take the terms in another order and lose a little more.
template <class F>
double lost_by_steps(std::span<const double> x, DType compute) {
  constexpr double kOtherOrders = 2;
  constexpr std::size_t kMostArguments = 8;
  check(x.size() <= kMostArguments, "a formula has few arguments");
  // The arguments are in an array, because allocating a vector would take longer than the formula.
  std::array<Steps, kMostArguments> exact;
  for (std::size_t i = 0; i < x.size(); ++i) exact[i] = Steps(x[i], compute);
  return kOtherOrders * F{}(std::span<const Steps>(exact.data(), x.size())).inherited();
}

/// Makes a row from a formula of several steps, each of which an implementation rounds.
template <class F>
constexpr Definition stepwise_formula(std::string_view op, std::string_view source, F f,
                                      SpecialFunction special = nullptr,
                                      AttributesFunction attributes = nullptr) {
  Definition row = formula(op, source, f, special, attributes);
  row.steps = lost_by_steps<F>;
  return row;
}

}  // namespace upcast::truth
