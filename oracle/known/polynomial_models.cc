// Models of LibTorch's orthogonal polynomials: its recurrences and closed forms, evaluated in its
// own precision.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>

#include "impl/math/orthogonal_polynomials.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_maps.h"

namespace upcast::models {
namespace {

/// The most steps that a model takes. LibTorch itself would need seconds for more, and no grid has
/// such a case.
constexpr std::int64_t kMostSteps = 1 << 24;

/// Computes multiple * n + 1 in int64, where it may wrap. If it alternates, the sign is that of
/// (-1)^n.
template <class T>
T count(std::int64_t n, std::uint64_t multiple, bool alternates) {
  std::uint64_t value = multiple * static_cast<std::uint64_t>(n) + 1;
  if (alternates && n % 2 != 0) value = -value;
  return static_cast<T>(static_cast<std::int64_t>(value));
}

/// How a compiler computes a * b - c * d. Without FMA it rounds three times. With FMA (the code for
/// AVX2 and AVX-512) it rounds twice.
enum class Products : bool { kRounded, kFused };

template <class T>
T difference(Products products, T a, T b, T c, T d) {
  return products == Products::kFused ? std::fma(a, b, -(c * d)) : a * b - c * d;
}

/// Follows a recurrence to P(n). `first` is P(1); step(k, q, p) gives P(k) from q = P(k-1) and p =
/// P(k-2).
template <class T, class F>
T recurrence(std::int64_t n, T first, F step) {
  T p = 1, q = first;
  for (std::int64_t k = 2; k <= std::min(n, kMostSteps) && !std::isnan(q); ++k) {
    const T next = step(k, q, p);
    p = q;
    q = next;
  }
  return n == 0 ? T(1) : q;
}

template <class T>
T chebyshev_at_end(ChebyshevKind kind, bool negative, std::int64_t n) {
  if (kind == ChebyshevKind::kU) return count<T>(n, 1, negative);
  const bool steep = kind == (negative ? ChebyshevKind::kV : ChebyshevKind::kW);
  return count<T>(n, steep ? 2 : 0, negative);
}

/// A Chebyshev polynomial of a higher degree, evaluated by the angle a = acos(y).
template <class T>
T chebyshev_of_angle(ChebyshevKind kind, bool shifted, T y, std::int64_t n) {
  const T a = std::acos(y);
  const T half = a / T(2);
  const T next = count<T>(n, 1, false);
  const T middle = static_cast<T>(n) + T(0.5);
  switch (kind) {
    case ChebyshevKind::kT:
      return std::cos(static_cast<T>(n) * a);
    case ChebyshevKind::kU:
      return std::sin(a) != 0 ? std::sin(next * a) / std::sin(a) : next * std::cos(next * a) / y;
    case ChebyshevKind::kV:
      return std::sin(half) != 1 ? std::cos(middle * a) / std::cos(half)
                                 : chebyshev_at_end<T>(kind, true, n);
    default:
      // LibTorch treats the upper end of a shifted polynomial as the lower one.
      return std::cos(half) != 1 ? std::sin(middle * a) / std::sin(half)
                                 : chebyshev_at_end<T>(kind, shifted || !(y > 0), n);
  }
}

template <class T>
T chebyshev(Products products, ChebyshevKind kind, bool shifted, T x, std::int64_t n) {
  const T y = shifted ? x + x - T(1) : x;
  if (x == 1) return chebyshev_at_end<T>(kind, false, n);
  if (x == (shifted ? 0 : -1)) return chebyshev_at_end<T>(kind, true, n);
  const int highest = kind == ChebyshevKind::kT   ? 6
                      : !shifted                  ? 8
                      : kind == ChebyshevKind::kW ? 4
                                                  : 6;
  if (n > highest && std::abs(y) < 1) return chebyshev_of_angle(kind, shifted, y, n);
  const T first = kind == ChebyshevKind::kT   ? y
                  : kind == ChebyshevKind::kU ? y + y
                  : kind == ChebyshevKind::kV ? y + y - T(1)
                                              : y + y + T(1);
  return recurrence(
      n, first, [=](std::int64_t, T q, T p) { return difference(products, y + y, q, T(1), p); });
}

/// Hermite's polynomials, with slope 2 for H and 1 for He. Their recurrence goes on after a NaN;
/// the others stop there.
template <class T>
T hermite(Products products, T slope, T x, std::int64_t n) {
  constexpr std::int64_t kLimit = std::is_same_v<T, float> ? 128 : 512;
  if (n > kLimit) return std::numeric_limits<T>::quiet_NaN();
  return recurrence(n, slope * x, [=](std::int64_t k, T q, T p) {
    return difference(products, slope * x, q, slope * static_cast<T>(k - 1), p);
  });
}

template <class T>
T laguerre(Products products, T x, std::int64_t n) {
  if (x == 0) return 1;
  return recurrence(n, T(1) - x, [=](std::int64_t k, T q, T p) {
    const T degree = static_cast<T>(k - 1);
    return difference(products, degree + degree + (T(1) - x), q, degree, p) / static_cast<T>(k);
  });
}

template <class T>
T legendre(Products products, T x, std::int64_t n) {
  if (std::abs(x) == 1) return chebyshev_at_end<T>(ChebyshevKind::kT, x < 0, n);
  return recurrence(n, x, [=](std::int64_t k, T q, T p) {
    return difference(products, static_cast<T>(2 * k - 1) * x, q, static_cast<T>(k - 1), p) /
           static_cast<T>(k);
  });
}

/// The functions special_*_polynomial_*(x, n). LibTorch follows a recurrence of n steps in the
/// dtype. Its errors grow, and its terms overflow, which gives inf - inf. Beyond some degree,
/// Chebyshev's polynomials between -1 and 1 are cos(n acos x). Fused: the code for AVX2 and
/// AVX-512, which rounds only c * d and the difference.
template <Products kProducts, auto kPolynomial>
std::optional<Answer> polynomial(const Case& c, const Answer& right) {
  return pairs_in_the_dtype(c, right, []<class T>(T x, T degree) -> T {
    const std::int64_t n = polynomial_degree(degree);
    return n < 0 ? T(0) : kPolynomial(kProducts, x, n);
  });
}

template <ChebyshevKind kKind, bool kShifted>
constexpr auto kChebyshev = [](Products products, auto x, std::int64_t n) {
  return chebyshev(products, kKind, kShifted, x, n);
};
constexpr auto kHermiteH = []<class T>(Products products, T x, std::int64_t n) {
  return hermite(products, T(2), x, n);
};
constexpr auto kHermiteHe = []<class T>(Products products, T x, std::int64_t n) {
  return hermite(products, T(1), x, n);
};
constexpr auto kLaguerre = [](Products products, auto x, std::int64_t n) {
  return laguerre(products, x, n);
};
constexpr auto kLegendre = [](Products products, auto x, std::int64_t n) {
  return legendre(products, x, n);
};

template <auto kPolynomial>
void add_polynomial(ModelRows& rows, std::string_view op) {
  rows.push_back({"polynomial_in_the_dtype", {op}, polynomial<Products::kRounded, kPolynomial>});
  rows.push_back({"polynomial_by_fma", {op}, polynomial<Products::kFused, kPolynomial>});
}

}  // namespace

ModelRows polynomial_models() {
  using enum ChebyshevKind;
  ModelRows rows;
  add_polynomial<kChebyshev<kT, false>>(rows, "special_chebyshev_polynomial_t");
  add_polynomial<kChebyshev<kU, false>>(rows, "special_chebyshev_polynomial_u");
  add_polynomial<kChebyshev<kV, false>>(rows, "special_chebyshev_polynomial_v");
  add_polynomial<kChebyshev<kW, false>>(rows, "special_chebyshev_polynomial_w");
  add_polynomial<kChebyshev<kT, true>>(rows, "special_shifted_chebyshev_polynomial_t");
  add_polynomial<kChebyshev<kU, true>>(rows, "special_shifted_chebyshev_polynomial_u");
  add_polynomial<kChebyshev<kV, true>>(rows, "special_shifted_chebyshev_polynomial_v");
  add_polynomial<kChebyshev<kW, true>>(rows, "special_shifted_chebyshev_polynomial_w");
  add_polynomial<kHermiteH>(rows, "special_hermite_polynomial_h");
  add_polynomial<kHermiteHe>(rows, "special_hermite_polynomial_he");
  add_polynomial<kLaguerre>(rows, "special_laguerre_polynomial_l");
  add_polynomial<kLegendre>(rows, "special_legendre_polynomial_p");
  return rows;
}

}  // namespace upcast::models
