// Elementary functions of float64 that need more than one rounding. They are computed in sums of
// two float64, to about 2^-62, and rounded once. So the error is at most 0.51 ulp (0.76 near the
// smallest normal number). The C library's functions are off by up to 1.3 ulp, a quotient of
// rounded exponentials by 1.7. Sources: DLMF 4.28, 4.37, as logarithms and exponentials whose terms
// have one sign.
#pragma once

#include <cmath>
#include <limits>

#include "impl/math/double_double_functions.h"

namespace upcast::precise {

namespace internal {

/// value * 2^exponent, rounded to a double. A subnormal result is rounded a second time.
UPCAST_HOST_DEVICE inline double rounded(ScaledDoubleDouble x) {
  return std::ldexp(static_cast<double>(x.value), x.exponent);
}

/// factor * value * 2^exponent, without overflow or underflow of an intermediate value. An infinity
/// or zero gets the sign of the product.
UPCAST_HOST_DEVICE inline double product(double factor, ScaledDoubleDouble x) {
  if (!std::isfinite(factor) || factor == 0 || x.value.hi == 0) return factor * x.value.hi;
  int exponent;
  const double mantissa = std::frexp(factor, &exponent);
  return rounded({DoubleDouble(mantissa) * x.value, x.exponent + exponent});
}

/// Below this limit an odd function equals the first term of its series, to 2^-62.
inline constexpr double kLinear = 0x1p-30;
/// Above this limit x^2 + 1 equals x^2, to 2^-62.
inline constexpr double kLarge = 0x1p31;
/// Factors below kTiny are first multiplied by kUp, so that the low halves of products do not
/// underflow.
inline constexpr double kTiny = 0x1p-800;
inline constexpr double kUp = 0x1p200, kDown = 0x1p-200;

/// log(1 + exp(t)) for t <= 0. For t below -40 it is exp(t) itself.
UPCAST_HOST_DEVICE inline ScaledDoubleDouble log1p_exp(DoubleDouble t) {
  ScaledDoubleDouble e = exp_scaled<Digits::k18>(t);
  if (t.hi < -40) return e;
  return {log1p<Digits::k18>(scaled(e.value, std::ldexp(1.0, e.exponent))), 0};
}

}  // namespace internal

UPCAST_HOST_DEVICE inline double sinh(double x) {
  const double a = std::abs(x);
  if (!(a >= internal::kLinear) || std::isinf(x)) return x;
  if (a >= 40) {
    ScaledDoubleDouble e = exp_scaled<Digits::k18>(a);
    --e.exponent;
    return std::copysign(internal::rounded(e), x);
  }
  const DoubleDouble growth = expm1<Digits::k18>(a);
  const DoubleDouble twice = growth + growth / (DoubleDouble(1) + growth);
  return std::copysign(0.5 * static_cast<double>(twice), x);
}

UPCAST_HOST_DEVICE inline double asinh(double x) {
  const double a = std::abs(x);
  if (!(a >= internal::kLinear) || std::isinf(x)) return x;
  if (a > internal::kLarge)
    return std::copysign(static_cast<double>(log<Digits::k18>(a) + kLn2), x);
  const DoubleDouble square = two_product(a, a);
  const DoubleDouble root = sqrt(DoubleDouble(1) + square);
  const DoubleDouble excess = DoubleDouble(a) + square / (DoubleDouble(1) + root);
  return std::copysign(static_cast<double>(log1p<Digits::k18>(excess)), x);
}

UPCAST_HOST_DEVICE inline double acosh(double x) {
  if (!(x > 1)) return x == 1 ? 0 : std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(x)) return x;
  if (x > internal::kLarge) return static_cast<double>(log<Digits::k18>(x) + kLn2);
  const DoubleDouble t = two_sum(x, -1);
  return static_cast<double>(log1p<Digits::k18>(t + sqrt(t * (t + DoubleDouble(2)))));
}

