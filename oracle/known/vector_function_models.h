// Elementary functions of LibTorch's vector paths (AVX2, AVX-512) where they are wrong.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast {

/// Formula 7.1.26 of Abramowitz and Stegun, as the vector code evaluates it.
float erf_of_five_terms(float x);

/// erf of float16 and bfloat16: the vector code computes formula 7.1.26 of Abramowitz and Stegun in
/// float32, good to 1.5e-7 absolutely, so that nothing is right of a small result.
std::optional<Answer> erf_of_five_terms(const Case& c, const Answer& right);

/// sinh and cosh of bfloat16 and float64: the vector code takes exp(|x|), which overflows before
/// its half does, and answers infinity.
std::optional<Answer> hyperbolic_by_whole_exp(const Case& c, const Answer& right);

/// lgamma, and mvlgamma with p = 1: the vector code computes (x - 1/2) log(x) before it subtracts
/// x, and that overflows where the difference does not.
std::optional<Answer> lgamma_by_overflowing_product(const Case& c, const Answer& right);

}  // namespace upcast
