// Chebyshev polynomials of the four kinds, plain and shifted, and Hermite, Laguerre and Legendre
// polynomials, in float64. The degree n may be any int64. A negative degree gives 0.
//
// Chebyshev polynomials take one step for each bit of the degree. The others use the three-term
// recurrence, in the working precision W: double for float32, sums of two doubles for float64. For
// high degrees, Legendre and Laguerre polynomials use asymptotic forms with Bessel functions, so
// that they take at most kLongestRecurrence steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "impl/core/host_device.h"
#include "impl/math/branchless.h"
#include "impl/math/complex_working_precision.h"

namespace upcast {

enum class ChebyshevKind : std::uint8_t { kT, kU, kV, kW };

/// A degree as LibTorch reads it, truncated to int64. NaN and numbers outside int64's range give
/// -1.
template <class T>
UPCAST_HOST_DEVICE std::int64_t polynomial_degree(T n) {
  return n > T(-1) && n < T(0x1p63) ? static_cast<std::int64_t>(n) : -1;
}

namespace internal {

inline constexpr std::int64_t kLongestRecurrence = 1 << 14;
/// For arguments above this limit, the term of highest degree equals the value, to 2^-60.
inline constexpr double kHugeArgument = 0x1p70;

UPCAST_HOST_DEVICE inline double doubled(double a) { return 2 * a; }
UPCAST_HOST_DEVICE inline DoubleDouble doubled(DoubleDouble a) { return scaled(a, 2); }

UPCAST_HOST_DEVICE inline double alternate(double value, std::int64_t n) {
  return n % 2 == 0 ? value : -value;
}

/// The value of an odd polynomial of degree n at x = +0 or -0: a zero with the sign of its linear
/// term.
UPCAST_HOST_DEVICE inline double odd_at_zero(double x, std::int64_t n) {
  return n % 4 == 1 ? x : -x;
}

/// Two neighbouring terms of a recurrence. Both are multiplied by a power of two that keeps them
/// from overflowing.
template <class W>
class ScaledPair {
 public:
  W before, last;

  UPCAST_HOST_DEVICE ScaledPair(W first, W second) : before(first), last(second) {}
  UPCAST_HOST_DEVICE void rescale() {
    if (std::abs(leading(last)) < 0x1p500) return;
    before = times_power(before, -500);
    last = times_power(last, -500);
    exponent_ += 500;
  }
  UPCAST_HOST_DEVICE double value() const {
    return std::ldexp(static_cast<double>(last), std::min(exponent_, 4000));
  }

 private:
  int exponent_ = 0;
};

/// T_n and U_(n-1) of y = 1 - u >= 0. With z = y + sqrt(y^2 - 1), z^n is T_n + sqrt(y^2 - 1)
/// U_(n-1), so both follow from those of degree n / 2: one step for each bit of the degree. In sums
/// of two doubles the error is n 2^-104, in double n 2^-51: relative for y > 1, where nothing
/// cancels, and of the envelope below.
template <class W>
struct ChebyshevPair {
  W t = 1, u_before = 0;

