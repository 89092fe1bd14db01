// Models of LibTorch's vector paths (AVX2, AVX-512) where they differ from its scalar code.
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>

#include "oracle/known/known_models.h"
#include "oracle/known/model_maps.h"
#include "oracle/known/model_values.h"
#include "oracle/known/nearest_answer.h"

namespace upcast::models {
namespace {

template <class T>
std::optional<Answer> zero_minus(const Case& c, DType common, const Answer& right,
                                 const Answer& answer) {
  return nearest<Complex<T>>(c, common, right, answer, [](Contraction&, const auto& x, auto i) {
    return Complex<T>{} - x.at(0, i);
  });
}

template <class T>
std::optional<Answer> over_modulus(const Case& c, DType common, const Answer& right,
                                   const Answer& answer) {
  return nearest<Complex<T>>(c, common, right, answer, [](Contraction&, const auto& x, auto i) {
    const Complex<T> z = x.at(0, i);
    const T modulus = std::hypot(z.re, z.im);
    return modulus == 0 ? Complex<T>{} : Complex<T>{z.re / modulus, z.im / modulus};
  });
}

/// Whether SLEEF's first estimate of x / y is infinite. SLEEF scales a subnormal divisor up, and x
/// with it, and x may then overflow.
template <class T>
bool quotient_overflows(T x, T y) {
  using Limits = std::numeric_limits<T>;
  x = std::abs(x);
  y = std::abs(y);
  if (y < Limits::min()) {
    const T scale = sizeof(T) == 4 ? T(0x1p25) : T(0x1p54);
    x *= scale;
    y *= scale;
  }
  return std::isinf(std::nextafter(x, T(0)) * std::nextafter(1 / y, T(0))) || std::isinf(x);
}

template <class T>
std::optional<Answer> nan_where_it_overflows(const Case& c, DType common, const Answer& right,
                                             const Answer& answer) {
  const auto formula = [](Contraction&, const auto& x, auto i) -> std::optional<T> {
    if (!quotient_overflows(x.at(0, i), x.at(1, i))) return std::nullopt;
    return std::numeric_limits<T>::quiet_NaN();
  };
  return nearest<T>(c, common, right, answer, formula);
}

/// neg of complex dtypes: 0 - x in the vector body, which makes +0 of +0, and -x elsewhere.
std::optional<Answer> zero_minus_operand(const Case& c, const Answer& right, const Answer& answer) {
  const auto common = common_among(c, kComplexes);
  if (!common) return std::nullopt;
  return *common == DType::kComplex128 ? zero_minus<double>(c, *common, right, answer)
                                       : zero_minus<float>(c, *common, right, answer);
}

/// sgn of complex dtypes: the vector code divides each part by the modulus. The scalar code divides
/// by a complex number.
std::optional<Answer> part_by_part_over_modulus(const Case& c, const Answer& right,
                                                const Answer& answer) {
  const auto common = common_among(c, kComplexes);
  if (!common) return std::nullopt;
  return *common == DType::kComplex128 ? over_modulus<double>(c, *common, right, answer)
                                       : over_modulus<float>(c, *common, right, answer);
}

/// acos of complex128: the vector code computes pi / 2 - asin(z), which cancels near 1 and gives
/// zeros another sign.
std::optional<Answer> half_pi_minus_asin(const Case& c, const Answer& right, const Answer& answer) {
  const auto common = common_among(c, DType::kComplex128);
  if (!common) return std::nullopt;
  using Z = Complex<double>;
  return nearest<Z>(c, *common, right, answer, [](Contraction&, const auto& x, auto i) {
    const std::complex<double> asin = std::asin(std::complex(x.at(0, i).re, x.at(0, i).im));
    return Z{std::numbers::pi / 2, 0} - Z{asin.real(), asin.imag()};
  });
}

/// fmod and remainder of float32, float64 and bfloat16: SLEEF's fmod multiplies by the reciprocal
/// of the divisor. If |x| / |y| is beyond the largest float, infinity * 0 makes a NaN.
std::optional<Answer> nan_for_an_overflowing_quotient(const Case& c, const Answer& right,
                                                      const Answer& answer) {
  const auto common = common_among(c, kFloats);
  if (!common) return std::nullopt;
  return *common == DType::kFloat64 ? nan_where_it_overflows<double>(c, *common, right, answer)
                                    : nan_where_it_overflows<float>(c, *common, right, answer);
}

/// erf of float16 and bfloat16, and of float32 in compiled code: the vector code computes
/// erf_of_five_terms in float32.
std::optional<Answer> erf_in_float32(const Case& c, const Answer& right) {
  const auto common = common_among(c, kReducedFloats | DTypeSet{DType::kFloat32});
  if (!common) return std::nullopt;
  return mapped<float>(c, right, *common, erf_of_five_terms);
}

/// sinh and cosh of bfloat16 and float64: the vector code computes exp(|x|) before it halves it.
/// That overflows too early and gives infinity.
template <bool kOdd>
std::optional<Answer> hyperbolic_by_whole_exp(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, []<class T>(T x) -> T {
    if (std::isinf(std::exp(std::abs(x))))
      return std::copysign(std::numeric_limits<T>::infinity(), kOdd ? x : T(1));
    return kOdd ? std::sinh(x) : std::cosh(x);
  });
}

/// lgamma, and mvlgamma with p = 1: the vector code computes (x - 1/2) log(x) before it subtracts
/// x. The product may overflow although the difference does not.
std::optional<Answer> lgamma_by_overflowing_product(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, []<class T>(T x) -> T {
    return x > 1 && std::isinf((x - T(0.5)) * std::log(x)) ? std::numeric_limits<T>::infinity()
                                                           : std::lgamma(x);
  });
}

}  // namespace

ModelRows vector_models() {
  return {
      {"erf_of_five_terms", {"erf"}, erf_in_float32},
      {"hyperbolic_by_whole_exp", {"sinh"}, hyperbolic_by_whole_exp<true>},
      {"hyperbolic_by_whole_exp", {"cosh"}, hyperbolic_by_whole_exp<false>},
      {"lgamma_by_overflowing_product", {"lgamma", "mvlgamma"}, lgamma_by_overflowing_product},
      {"zero_minus_operand", {"neg"}, zero_minus_operand},
      {"part_by_part_over_modulus", {"sgn"}, part_by_part_over_modulus},
      {"half_pi_minus_asin", {"acos"}, half_pi_minus_asin},
      {"nan_for_an_overflowing_quotient", {"fmod", "remainder"}, nan_for_an_overflowing_quotient},
  };
}

}  // namespace upcast::models
