// Elementary functions of LibTorch's vector paths (AVX2, AVX-512) where they are wrong.
#include <cmath>
#include <limits>

#include "oracle/known/erf_of_five_terms.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_maps.h"

namespace upcast::models {
namespace {

/// erf of float16 and bfloat16.
std::optional<Answer> reduced_erf(const Case& c, const Answer& right) {
  const auto common = common_among(c, kReducedFloats);
  if (!common) return std::nullopt;
  return mapped<float>(c, right, *common, erf_of_five_terms);
}

/// sinh and cosh of bfloat16 and float64: the vector code takes exp(|x|), which overflows before
/// its half does, and answers infinity.
template <bool kOdd>
std::optional<Answer> hyperbolic_by_whole_exp(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, []<class T>(T x) -> T {
    if (std::isinf(std::exp(std::abs(x))))
      return std::copysign(std::numeric_limits<T>::infinity(), kOdd ? x : T(1));
    return kOdd ? std::sinh(x) : std::cosh(x);
  });
}

/// lgamma, and mvlgamma with p = 1: the vector code computes (x - 1/2) log(x) before it subtracts
/// x, and that overflows where the difference does not.
std::optional<Answer> lgamma_by_overflowing_product(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, []<class T>(T x) -> T {
    return x > 1 && std::isinf((x - T(0.5)) * std::log(x)) ? std::numeric_limits<T>::infinity()
                                                           : std::lgamma(x);
  });
}

}  // namespace

ModelRows vector_function_models() {
  return {
      {"erf_of_five_terms", {"erf"}, reduced_erf},
      {"hyperbolic_by_whole_exp", {"sinh"}, hyperbolic_by_whole_exp<true>},
      {"hyperbolic_by_whole_exp", {"cosh"}, hyperbolic_by_whole_exp<false>},
      {"lgamma_by_overflowing_product", {"lgamma", "mvlgamma"}, lgamma_by_overflowing_product},
  };
}

}  // namespace upcast::models
