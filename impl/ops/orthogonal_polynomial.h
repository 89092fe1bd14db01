// The orthogonal polynomials of torch.special. Their operands are x, and a degree n that is
// truncated to an integer.
#pragma once

#include <limits>

#include "impl/math/orthogonal_polynomials.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

namespace internal {

// Error bounds of polynomials. LibTorch's were measured for degrees up to 12 and |x| <= 4. For
// higher degrees the errors of its recurrences, which run in the dtype, grow with the degree. Ours
// in float64 is correctly rounded, except for powers of huge arguments (2 ulp) and the asymptotic
// forms of degrees above 2^14. `scale` is about the size that LibTorch's terms have at these
// degrees; they cancel near a zero.
inline constexpr Accuracy kChebyshev{
    .float32 = {0.51F, 320.F}, .float64 = {1.5F, 240.F}, .scale = 1};
inline constexpr Accuracy kRecurrence{.float32 = {0.51F, 48.F}, .float64 = {4.F, 48.F}, .scale = 1};
inline constexpr Accuracy kHermite{.float32 = {0.51F, 48.F}, .float64 = {4.F, 48.F}, .scale = 4096};

/// The spec of a polynomial, from its name and the schemas of its three overloads.
constexpr OpSpec polynomial(std::string_view name, const std::array<std::string_view, 6>& texts,
                            Accuracy accuracy) {
  return {
      .name = name,
      .overloads = {{{texts[0], "", texts[1]}, {texts[2], "", texts[3]}, {texts[4], "", texts[5]}}},
      .operands = {"x", "n"},
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFullFloats,
      .accuracy = accuracy,
      .note = "n is truncated; negative, NaN or beyond int64 gives 0",
      .loop = {.parameter = "n", .most = kManySteps},
      .samples = {{{"n", "0, 1, 2, 5, 10, 30, 2.5, -1, True"}}},
      .sweep = {.slow = true}};
}

/// A Hermite polynomial. Above a degree that depends on the dtype, LibTorch returns NaN, and so
/// does this function.
template <class T>
UPCAST_HOST_DEVICE T limited_hermite(double slope, double x, double n) {
  constexpr std::int64_t kLimit = std::is_same_v<T, float> ? 128 : 512;
  const std::int64_t degree = polynomial_degree(n);
  return degree > kLimit
             ? std::numeric_limits<T>::quiet_NaN()
             : static_cast<T>(hermite_polynomial<WorkingPrecision<T>>(slope, x, degree));
}

/// The functor of a Chebyshev polynomial, of x or of 2 x - 1.
template <ChebyshevKind kKind, bool kShifted>
struct Chebyshev {
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T n) const {
    if (!(n >= 2)) return chebyshev_below_2(kKind, kShifted, x, n);
    const std::int64_t degree = polynomial_degree(n);
    return static_cast<T>(kShifted ? shifted_chebyshev_polynomial(kKind, x, degree)
                                   : chebyshev_polynomial(kKind, x, degree));
  }
  template <class T>
  static T mostly(T x, T n) {
    return chebyshev_below_2(kKind, kShifted, x, n);
  }
  template <class T>
  static bool is_right(T, T n, T) {
    return !(n >= 2);
  }
};

}  // namespace internal

struct SpecialChebyshevPolynomialT : internal::Chebyshev<ChebyshevKind::kT, false> {
  static constexpr OpSpec spec =
      internal::polynomial("special_chebyshev_polynomial_t",
                           {"special_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor",
                            "special_chebyshev_polynomial_t.out",
                            "special_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor",
                            "special_chebyshev_polynomial_t.x_scalar_out",
                            "special_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor",
                            "special_chebyshev_polynomial_t.n_scalar_out"},
                           internal::kChebyshev);
};

struct SpecialChebyshevPolynomialU : internal::Chebyshev<ChebyshevKind::kU, false> {
  static constexpr OpSpec spec =
      internal::polynomial("special_chebyshev_polynomial_u",
                           {"special_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor",
                            "special_chebyshev_polynomial_u.out",
                            "special_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor",
                            "special_chebyshev_polynomial_u.x_scalar_out",
                            "special_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor",
                            "special_chebyshev_polynomial_u.n_scalar_out"},
                           internal::kChebyshev);
};

