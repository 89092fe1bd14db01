// How far a side may err: the classes of error bounds (docs/numerics.md).
#pragma once

#include "cases/case.h"
#include "oracle/side.h"

namespace upcast {

/// The error of correct rounding, in ulp.
inline constexpr double kCorrectRounding = 0.5;

/// How far a class of sides may err in an op, in ulp of `dtype`; 0: bit for bit. For a foreign side
/// it is the larger one of the bounds of our side and of LibTorch's scalar paths.
double error_bound(const Accuracy& accuracy, DType dtype, Implementation side);

/// The error_bound() of the case's op for a floating `dtype`, but never less than correct rounding
/// needs.
double accuracy_bound(const Case& c, DType dtype, Implementation side);

/// The scale of an op: errors of values smaller than it are measured in ulp of the scale. 0 if a
/// side is the truth, because then a large relative error of a small value counts.
double error_scale(const Accuracy& accuracy, Sides sides);

/// Whether this kind of side, compared with the truth, is judged by its own bound and its real
/// error alone. LibTorch is not, because its bounds were measured and promise nothing.
constexpr bool is_judged_by_the_truth(Implementation side) {
  return side == Implementation::kOurs || side == Implementation::kForeign;
}

}  // namespace upcast
