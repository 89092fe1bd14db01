// The truth of orthogonal polynomials. x[0] is the argument, x[1] the degree, which is truncated to
// an integer.
#include <arb_hypgeom.h>

#include <cmath>

#include "oracle/truth/definition_rows.h"

namespace upcast::truth {
namespace {

constexpr std::string_view kSource =
    "torch.special; 0 for degrees below 0, its limits at infinity; the sign of a zero is not "
    "defined";
/// The highest degree for which a recurrence is followed. Higher ones need a closed form.
constexpr slong kLongestRecurrence = 4096;

slong degree_of(Balls x) {
  return static_cast<slong>(arf_get_d(arb_midref(x[1].get()), ARF_RND_DOWN));
}

enum class Chebyshev : std::uint8_t { kT, kU, kV, kW };

/// Chebyshev's V and W: V(n) = U(n) - U(n-1), W(n) = U(n) + U(n-1), DLMF 18.7.17 and 18.7.18.
template <Chebyshev Kind>
Ball chebyshev(const Ball& x, slong n) {
  Ball result(x.precision());
  const auto degree = static_cast<ulong>(n);
  if (Kind == Chebyshev::kT) {
    arb_chebyshev_t_ui(result.get(), degree, x.get(), x.precision());
    return result;
  }
  Ball before(x.precision());
  arb_chebyshev_u2_ui(result.get(), before.get(), degree, x.get(), x.precision());
  if (Kind == Chebyshev::kU) return result;
  return Kind == Chebyshev::kV ? result - before : result + before;
}
template <Chebyshev Kind>
Ball plain(Balls x) {
  return chebyshev<Kind>(x[0], degree_of(x));
}
template <Chebyshev Kind>
Ball shifted(Balls x) {
  return chebyshev<Kind>(2.0 * x[0] - 1.0, degree_of(x));
}

/// Follows a recurrence up to a degree: step(k, x, P(k), P(k-1)) gives P(k+1).
template <class Step>
Ball recurrence(Balls arguments, Ball first, Step step) {
  const Ball& x = arguments[0];
  const slong n = degree_of(arguments);
  if (n > kLongestRecurrence) return indeterminate(x);
  Ball before(1, x.precision());
  Ball last = std::move(first);
  for (slong k = 1; k < n; ++k) {
    Ball next = step(static_cast<double>(k), x, last, before);
    before = std::move(last);
    last = std::move(next);
  }
  return last;
}
/// Hermite's polynomial H, DLMF 18.9.1 and table 18.9.1.
Ball hermite_h(Balls x) {
  return recurrence(x, 2.0 * x[0],
                    [](double k, const Ball& y, const Ball& last, const Ball& before) {
                      return 2.0 * y * last - 2 * k * before;
                    });
}
Ball hermite_he(Balls x) {
  return recurrence(x, x[0], [](double k, const Ball& y, const Ball& last, const Ball& before) {
    return y * last - k * before;
  });
}
Ball laguerre(Balls x) {
  return recurrence(x, 1.0 - x[0],
                    [](double k, const Ball& y, const Ball& last, const Ball& before) {
                      return ((2 * k + 1 - y) * last - k * before) / (k + 1);
                    });
}
Ball legendre(Balls x) {
  return recurrence(x, x[0], [](double k, const Ball& y, const Ball& last, const Ball& before) {
    return ((2 * k + 1) * y * last - k * before) / (k + 1);
  });
}

/// Values at infinity. For positive x the term of the highest degree is positive.
Special special(Doubles x) {
  if (!(std::abs(x[1]) < 0x1p63)) return undocumented();
  const double degree = std::trunc(x[1]);
  if (degree < 0) return 0.0;
  if (degree == 0) return 1.0;
  if (std::isnan(x[0])) return kNaN;
  if (!std::isinf(x[0])) return std::nullopt;
  return std::fmod(degree, 2) == 0 ? std::abs(x[0]) : x[0];
}
Special laguerre_special(Doubles x) {
  if (std::isinf(x[0]) && std::abs(x[1]) < 0x1p63 && std::trunc(x[1]) > 0)
    return x[0] < 0 ? -x[0] : std::fmod(std::trunc(x[1]), 2) == 0 ? x[0] : -x[0];
  return special(x);
}

constexpr Definition row(std::string_view op, BallFunction ball, SpecialFunction values = special) {
  return {.op = op,
          .source = kSource,
          .special = values,
          .ball = ball,
          .either_zero = true,
          .order = 1};
}

constexpr Definition kRows[] = {
    row("special_chebyshev_polynomial_t", plain<Chebyshev::kT>),
    row("special_chebyshev_polynomial_u", plain<Chebyshev::kU>),
    row("special_chebyshev_polynomial_v", plain<Chebyshev::kV>),
    row("special_chebyshev_polynomial_w", plain<Chebyshev::kW>),
    row("special_shifted_chebyshev_polynomial_t", shifted<Chebyshev::kT>),
    row("special_shifted_chebyshev_polynomial_u", shifted<Chebyshev::kU>),
    row("special_shifted_chebyshev_polynomial_v", shifted<Chebyshev::kV>),
    row("special_shifted_chebyshev_polynomial_w", shifted<Chebyshev::kW>),
    row("special_hermite_polynomial_h", hermite_h),
    row("special_hermite_polynomial_he", hermite_he),
    row("special_laguerre_polynomial_l", laguerre, laguerre_special),
    row("special_legendre_polynomial_p", legendre),
};

}  // namespace

std::span<const Definition> polynomial_definitions() { return kRows; }

}  // namespace upcast::truth
