#include "oracle/truth/hurwitz_zeta.h"

#include <algorithm>
#include <cmath>

namespace upcast::truth {
namespace {

/// Computes a power of a positive base.
Ball power(const Ball& base, const Ball& exponent) { return of<arb_pow>(base, exponent); }

/// Widens a ball on both sides by the largest magnitude in `bound`.
void add_error(Ball& sum, const Ball& bound) {
  mag_t magnitude;
  mag_init(magnitude);
  arb_get_mag(magnitude, bound.get());
  mag_add(arb_radref(sum.get()), arb_radref(sum.get()), magnitude);
  mag_clear(magnitude);
}

/// Whether a term is too small to change the sum.
bool is_small(const Ball& term, const Ball& sum) {
  const slong term_size = arf_abs_bound_lt_2exp_si(arb_midref(term.get()));
  const slong sum_size = arf_abs_bound_lt_2exp_si(arb_midref(sum.get()));
  return arb_is_zero(term.get()) != 0 || term_size < sum_size - sum.precision();
}

/// The sum of all terms from q on, by Euler and Maclaurin: q^(1-s)/(s-1) + q^-s/2 + sum over j of
/// B_2j/(2j)! s(s+1)...(s+2j-2) q^(-s-2j+1).
Ball tail(const Ball& s, const Ball& q) {
  const Ball leading = power(q, -s);
  Ball sum = leading * q / (s - 1.0) + leading / 2.0;
  Ball factor = leading * s / q / 2.0;  // the factor of j = 1: s / 2! q^(-s-1)
  constexpr int kMostTerms = 2000;
  for (int j = 1; j < kMostTerms; ++j) {
    Ball term(s.precision());
    arb_bernoulli_ui(term.get(), static_cast<ulong>(2 * j), s.precision());
    term = term * factor;
    if (is_small(term, sum)) {
      add_error(sum, term);
      return sum;
    }
    sum = sum + term;
    factor =
        factor * (s + (2.0 * j - 1)) * (s + 2.0 * j) / (q * q) / ((2.0 * j + 1) * (2.0 * j + 2));
  }
  arb_indeterminate(sum.get());
  return sum;
}

}  // namespace

Ball hurwitz_zeta(const Ball& s, const Ball& q) {
  // The tail's terms fall like (s / (2 pi q))^2j. So the first terms are added one by one until q
  // is large enough.
  const double wanted = std::max(middle(s), 0.4 * static_cast<double>(s.precision())) + 10;
  Ball sum(s.precision());
  Ball place = q;
  while (middle(place) < wanted) {
    const Ball term = power(place, -s);
    sum = sum + term;
    place = place + 1.0;
    if (is_small(term,
                 sum)) {  // For a large s the terms become small soon. An integral bounds the rest.
      add_error(sum, term + term * place / (s - 1.0));
      return sum;
    }
  }
  return sum + tail(s, place);
}

Ball hurwitz_zeta_below_0(const Ball& s, const Ball& q) {
  Ball floor(q.precision());
  arb_floor(floor.get(), q.get(), q.precision());
  const Ball above = q - floor;  // q above its floor: in the range (0, 1)
  const Ball below = 1.0 - above;
  const Ball mirrored = hurwitz_zeta(s, below) - hurwitz_zeta(s, below - floor);
  const bool odd = std::fmod(middle(s), 2) != 0;
  return odd ? hurwitz_zeta(s, above) - mirrored : hurwitz_zeta(s, above) + mirrored;
}

}  // namespace upcast::truth
