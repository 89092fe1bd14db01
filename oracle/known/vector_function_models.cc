#include "oracle/known/vector_function_models.h"

#include <cmath>
#include <limits>

#include "oracle/known/model_maps.h"

namespace upcast {

using namespace models;

float erf_of_five_terms(float x) {
  const float t = 1 / std::fma(0.3275911F, std::abs(x), 1.0F);
  float terms = 1.061405429F;
  for (const float coefficient : {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F})
    terms = std::fma(terms, t, coefficient);
  const float magnitude = std::fma(-std::exp(-(x * x)) * t, terms, 1.0F);
  return std::signbit(x) ? -magnitude : magnitude;
}

std::optional<Answer> erf_of_five_terms(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok() || !is_reduced(promoted.value().common)) return std::nullopt;
  return mapped<float>(c, right, promoted.value().common,
                       [](float x) { return erf_of_five_terms(x); });
}

std::optional<Answer> hyperbolic_by_whole_exp(const Case& c, const Answer& right) {
  const bool odd = c.op->spec->name == "sinh";
  return in_the_dtype(c, right, [odd]<class T>(T x) -> T {
    if (std::isinf(std::exp(std::abs(x))))
      return std::copysign(std::numeric_limits<T>::infinity(), odd ? x : T(1));
    return odd ? std::sinh(x) : std::cosh(x);
  });
}

std::optional<Answer> lgamma_by_overflowing_product(const Case& c, const Answer& right) {
  return in_the_dtype(c, right, []<class T>(T x) -> T {
    return x > 1 && std::isinf((x - T(0.5)) * std::log(x)) ? std::numeric_limits<T>::infinity()
                                                           : std::lgamma(x);
  });
}

}  // namespace upcast