UPCAST_HOST_DEVICE inline double atanh(double x) {
  const double a = std::abs(x);
  if (!(a >= internal::kLinear)) return x;
  if (!(a < 1))
    return a == 1 ? std::copysign(HUGE_VAL, x) : std::numeric_limits<double>::quiet_NaN();
  const DoubleDouble excess = DoubleDouble(2 * a) / two_sum(1, -a);
  return std::copysign(0.5 * static_cast<double>(log1p<Digits::k18>(excess)), x);
}

UPCAST_HOST_DEVICE inline double log10(double x) {
  constexpr DoubleDouble kPerLn10{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  if (!(x > 0) || std::isinf(x)) return std::log10(x);
  return static_cast<double>(log<Digits::k18>(x) * kPerLn10);
}

/// 1 / sqrt(x). The residual of a first value gives a first-order correction.
UPCAST_HOST_DEVICE inline double rsqrt(double x) {
  const double start = 1 / std::sqrt(x);
  const double root = x * start, root_rest = std::fma(x, start, -root);
  const double lack = std::fma(-root, start, 1) - root_rest * start;
  return lack == lack ? start + start * (0.5 * lack) : start;
}

/// sin and cos of any finite angle; NaN for infinities. The C library's functions lose up to 14 ulp
/// if a large angle is next to a multiple of pi/2.
UPCAST_HOST_DEVICE inline double sin_of_large(double x) {
  if (!std::isfinite(x)) return x - x;
  return static_cast<double>(sine_cosine<Digits::k18>(reduce_angle(x)).sine);
}
UPCAST_HOST_DEVICE inline double cos_of_large(double x) {
  if (!std::isfinite(x)) return x - x;
  return static_cast<double>(sine_cosine<Digits::k18>(reduce_angle(x)).cosine);
}
UPCAST_HOST_DEVICE inline double tan(double x) {
  if (!(std::abs(x) >= 16)) return std::tan(x);
  if (!std::isfinite(x)) return x - x;
  const SineCosine s = sine_cosine<Digits::k18>(reduce_angle(x));
  return static_cast<double>(s.sine / s.cosine);
}

/// sinc(x) = sin(pi x) / (pi x). It is 1 at 0, and 0 at other whole numbers.
UPCAST_HOST_DEVICE inline double sinc(double x) {
  const double a = std::abs(x);
  if (!(a >= internal::kLinear)) return a == a ? 1 : x;
  if (std::isinf(x)) return std::numeric_limits<double>::quiet_NaN();
  const double turn = std::remainder(a, 2.0);
  const double rest = std::abs(turn) > 0.5 ? std::copysign(1.0, turn) - turn : turn;
  if (rest == 0) return 0;
  constexpr DoubleDouble kPi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
  const DoubleDouble angle = kPi * DoubleDouble(rest);
  const SineCosine s = sine_cosine<Digits::k18>(upcast::internal::reduce_by_parts(angle));
  return static_cast<double>(s.sine / (kPi * DoubleDouble(a)));
}

namespace internal {

/// x / (1 + exp(-u)) for a u that has the sign of x.
UPCAST_HOST_DEVICE inline double gate(double x, DoubleDouble u) {
  if (std::abs(x) < 0x1p-62) return 0.5 * x;
  const ScaledDoubleDouble e = exp_scaled<Digits::k18>(x > 0 ? -u : u);
  const DoubleDouble below = DoubleDouble(1) + scaled(e.value, std::ldexp(1.0, e.exponent));
  if (x > 0) return static_cast<double>(DoubleDouble(x) / below);
  return rounded({DoubleDouble(x) * e.value / below, e.exponent});
}

}  // namespace internal

/// In gelu's tanh form: the argument of the logistic function, u(x) = sqrt(8 / pi) (x + 0.044715
/// x^3), and x u'(x). The constants are PyTorch's, with 0.044715 rounded to float64.
struct GeluTanhArgument {
  DoubleDouble value, slope;
};
UPCAST_HOST_DEVICE inline GeluTanhArgument gelu_tanh_argument(double x) {
  constexpr DoubleDouble kSlope{0x1.9884533d43651p+0, -0x1.cbc0d30ebfd15p-54};
  constexpr double kCubic = 0.044715;
  const DoubleDouble cubic = DoubleDouble(kCubic) * two_product(x, x);
  const DoubleDouble linear = kSlope * DoubleDouble(x);
  return {linear * (DoubleDouble(1) + cubic), linear * (DoubleDouble(1) + DoubleDouble(3) * cubic)};
}

UPCAST_HOST_DEVICE inline double gelu_tanh(double x) {
  if (!(std::abs(x) < 60)) return x < 0 ? -0.0 : x;
  return internal::gate(x, gelu_tanh_argument(x).value);
}

/// mish(x) = x tanh(log(1 + exp(x))), which is -0 at -inf. With e = exp(x) it equals x e (e + 2) /
/// (e (e + 2) + 2).
UPCAST_HOST_DEVICE inline double mish(double x) {
  if (!(std::abs(x) < 800) || x >= 40) return x < 0 ? -0.0 : x;
  if (x == 0) return x;
  const ScaledDoubleDouble e = exp_scaled<Digits::k18>(x);
  const DoubleDouble whole = scaled(e.value, std::ldexp(1.0, e.exponent));
  const DoubleDouble more = whole + DoubleDouble(2);
  const bool tiny = std::abs(x) < internal::kTiny;
  const DoubleDouble factor = tiny ? x * internal::kUp : x;
  const DoubleDouble value = factor * e.value * more / (whole * more + DoubleDouble(2));
  return tiny ? internal::kDown * static_cast<double>(value)
              : internal::rounded({value, e.exponent});
}

/// softplus(x) = log(1 + exp(beta x)) / beta.
UPCAST_HOST_DEVICE inline double softplus(double x, double beta) {
  const DoubleDouble t = two_product(x, beta);
  if (!(std::abs(t.hi) < 800)) return t.hi > 0 ? x : t.hi < 0 ? 0.0 / beta : t.hi / beta;
  if (beta == 0) return kLn2.hi / beta;
  const ScaledDoubleDouble tail = internal::log1p_exp(t.hi > 0 ? -t : t);
  if (tail.exponent != 0 && t.hi > 0) return x;
  const DoubleDouble sum = t.hi > 0 ? t + tail.value : tail.value;
  return internal::rounded({beta == 1 ? sum : sum / DoubleDouble(beta), tail.exponent});
}

/// log(sigmoid(x)). It is never positive, so it is -0 where it underflows.
UPCAST_HOST_DEVICE inline double log_sigmoid(double x) { return x == x ? -softplus(-x, 1) : x; }

/// logit(x) = log(x / (1 - x)). It has a zero at 1/2, so within [1/4, 3/4] it is computed as log1p
/// of the quotient minus 1.
UPCAST_HOST_DEVICE inline double logit(double x) {
  if (!(x > 0 && x < 1)) return std::log(x / (1 - x));
  if (x < 0x1p-62) return static_cast<double>(log<Digits::k18>(x));
  const DoubleDouble rest = two_sum(1, -x);
  if (x >= 0.25 && x <= 0.75)
    return static_cast<double>(log1p<Digits::k18>(DoubleDouble(2 * x - 1) / rest));
  return static_cast<double>(log<Digits::k18>(DoubleDouble(x) / rest));
}

/// entr(x) = -x log(x), which is 0 at 0, and -inf for negative x.
UPCAST_HOST_DEVICE inline double entr(double x) {
  if (!(x > 0)) return x == 0 ? 0 : x < 0 ? -HUGE_VAL : x;
  if (std::isinf(x)) return -x;
  const bool tiny = x<internal::kTiny, huge = x> 0x1p800;
  const double up = tiny ? internal::kUp : huge ? internal::kDown : 1;
  const double value = -static_cast<double>(DoubleDouble(x * up) * log<Digits::k18>(x));
  return value * (tiny ? internal::kDown : huge ? internal::kUp : 1);
}

/// elu for x < 0: (exp(x input) - 1) * alpha * scale.
UPCAST_HOST_DEVICE inline double elu_below_0(double x, double input, double alpha, double scale) {
  const DoubleDouble t = two_product(x, input);
  if (!std::isfinite(alpha) || !std::isfinite(scale)) return std::expm1(t.hi) * (alpha * scale);
  int exponent, input_exponent;
  const DoubleDouble factor = two_product(alpha, std::frexp(scale, &exponent));  // no overflow
  // A factor of 0 is handled alone: its sign would be lost in a sum of two parts.
  if (!(std::abs(t.hi) < 690) || factor.hi == 0)
    return std::ldexp(std::expm1(t.hi) * factor.hi, exponent);
  if (std::abs(t.hi) < 0x1p-100)
    return internal::product(
        x, {DoubleDouble(std::frexp(input, &input_exponent)) * factor, exponent + input_exponent});
  return internal::product(1, {expm1<Digits::k18>(t) * factor, exponent});
}

/// xlogy(x, y) = x log(y). It is NaN if y is NaN, and else 0 if x is 0.
UPCAST_HOST_DEVICE inline double xlogy(double x, double y) {
  if (std::isnan(y)) return y;
  if (x == 0) return 0;
  if (!(y > 0) || std::isinf(y)) return x * std::log(y);
  return internal::product(x, {log<Digits::k18>(y), 0});
}
/// xlog1py(x, y) = x log(1 + y). It is NaN if y is NaN, and else 0 if x is 0.
UPCAST_HOST_DEVICE inline double xlog1py(double x, double y) {
  if (std::isnan(y)) return y;
  if (x == 0) return 0;
  if (!(y > -1) || std::isinf(y)) return x * std::log1p(y);
  if (std::abs(y) < 0x1p-64) return internal::product(x, {std::ldexp(y, 200), -200});
  return internal::product(x, {log1p<Digits::k18>(y), 0});
}

namespace internal {

/// larger + log(1 + exp(t)) / unit for t <= 0. The sum has about 100 bits, because its two terms
/// may cancel.
UPCAST_HOST_DEVICE inline double log_of_sum(double larger, DoubleDouble t, DoubleDouble unit) {
  // The logarithm is positive, but too small to change the sum. Adding +0 makes -0 to +0.
  if (!(t.hi > -3000)) return larger + 0.0;
  const ScaledDoubleDouble e = exp_scaled<Digits::k30>(t);
  if (larger == 0 && t.hi < -40) return rounded({e.value / unit, e.exponent});
  const DoubleDouble small = scaled(e.value, std::ldexp(1.0, e.exponent));
  const DoubleDouble tail = t.hi < -200 ? small : log1p<Digits::k30>(small);
  return static_cast<double>(DoubleDouble(larger) + tail / unit);
}

}  // namespace internal

/// logaddexp(a, b) = log(exp(a) + exp(b)).
UPCAST_HOST_DEVICE inline double logaddexp(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  if (a == b && std::isinf(a)) return a;
  const double larger = a > b ? a : b, smaller = a > b ? b : a;
  return internal::log_of_sum(larger, two_sum(smaller, -larger), 1);
}
/// logaddexp2(a, b) = log2(2^a + 2^b).
UPCAST_HOST_DEVICE inline double logaddexp2(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return a + b;
  if (a == b) return std::isinf(a) ? a : a + 1;
  const double larger = a > b ? a : b, smaller = a > b ? b : a;
  return internal::log_of_sum(larger, two_sum(smaller, -larger) * kLn2, kLn2);
}

/// hardsigmoid (x + 3) / 6 and hardswish x (x + 3) / 6, both for -3 < x < 3. A tiny x of hardswish
/// is scaled up, so that no low half underflows.
UPCAST_HOST_DEVICE inline double hardsigmoid_between(double x) {
  return static_cast<double>(two_sum(x, 3) / DoubleDouble(6));
}
UPCAST_HOST_DEVICE inline double hardswish_between(double x) {
  if (x == 0) return x;
  const bool tiny = std::abs(x) < internal::kTiny;
  const double up = tiny ? x * internal::kUp : x;
  const double value = static_cast<double>(DoubleDouble(up) * (two_sum(x, 3) / DoubleDouble(6)));
  return tiny ? value * internal::kDown : value;
}

}  // namespace upcast::precise