  UPCAST_HOST_DEVICE ChebyshevPair(W y, W u, std::int64_t n) {
    const W excess = -(u * (y + W(1)));  // the excess y^2 - 1
    for (int bit = n == 0 ? -1 : std::ilogb(static_cast<double>(n)); bit >= 0; --bit) {
      const W twice = t * t + excess * u_before * u_before;
      u_before = doubled(t * u_before);
      t = twice;
      if ((n >> bit & 1) == 0) continue;
      const W next = y * t + excess * u_before;
      u_before = t + y * u_before;
      t = next;
    }
  }
};

/// The polynomial of degree n at y >= 0, where u = 1 - y, computed in W.
template <class W>
UPCAST_HOST_DEVICE W chebyshev_from(ChebyshevKind kind, W y, W u, std::int64_t n) {
  const ChebyshevPair<W> p(y, u, n);
  return kind == ChebyshevKind::kT   ? p.t
         : kind == ChebyshevKind::kU ? p.t + y * p.u_before
         : kind == ChebyshevKind::kV ? p.t - u * p.u_before
                                     : p.t + (y + W(1)) * p.u_before;
}

/// Whether a simple bound shows that Chebyshev polynomials of degree n at y are above 2^exponent.
/// From y = 2 on, polynomials of all four kinds are at least T_n(y) > z^n / 2 with z = y +
/// sqrt(y^2 - 1) > 1.86 y. The logarithm of a mantissa from 1 to 2 is at least the mantissa
/// minus 1.
UPCAST_HOST_DEVICE inline bool chebyshev_exceeds(int exponent, double y, double degree) {
  if (!(y >= 2 && y < kHugeArgument)) return false;
  const int binade = std::ilogb(y);
  return degree * (binade + std::ldexp(y, -binade) - 1 + 0.89) > exponent + 1;
}

/// The polynomial of degree n at y >= 0, where u = 1 - y. It is computed for a result of type T.
template <class T>
UPCAST_HOST_DEVICE double chebyshev_of_magnitude(ChebyshevKind kind, DoubleDouble y, DoubleDouble u,
                                                 std::int64_t n) {
  if (n == 0) return 1;
  if (std::isnan(y.hi)) return y.hi;
  const double degree = static_cast<double>(n);
  if (chebyshev_exceeds(std::numeric_limits<T>::max_exponent, y.hi, degree))
    return std::numeric_limits<double>::infinity();
  if (y.hi > kHugeArgument)
    return kind == ChebyshevKind::kT ? std::pow(y.hi + y.hi, degree - 1) * y.hi
                                     : std::pow(y.hi + y.hi, degree);
  if (y.hi == 0 && n % 2 != 0 && (kind == ChebyshevKind::kT || kind == ChebyshevKind::kU))
    return odd_at_zero(y.hi, n);
  if (std::is_same_v<T, float> && y.hi >= 2) {
    const double value = chebyshev_from(kind, y.hi, u.hi, n);
    if (!branchless::rounds_in_doubt(value)) return value;
  }
  const auto value = static_cast<double>(chebyshev_from(kind, y, u, n));
  // The value is a sum of two large terms. If both overflow, it becomes inf - inf, which is NaN;
  // the right value is inf.
  return std::isfinite(value) ? value : std::numeric_limits<double>::infinity();
}

/// The polynomial of degree n at y = 1 - u, or at -y if `negative`. Negative arguments use
/// symmetries: T and U are even or odd, as n is, and V(-y) is W(y) with that sign.
template <class T>
UPCAST_HOST_DEVICE double chebyshev(ChebyshevKind kind, DoubleDouble y, DoubleDouble u,
                                    bool negative, std::int64_t n) {
  if (!negative) return chebyshev_of_magnitude<T>(kind, y, u, n);
  const ChebyshevKind mirrored = kind == ChebyshevKind::kV   ? ChebyshevKind::kW
                                 : kind == ChebyshevKind::kW ? ChebyshevKind::kV
                                                             : kind;
  return alternate(chebyshev_of_magnitude<T>(mirrored, y, u, n), n);
}

/// exp(-z) I_m(z) for m = 0 or 1 and z >= 0. Uses the power series below 30, else the asymptotic
/// series.
UPCAST_HOST_DEVICE inline double scaled_bessel_i(int m, double z) {
  double term = 1, sum = 1;
  if (z < 30) {
    for (int k = 1; k < 80 && term > 1e-18 * sum; ++k) {
      term *= 0.25 * z * z / (k * (k + m));
      sum += term;
    }
    return (m == 0 ? 1 : 0.5 * z) * sum * std::exp(-z);
  }
  for (int k = 1; k < 30; ++k) {
    const double odd = 2 * k - 1;
    term *= (odd * odd - 4 * m * m) / (8 * k * z);
    sum += term;
  }
  return sum / std::sqrt(6.283185307179586 * z);
}

/// The Legendre polynomial of a large degree n at y = 1 - u = cos a. It is sqrt(a / sin a) times a
/// series in J_m(N a) / N^m with N = n + 1/2 (DLMF 18.15.12, with one more term; the error is of
/// order 1/N^3). For y > 1, a is imaginary, and I_m replaces J_m.
UPCAST_HOST_DEVICE inline double legendre_of_large_degree(double y, double u, double degree) {
  const double large = degree + 0.5;
  const double a = u > 0 ? 2 * std::asin(std::sqrt(0.5 * u)) : 2 * std::asinh(std::sqrt(-0.5 * u));
  const double sine = u > 0 ? std::sin(a) : std::sinh(a);
  if (a < 1e-6) {
    const double z = large * a;
    return u > 0 ? ::j0(z) : scaled_bessel_i(0, z) * std::exp(z);
  }
  const double z = large * a;
  // The factor of J_1, (a cos a - sin a) / (8 a sin a). For an imaginary a the same formula holds
  // with sinh, except for the sign.
  const double first = (a * y - sine) / (8 * a * sine);
  const double size = std::sqrt(a / sine);
  if (u > 0) {
    const double square = a * a * sine * sine;
    const double second =
        (6 * a * sine * y - 15 * sine * sine + a * a * (9 - sine * sine)) / (128 * square);
    const double j0 = ::j0(z), j1 = ::j1(z);
    return size * (j0 + (first * j1 + second * (2 * j1 / z - j0) / large) / large);
  }
  const double i0 = scaled_bessel_i(0, z), i1 = scaled_bessel_i(1, z);
  return size * std::exp(z) * (i0 + first * i1 / large);
}

/// The Legendre polynomial at a huge argument: only its term of highest degree, the product of (2 k
/// + 1) / (k + 1) y.
template <class W>
UPCAST_HOST_DEVICE double legendre_of_huge_argument(double y, std::int64_t n) {
  if (std::isinf(y) || n > 16) return std::numeric_limits<double>::infinity();
  const int exponent = std::ilogb(y);
  const W mantissa = std::ldexp(y, -exponent);
  W value = mantissa;
  for (std::int64_t k = 1; k < n; ++k)
    value = W(static_cast<double>(2 * k + 1)) * mantissa * value / W(static_cast<double>(k + 1));
  return std::ldexp(static_cast<double>(value), exponent * static_cast<int>(n));
}

/// The Laguerre polynomial of a large degree n at x = v y with v = 4 n + 2 (DLMF 18.15.19 with A_0
/// and B_0). The error is 1e-11 of its envelope (measured from n = 16385 on). For negative x the
/// same formula has hyperbolic functions.
UPCAST_HOST_DEVICE inline double laguerre_of_large_degree(double x, std::int64_t n) {
  const double v = 4 * static_cast<double>(n) + 2;
  const double y = std::abs(x) / v;
  const double ratio = y / (x > 0 ? 1 - y : 1 + y);
  // The value overflows. There is no zero at so large an x, so the degree alone gives the sign.
  if (x > 0.99 * v) return alternate(std::numeric_limits<double>::infinity(), n);
  const double arc = x > 0 ? std::asin(std::sqrt(y)) : std::asinh(std::sqrt(y));
  const double root = std::sqrt(x > 0 ? y * (1 - y) : y * (1 + y));
  const double phase = 0.5 * (root + arc);
  const double z = v * phase;
  const double size = std::sqrt(phase / root);
  const double sign = x > 0 ? 1 : -1;
  const double b = -(0.125 / phase + std::sqrt(1 / ratio) *
                                         (-0.125 + sign * 0.25 * ratio + 5.0 / 24 * ratio * ratio));
  if (x > 0) {
    const double wave = ::j0(z) + b * ::j1(z) / v;
    return x > 1500 ? std::copysign(std::numeric_limits<double>::infinity(), wave)
                    : size * wave * std::exp(0.5 * x);
  }
  return size * (scaled_bessel_i(0, z) + b * scaled_bessel_i(1, z) / v) * std::exp(z + 0.5 * x);
}

}  // namespace internal

/// The Chebyshev polynomial of degree n at x, as a double that rounds to the right T: where a T
/// would overflow, it may be infinite.
template <class T>
UPCAST_HOST_DEVICE double chebyshev_polynomial(ChebyshevKind kind, T x, std::int64_t n) {
  if (n < 0) return 0;
  const double y = std::abs(static_cast<double>(x));
  return internal::chebyshev<T>(kind, y, two_sum(1, -y), std::signbit(x), n);
}

/// The shifted Chebyshev polynomial: the plain one at 2 x - 1.
template <class T>
UPCAST_HOST_DEVICE double shifted_chebyshev_polynomial(ChebyshevKind kind, T x, std::int64_t n) {
  if (n < 0) return 0;
  const double twice = 2 * static_cast<double>(x);
  return twice < 1 ? internal::chebyshev<T>(kind, two_sum(1, -twice), twice, /*negative=*/true, n)
                   : internal::chebyshev<T>(kind, two_sum(twice, -1), two_sum(2, -twice), false, n);
}

/// A Chebyshev polynomial computed without branches, right for degrees n below 2. The polynomial of
/// degree 1 is slope x + offset, where the product is exact. An offset of -0 keeps the sign of x =
/// 0.
template <class T>
UPCAST_HOST_DEVICE T chebyshev_below_2(ChebyshevKind kind, bool shifted, T x, T n) {
  const T slope = (kind == ChebyshevKind::kT ? 1 : 2) * (shifted ? 2 : 1);
  const T plain = kind == ChebyshevKind::kV ? -1 : kind == ChebyshevKind::kW ? 1 : T(-0.0);
  const T offset = shifted ? plain - slope / 2 : plain;
  const T above = n >= 1 ? slope * x + offset : T(1);
  return n > -1 ? above : T(0);
}

/// Hermite polynomials, by the recurrence H_(k+1) = slope x H_k - slope k H_(k-1). The slope is 2
/// for the physicists' H, and 1 for He.
template <class W>
UPCAST_HOST_DEVICE double hermite_polynomial(double slope, double x, std::int64_t n) {
  if (n < 0) return 0;
  if (n == 0) return 1;
  if (x == 0 && n % 2 != 0) return internal::odd_at_zero(x, n);
  if (std::abs(x) > internal::kHugeArgument) return std::pow(slope * x, static_cast<double>(n));
  internal::ScaledPair<W> h{1, slope * x};
  for (std::int64_t k = 1; k < n; ++k) {
    const W next = W(slope * x) * h.last - W(slope * static_cast<double>(k)) * h.before;
    h.before = h.last;
    h.last = next;
    h.rescale();
  }
  return h.value();
}

template <class W>
UPCAST_HOST_DEVICE double laguerre_polynomial_l(double x, std::int64_t n) {
  if (n < 0) return 0;
  if (n == 0 || x == 0) return 1;
  if (n == 1) return 1 - x;
  if (std::abs(x) > internal::kHugeArgument)
    return n < 16  // multiplies by x last: the power alone may overflow
               ? std::pow(-x, static_cast<double>(n - 1)) /
                     std::tgamma(static_cast<double>(n) + 1) * -x
               : (x < 0 ? 1 : internal::alternate(1, n)) * std::numeric_limits<double>::infinity();
  if (std::isnan(x)) return x;
  if (n > internal::kLongestRecurrence) return internal::laguerre_of_large_degree(x, n);
  // The recurrence runs in differences, before = L(k) - L(k-1), so that nothing cancels for
  // negative x.
  internal::ScaledPair<W> l{-x, W(1) - W(x)};
  for (std::int64_t k = 1; k < n; ++k) {
    const auto degree = static_cast<double>(k);
    l.before = (W(degree) * l.before - W(x) * l.last) / W(degree + 1);
    l.last = l.last + l.before;
    l.rescale();
  }
  return l.value();
}

template <class W>
UPCAST_HOST_DEVICE double legendre_polynomial_p(double x, std::int64_t n) {
  const double y = std::abs(x);
  const W u = W(1) - W(y);
  if (n < 0) return 0;
  if (n == 0) return 1;
  if (n == 1 || std::isnan(x)) return x;
  if (x == 0 && n % 2 != 0) return internal::odd_at_zero(x, n);
  const auto mirrored = [&](double value) {
    return std::signbit(x) ? internal::alternate(value, n) : value;
  };
  if (y == 1) return mirrored(1);
  if (y > internal::kHugeArgument) return mirrored(internal::legendre_of_huge_argument<W>(y, n));
  if (n > internal::kLongestRecurrence)
    return mirrored(y > 4 ? std::numeric_limits<double>::infinity()
                          : internal::legendre_of_large_degree(y, 1 - y, static_cast<double>(n)));
  // For y >= 0.5 the recurrence runs in differences, before = P(k) - P(k-1), which do not cancel
  // near 1 and above.
  const bool in_differences = y >= 0.5;
  internal::ScaledPair<W> p{in_differences ? -u : W(1), y};
  for (std::int64_t k = 1; k < n; ++k) {
    const W degree = static_cast<double>(k), odd = static_cast<double>(2 * k + 1);
    const W above = static_cast<double>(k + 1);
    if (in_differences) {
      p.before = (degree * p.before - odd * u * p.last) / above;
      p.last = p.last + p.before;
    } else {
      const W next = (odd * W(y) * p.last - degree * p.before) / above;
      p.before = p.last;
      p.last = next;
    }
    p.rescale();
  }
  return mirrored(p.value());
}

}  // namespace upcast
