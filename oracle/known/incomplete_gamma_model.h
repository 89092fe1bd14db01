// The incomplete gamma functions as ATen computes them, in T (float or double). ATen uses the
// series, the continued fraction and the uniform expansion of SciPy and Cephes. Three things are
// wrong in them:
// - Limits are found by comparisons, and a NaN passes these.
// - x^a e^-x / gamma(a) is computed as exp(a log(x) - x - lgamma(a)). That is inf - inf for a large
// a. It is 0 for an a so
//   small that lgamma(a) exceeds the log of the largest number, where igamma tends to 1.
// - The uniform expansion takes float32's pi, in float64 too, which is wrong by 1e-8 in its second
// term.
#pragma once

#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "impl/math/incomplete_gamma_coefficients.h"

namespace upcast::models {

template <class T>
class IncompleteGammaModel {
 public:
  static T lower(T a, T x) {
    if (const auto limit = at_limit(a, x, 0); !std::isinf(limit)) return limit;
    if (near(a, x)) return uniform(a, x, -1);
    return x > 1 && x > a ? T(1) - upper(a, x) : lower_series(a, x);
  }
  static T upper(T a, T x) {
    if (const auto limit = at_limit(a, x, 1); !std::isinf(limit)) return limit;
    if (near(a, x)) return uniform(a, x, 1);
    const bool by_lower = x > 1.1 ? x < a : x <= 0.5 ? -0.4 / std::log(x) < a : x * 1.1 < a;
    if (by_lower) return T(1) - lower_series(a, x);
    return x > 1.1 ? fraction(a, x) : upper_series(a, x);
  }

 private:
  static constexpr bool kDouble = std::is_same_v<T, double>;
  static constexpr T kEpsilon = kDouble ? T(0x1p-53) : T(0x1p-24);
  static constexpr int kMostTerms = 2000;

  /// The value if a or x is a limit (0 or infinity); infinity if neither is. `at_0`: the value at x
  /// = 0.
  static T at_limit(T a, T x, T at_0) {
    constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
    if (x < 0 || a < 0) return kNaN;
    if (a == 0) return x > 0 ? T(1) - at_0 : kNaN;
    if (x == 0) return at_0;
    if (std::isinf(a)) return std::isinf(x) ? kNaN : at_0;
    return std::isinf(x) ? T(1) - at_0 : std::numeric_limits<T>::infinity();
  }

  static bool near(T a, T x) {
    const T distance = std::abs(x - a) / a;
    return (a > 20 && a < 200 && distance < T(0.3)) ||
           (a > 200 && distance < T(4.5) / std::sqrt(a));
  }

  /// Lanczos' sum for the gamma function, scaled by exp(g). The coefficients are from Boost.
  static T lanczos(T a) {
    constexpr std::array kAbove{
        0.006061842346248906525783753964555936883222, 0.5098416655656676188125178644804694509993,
        19.51992788247617482847860966235652136208,    449.9445569063168119446858607650988409623,
        6955.999602515376140356310115515198987526,    75999.29304014542649875303443598909137092,
        601859.6171681098786670226533699352302507,    3481712.15498064590882071018964774556468,
        14605578.08768506808414169982791359218571,    43338889.32467613834773723740590533316085,
        86363131.28813859145546927288977868422342,    103794043.1163445451906271053616070238554,
        56906521.91347156388090791033559122686859};
    constexpr std::array kBelow{1.,         66.,       1925.,     32670.,     357423.,
                                2637558.,   13339535., 45995730., 105258076., 150917976.,
                                120543840., 39916800., 0.};
    const bool large = std::abs(a) > 1;
    const T y = large ? 1 / a : a;
    const auto value = [large, y](const auto& coefficients) {
      T sum = 0;
      for (std::size_t i = 0; i < coefficients.size(); ++i)
        sum = sum * y + static_cast<T>(coefficients[large ? coefficients.size() - 1 - i : i]);
      return sum;
    };
    return value(kAbove) / value(kBelow);
  }