struct SpecialChebyshevPolynomialV : internal::Chebyshev<ChebyshevKind::kV, false> {
  static constexpr OpSpec spec =
      internal::polynomial("special_chebyshev_polynomial_v",
                           {"special_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor",
                            "special_chebyshev_polynomial_v.out",
                            "special_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor",
                            "special_chebyshev_polynomial_v.x_scalar_out",
                            "special_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor",
                            "special_chebyshev_polynomial_v.n_scalar_out"},
                           internal::kChebyshev);
};

struct SpecialChebyshevPolynomialW : internal::Chebyshev<ChebyshevKind::kW, false> {
  static constexpr OpSpec spec =
      internal::polynomial("special_chebyshev_polynomial_w",
                           {"special_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor",
                            "special_chebyshev_polynomial_w.out",
                            "special_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor",
                            "special_chebyshev_polynomial_w.x_scalar_out",
                            "special_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor",
                            "special_chebyshev_polynomial_w.n_scalar_out"},
                           internal::kChebyshev);
};

struct SpecialShiftedChebyshevPolynomialT : internal::Chebyshev<ChebyshevKind::kT, true> {
  static constexpr OpSpec spec = internal::polynomial(
      "special_shifted_chebyshev_polynomial_t",
      {"special_shifted_chebyshev_polynomial_t(Tensor x, Tensor n) -> Tensor",
       "special_shifted_chebyshev_polynomial_t.out",
       "special_shifted_chebyshev_polynomial_t.x_scalar(Scalar x, Tensor n) -> Tensor",
       "special_shifted_chebyshev_polynomial_t.x_scalar_out",
       "special_shifted_chebyshev_polynomial_t.n_scalar(Tensor x, Scalar n) -> Tensor",
       "special_shifted_chebyshev_polynomial_t.n_scalar_out"},
      internal::kChebyshev);
};

struct SpecialShiftedChebyshevPolynomialU : internal::Chebyshev<ChebyshevKind::kU, true> {
  static constexpr OpSpec spec = internal::polynomial(
      "special_shifted_chebyshev_polynomial_u",
      {"special_shifted_chebyshev_polynomial_u(Tensor x, Tensor n) -> Tensor",
       "special_shifted_chebyshev_polynomial_u.out",
       "special_shifted_chebyshev_polynomial_u.x_scalar(Scalar x, Tensor n) -> Tensor",
       "special_shifted_chebyshev_polynomial_u.x_scalar_out",
       "special_shifted_chebyshev_polynomial_u.n_scalar(Tensor x, Scalar n) -> Tensor",
       "special_shifted_chebyshev_polynomial_u.n_scalar_out"},
      internal::kChebyshev);
};

struct SpecialShiftedChebyshevPolynomialV : internal::Chebyshev<ChebyshevKind::kV, true> {
  static constexpr OpSpec spec = internal::polynomial(
      "special_shifted_chebyshev_polynomial_v",
      {"special_shifted_chebyshev_polynomial_v(Tensor x, Tensor n) -> Tensor",
       "special_shifted_chebyshev_polynomial_v.out",
       "special_shifted_chebyshev_polynomial_v.x_scalar(Scalar x, Tensor n) -> Tensor",
       "special_shifted_chebyshev_polynomial_v.x_scalar_out",
       "special_shifted_chebyshev_polynomial_v.n_scalar(Tensor x, Scalar n) -> Tensor",
       "special_shifted_chebyshev_polynomial_v.n_scalar_out"},
      internal::kChebyshev);
};

struct SpecialShiftedChebyshevPolynomialW : internal::Chebyshev<ChebyshevKind::kW, true> {
  static constexpr OpSpec spec = internal::polynomial(
      "special_shifted_chebyshev_polynomial_w",
      {"special_shifted_chebyshev_polynomial_w(Tensor x, Tensor n) -> Tensor",
       "special_shifted_chebyshev_polynomial_w.out",
       "special_shifted_chebyshev_polynomial_w.x_scalar(Scalar x, Tensor n) -> Tensor",
       "special_shifted_chebyshev_polynomial_w.x_scalar_out",
       "special_shifted_chebyshev_polynomial_w.n_scalar(Tensor x, Scalar n) -> Tensor",
       "special_shifted_chebyshev_polynomial_w.n_scalar_out"},
      internal::kChebyshev);
};

