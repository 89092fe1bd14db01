// Chebyshev polynomials of the four kinds, plain and shifted, Hermite, Laguerre and Legendre
// polynomials of a degree n that may be any int64, in float64. A negative degree gives 0.
//
// Low degrees go through the three-term recurrence. High ones have a closed form (Chebyshev:
// trigonometric or hyperbolic functions) or an asymptotic one (Legendre, Laguerre: Bessel
// functions), so that no degree costs more than kLongestRecurrence steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "impl/core/host_device.h"

namespace upcast {

enum class ChebyshevKind : std::uint8_t { kT, kU, kV, kW };

/// A degree as LibTorch reads it: truncated to int64, where NaN and what does not fit give -1.
template <class T>
UPCAST_HOST_DEVICE std::int64_t polynomial_degree(T n) {
  return n > T(-1) && n < T(0x1p63) ? static_cast<std::int64_t>(n) : -1;
}

namespace internal {

inline constexpr std::int64_t kLongestRecurrence = 1 << 14;
/// Arguments beyond it: the term of highest degree is the value, to 2^-60.
inline constexpr double kHugeArgument = 0x1p70;

UPCAST_HOST_DEVICE inline double alternate(double value, std::int64_t n) {
  return n % 2 == 0 ? value : -value;
}

/// Two neighbouring terms of a recurrence, times a power of two that keeps them from overflowing.
class ScaledPair {
 public:
  double before, last;

  UPCAST_HOST_DEVICE ScaledPair(double first, double second) : before(first), last(second) {}
  UPCAST_HOST_DEVICE void rescale() {
    if (std::abs(last) < 0x1p500) return;
    before *= 0x1p-500;
    last *= 0x1p-500;
    exponent_ += 500;
  }
  UPCAST_HOST_DEVICE double value() const { return std::ldexp(last, std::min(exponent_, 4000)); }

