// How far a side may err: the classes of error bounds (docs/numerics.md).
#pragma once

#include "cases/case.h"
#include "oracle/side.h"

namespace upcast {

/// The error of correct rounding, in ulp.
inline constexpr double kCorrectRounding = 0.5;

/// The error bound of a class of sides for an op, in ulp of `dtype`; 0: bit for bit. A foreign side
/// has the larger one of ours and of LibTorch's scalar paths.
double error_bound(const Accuracy& accuracy, DType dtype, Implementation side);

/// As error_bound(), for the case's op and a floating `dtype`; at least what correct rounding
/// needs.
double accuracy_bound(const Case& c, DType dtype, Implementation side);

/// The scale of an op: smaller values are judged in ulp of it, for either side. 0 if a side is the
/// truth: there a large relative error of a small value counts.
double error_scale(const Accuracy& accuracy, Sides sides);

/// Whether a side is judged by its real error and its own bound alone if the other side is the
/// truth. LibTorch is not, because its bounds were measured and promise nothing.
constexpr bool is_judged_by_the_truth(Implementation side) {
  return side == Implementation::kOurs || side == Implementation::kForeign;
}

}  // namespace upcast