struct SpecialHermitePolynomialH {
  static constexpr OpSpec spec =
      internal::polynomial("special_hermite_polynomial_h",
                           {"special_hermite_polynomial_h(Tensor x, Tensor n) -> Tensor",
                            "special_hermite_polynomial_h.out",
                            "special_hermite_polynomial_h.x_scalar(Scalar x, Tensor n) -> Tensor",
                            "special_hermite_polynomial_h.x_scalar_out",
                            "special_hermite_polynomial_h.n_scalar(Tensor x, Scalar n) -> Tensor",
                            "special_hermite_polynomial_h.n_scalar_out"},
                           internal::kHermite);
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T n) const {
    return internal::limited_hermite<T>(2, x, n);
  }
};

struct SpecialHermitePolynomialHe {
  static constexpr OpSpec spec =
      internal::polynomial("special_hermite_polynomial_he",
                           {"special_hermite_polynomial_he(Tensor x, Tensor n) -> Tensor",
                            "special_hermite_polynomial_he.out",
                            "special_hermite_polynomial_he.x_scalar(Scalar x, Tensor n) -> Tensor",
                            "special_hermite_polynomial_he.x_scalar_out",
                            "special_hermite_polynomial_he.n_scalar(Tensor x, Scalar n) -> Tensor",
                            "special_hermite_polynomial_he.n_scalar_out"},
                           internal::kHermite);
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T n) const {
    return internal::limited_hermite<T>(1, x, n);
  }
};

struct SpecialLaguerrePolynomialL {
  static constexpr OpSpec spec =
      internal::polynomial("special_laguerre_polynomial_l",
                           {"special_laguerre_polynomial_l(Tensor x, Tensor n) -> Tensor",
                            "special_laguerre_polynomial_l.out",
                            "special_laguerre_polynomial_l.x_scalar(Scalar x, Tensor n) -> Tensor",
                            "special_laguerre_polynomial_l.x_scalar_out",
                            "special_laguerre_polynomial_l.n_scalar(Tensor x, Scalar n) -> Tensor",
                            "special_laguerre_polynomial_l.n_scalar_out"},
                           internal::kRecurrence);
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T n) const {
    return static_cast<T>(
        laguerre_polynomial_l<internal::WorkingPrecision<T>>(x, polynomial_degree(n)));
  }
};

struct SpecialLegendrePolynomialP {
  static constexpr OpSpec spec =
      internal::polynomial("special_legendre_polynomial_p",
                           {"special_legendre_polynomial_p(Tensor x, Tensor n) -> Tensor",
                            "special_legendre_polynomial_p.out",
                            "special_legendre_polynomial_p.x_scalar(Scalar x, Tensor n) -> Tensor",
                            "special_legendre_polynomial_p.x_scalar_out",
                            "special_legendre_polynomial_p.n_scalar(Tensor x, Scalar n) -> Tensor",
                            "special_legendre_polynomial_p.n_scalar_out"},
                           internal::kRecurrence);
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T n) const {
    return static_cast<T>(
        legendre_polynomial_p<internal::WorkingPrecision<T>>(x, polynomial_degree(n)));
  }
};

using OrthogonalPolynomial =
    OpFamily<SpecialChebyshevPolynomialT, SpecialChebyshevPolynomialU, SpecialChebyshevPolynomialV,
             SpecialChebyshevPolynomialW, SpecialShiftedChebyshevPolynomialT,
             SpecialShiftedChebyshevPolynomialU, SpecialShiftedChebyshevPolynomialV,
             SpecialShiftedChebyshevPolynomialW, SpecialHermitePolynomialH,
             SpecialHermitePolynomialHe, SpecialLaguerrePolynomialL, SpecialLegendrePolynomialP>;

}  // namespace upcast