 private:
  int exponent_ = 0;
};

/// y >= 0 and u = 1 - y, which the caller knows without cancellation.
UPCAST_HOST_DEVICE inline double chebyshev_recurrence(ChebyshevKind kind, double y,
                                                      std::int64_t n) {
  double before = 1;
  double last = kind == ChebyshevKind::kT   ? y
                : kind == ChebyshevKind::kU ? y + y
                : kind == ChebyshevKind::kV ? y + y - 1
                                            : y + y + 1;
  for (std::int64_t k = 2; k <= n && !std::isinf(last); ++k) {
    const double next = (y + y) * last - before;
    before = last;
    last = next;
  }
  return n == 0 ? 1 : last;
}

/// y > 1: exp(n t) times what the smaller exponential leaves of the quotient; y = cosh t.
UPCAST_HOST_DEVICE inline double chebyshev_hyperbolic(ChebyshevKind kind, double u, double degree) {
  const double t = 2 * std::asinh(std::sqrt(-0.5 * u));
  switch (kind) {
    case ChebyshevKind::kT:
      return std::cosh(degree * t);
    case ChebyshevKind::kU:
      return std::exp(degree * t) * (std::expm1(-2 * (degree + 1) * t) / std::expm1(-2 * t));
    case ChebyshevKind::kV:
      return std::exp(degree * t) * ((1 + std::exp(-(2 * degree + 1) * t)) / (1 + std::exp(-t)));
    default:
      return std::exp(degree * t) * (std::expm1(-(2 * degree + 1) * t) / std::expm1(-t));
  }
}

/// 0 <= y < 1, y = cos a.
UPCAST_HOST_DEVICE inline double chebyshev_trigonometric(ChebyshevKind kind, double y, double u,
                                                         std::int64_t n) {
  const double degree = static_cast<double>(n);
  if (y < 0.7 && (kind == ChebyshevKind::kT || kind == ChebyshevKind::kU)) {
    // a = pi/2 - b: the zero at y = 0 is one of sin(m b), exactly.
    const double b = std::asin(y);
    const bool first = kind == ChebyshevKind::kT;
    const double m = first ? degree : degree + 1;
    const double divisor = first ? 1 : std::sqrt((1 - y) * (1 + y));
    const double value = (n % 2 == 0 ? std::cos(m * b) : std::sin(m * b)) / divisor;
    return n % 4 < 2 ? value : -value;
  }
  const double a = 2 * std::asin(std::sqrt(0.5 * u));
  switch (kind) {
    case ChebyshevKind::kT:
      return std::cos(degree * a);
    case ChebyshevKind::kU:
      return std::sin((degree + 1) * a) / std::sin(a);
    case ChebyshevKind::kV:
      return std::cos((degree + 0.5) * a) / std::cos(0.5 * a);
    default:
      return std::sin((degree + 0.5) * a) / std::sin(0.5 * a);
  }
}

/// y >= 0 and u = 1 - y.
UPCAST_HOST_DEVICE inline double chebyshev_of_magnitude(ChebyshevKind kind, double y, double u,
                                                        std::int64_t n) {
  const double degree = static_cast<double>(n);
  if (u == 0)
    return kind == ChebyshevKind::kU ? degree + 1 : kind == ChebyshevKind::kW ? 2 * degree + 1 : 1;
  if (n < 2) return chebyshev_recurrence(kind, y, n);
  if (y > kHugeArgument)
    return kind == ChebyshevKind::kT ? std::pow(y + y, degree - 1) * y : std::pow(y + y, degree);
  // Its error grows with n^2 near 1, and not at all beyond.
  if (y <= 0.7 ? n <= 8 : y >= 1.25 && n <= 64) return chebyshev_recurrence(kind, y, n);
  return u < 0 ? chebyshev_hyperbolic(kind, u, degree) : chebyshev_trigonometric(kind, y, u, n);
}

/// The value at y = 1 - u, or at y = -(1 - u) where `negative`: T and U are even or odd, as n is;
/// V(-y) is W(y), but for that sign.
UPCAST_HOST_DEVICE inline double chebyshev(ChebyshevKind kind, double y, double u, bool negative,
                                           std::int64_t n) {
  if (!negative) return chebyshev_of_magnitude(kind, y, u, n);
  const ChebyshevKind mirrored = kind == ChebyshevKind::kV   ? ChebyshevKind::kW
                                 : kind == ChebyshevKind::kW ? ChebyshevKind::kV
                                                             : kind;
  return alternate(chebyshev_of_magnitude(mirrored, y, u, n), n);
}

/// exp(-z) I_m(z) for m = 0 or 1, z >= 0: the power series, from 30 on the asymptotic one.
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

/// y = 1 - u = cos a, of large degree: sqrt(a / sin a) times a series in J_m(N a) / N^m with N =
/// n + 1/2 (DLMF 18.15.12 carried on; the third term leaves 1/N^3). Beyond 1 a is imaginary:
/// I_m takes the place of J_m.
UPCAST_HOST_DEVICE inline double legendre_of_large_degree(double y, double u, double degree) {
  const double large = degree + 0.5;
  const double a = u > 0 ? 2 * std::asin(std::sqrt(0.5 * u)) : 2 * std::asinh(std::sqrt(-0.5 * u));
  const double sine = u > 0 ? std::sin(a) : std::sinh(a);
  if (a < 1e-6) {
    const double z = large * a;
    return u > 0 ? ::j0(z) : scaled_bessel_i(0, z) * std::exp(z);
  }
  const double z = large * a;
  // (a cos a - sin a) / (8 a sin a), the same for an imaginary a but for the sign.
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

/// x = v y, v = 4 n + 2, of large degree (DLMF 18.15.19 with A_0 and B_0): 1e-11 of its envelope is
/// left (measured from n = 16385 on). Negative x: the same with hyperbolic functions.
UPCAST_HOST_DEVICE inline double laguerre_of_large_degree(double x, std::int64_t n) {
  const double v = 4 * static_cast<double>(n) + 2;
  const double y = std::abs(x) / v;
  const double ratio = y / (x > 0 ? 1 - y : 1 + y);
  if (x > 0.99 * v)  // only its sign is left at this size, and no zero lies beyond v
    return alternate(std::numeric_limits<double>::infinity(), n);
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

UPCAST_HOST_DEVICE inline double chebyshev_polynomial(ChebyshevKind kind, double x,
                                                      std::int64_t n) {
  const double y = std::abs(x);
  return n < 0 ? 0 : internal::chebyshev(kind, y, 1 - y, std::signbit(x), n);
}

/// The polynomial of 2 x - 1; 1 - |2 x - 1| is known exactly.
UPCAST_HOST_DEVICE inline double shifted_chebyshev_polynomial(ChebyshevKind kind, double x,
                                                              std::int64_t n) {
  if (n < 0) return 0;
  const bool negative = x < 0.5;
  const double u = negative ? 2 * x : 2 * (1 - x);
  return internal::chebyshev(kind, std::abs(2 * x - 1), u, negative, n);
}

/// The recurrence H' = slope x H - slope k H: slope 2 for the physicists' H, 1 for He.
UPCAST_HOST_DEVICE inline double hermite_polynomial(double slope, double x, std::int64_t n) {
  if (n < 0) return 0;
  if (n == 0) return 1;
  if (std::abs(x) > internal::kHugeArgument) return std::pow(slope * x, static_cast<double>(n));
  internal::ScaledPair h{1, slope * x};
  for (std::int64_t k = 1; k < n; ++k) {
    const double next = slope * (x * h.last - static_cast<double>(k) * h.before);
    h.before = h.last;
    h.last = next;
    h.rescale();
  }
  return h.value();
}

UPCAST_HOST_DEVICE inline double laguerre_polynomial_l(double x, std::int64_t n) {
  if (n < 0) return 0;
  if (n == 0 || x == 0) return 1;
  if (n == 1) return 1 - x;
  if (std::abs(x) > internal::kHugeArgument)
    return n < 16  // the power alone may overflow
               ? std::pow(-x, static_cast<double>(n - 1)) /
                     std::tgamma(static_cast<double>(n) + 1) * -x
               : (x < 0 ? 1 : internal::alternate(1, n)) * std::numeric_limits<double>::infinity();
  if (std::isnan(x)) return x;
  if (n > internal::kLongestRecurrence) return internal::laguerre_of_large_degree(x, n);
  // In differences, before = L(k) - L(k-1): nothing cancels for negative x.
  internal::ScaledPair l{-x, 1 - x};
  for (std::int64_t k = 1; k < n; ++k) {
    const double degree = static_cast<double>(k);
    l.before = (degree * l.before - x * l.last) / (degree + 1);
    l.last += l.before;
    l.rescale();
  }
  return l.value();
}

UPCAST_HOST_DEVICE inline double legendre_polynomial_p(double x, std::int64_t n) {
  const double y = std::abs(x);
  const double u = 1 - y;
  if (n < 0) return 0;
  if (n == 0) return 1;
  if (n == 1 || std::isnan(x)) return x;
  const auto mirrored = [&](double value) {
    return std::signbit(x) ? internal::alternate(value, n) : value;
  };
  if (u == 0) return mirrored(1);
  if (n > internal::kLongestRecurrence)
    return mirrored(y > 4 ? std::numeric_limits<double>::infinity()
                    // An odd polynomial is 0 at 0, exactly.
                    : y == 0 && n % 2 != 0
                        ? 0
                        : internal::legendre_of_large_degree(y, u, static_cast<double>(n)));
  // Near 1 and beyond in differences, d = P(k) - P(k-1), which do not cancel there.
  double before = 1, last = y, d = -u;
  for (std::int64_t k = 1; k < n && !std::isinf(last); ++k) {
    const double degree = static_cast<double>(k);
    if (y >= 0.5) {
      d = (degree * d - (2 * degree + 1) * u * last) / (degree + 1);
      last += d;
    } else {
      const double next = ((2 * degree + 1) * y * last - degree * before) / (degree + 1);
      before = last;
      last = next;
    }
  }
  return mirrored(last);
}

}  // namespace upcast