  /// Computes x^a exp(-x) / gamma(a), the factor of the series and of the continued fraction.
  static T factor(T a, T x) {
    constexpr T kLargestLog = kDouble ? T(709.782712893383996843) : T(88.72283905206835);
    constexpr T kLanczosG = T(6.024680040776729583740234375);
    if (std::abs(a - x) > 0.4 * std::abs(a)) {
      const T exponent = a * std::log(x) - x - std::lgamma(a);
      return exponent < -kLargestLog ? T(0) : std::exp(exponent);
    }
    const T shifted = static_cast<T>(a + kLanczosG - 0.5);
    const T scale = std::sqrt(shifted / T(2.718281828459045)) / lanczos(a);
    if (a < 200 && x < 200) return scale * (std::exp(a - x) * std::pow(x / shifted, a));
    const T mu = static_cast<T>(x - a - kLanczosG + 0.5) / shifted;
    return static_cast<T>(scale *
                          std::exp(a * (std::log1p(mu) - mu) + x * (0.5 - kLanczosG) / shifted));
  }

  static T lower_series(T a, T x) {
    const T scale = factor(a, x);
    if (scale == 0) return 0;
    T r = a, term = 1, sum = 1;
    for (int i = 0; i < kMostTerms; ++i) {
      r += 1;
      term *= x / r;
      sum += term;
      if (term <= kEpsilon * sum) break;
    }
    return sum * scale / a;
  }

  static T upper_series(T a, T x) {
    T power = 1, sum = 0;
    for (int n = 1; n < kMostTerms; ++n) {
      power *= -x / static_cast<T>(n);
      const T term = power / (a + static_cast<T>(n));
      sum += term;
      if (std::abs(term) <= kEpsilon * std::abs(sum)) break;
    }
    const T log = std::log(x);
    const T first = -std::expm1(a * log - std::lgamma(1 + a));
    return first - std::exp(a * log - std::lgamma(a)) * sum;
  }

  static T fraction(T a, T x) {
    const T scale = factor(a, x);
    if (scale == 0) return 0;
    constexpr T kBig = kDouble ? T(0x1p52) : T(0x1p24);
    T y = 1 - a, z = x + y + 1, c = 0;
    T p2 = 1, q2 = x, p1 = x + 1, q1 = z * x;
    T value = p1 / q1;
    for (int i = 0; i < kMostTerms; ++i) {
      c += 1;
      y += 1;
      z += 2;
      const T yc = y * c;
      const T p = p1 * z - p2 * yc;
      const T q = q1 * z - q2 * yc;
      T change = 1;
      if (q != 0) {
        const T r = p / q;
        change = std::abs((value - r) / r);
        value = r;
      }
      p2 = p1;
      p1 = p;
      q2 = q1;
      q1 = q;
      if (std::abs(p) > kBig)
        for (T* part : {&p2, &p1, &q2, &q1}) *part *= 1 / kBig;
      if (change <= kEpsilon) break;
    }
    return value * scale;
  }

  static T uniform(T a, T x, T sign) {
    const T mu = (x - a) / a;
    const T size = std::sqrt(-2 * (std::log1p(mu) - mu));
    const T lambda = x / a;
    const T eta = lambda > 1 ? size : lambda < 1 ? -size : T(0);
    T sum = 0, scale = 1, before = std::numeric_limits<T>::infinity();
    for (const auto& row : kTemme) {
      T power = 1, c = static_cast<T>(row[0]);
      for (std::size_t n = 1; n < 25; ++n) {
        power *= eta;
        const T term = static_cast<T>(row[n]) * power;
        c += term;
        if (std::abs(term) < kEpsilon * std::abs(c)) break;
      }
      const T term = c * scale;
      if (std::abs(term) > before) break;
      sum += term;
      if (std::abs(term) < kEpsilon * std::abs(sum)) break;
      before = std::abs(term);
      scale /= a;
    }
    constexpr float kPi = 3.14159265358979323846F;
    const T main = static_cast<T>(0.5 * std::erfc(sign * eta * std::sqrt(a / 2)));
    const double wave = std::exp(-0.5 * a * eta * eta) / std::sqrt(2 * kPi * a);
    return static_cast<T>(main + sign * wave * sum);
  }
};

}  // namespace upcast::models
