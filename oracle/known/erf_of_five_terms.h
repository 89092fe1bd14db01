// Formula 7.1.26 of Abramowitz and Stegun, as LibTorch's vector code evaluates it in float32: good
// to 1.5e-7 absolutely, so that nothing is right of a small result.
#pragma once

#include <cmath>
#include <initializer_list>

namespace upcast::models {

inline float erf_of_five_terms(float x) {
  const float t = 1 / std::fma(0.3275911F, std::abs(x), 1.0F);
  float terms = 1.061405429F;
  for (const float coefficient : {-1.453152027F, 1.421413741F, -0.284496736F, 0.254829592F})
    terms = std::fma(terms, t, coefficient);
  const float magnitude = std::fma(-std::exp(-(x * x)) * t, terms, 1.0F);
  return std::signbit(x) ? -magnitude : magnitude;
}

}  // namespace upcast::models
