// The version without branches that ops of one complex operand have for complex128.
#pragma once

#include <concepts>

#include "impl/math/complex_branchless.h"

namespace upcast::internal {

/// A base of an op's struct: `mostly` and `is_right` (make_op.h) for complex128, by a function of
/// complex_branchless.h. A struct that has a `mostly` of its own names both with `using`.
template <Complex<double> (*Function)(Complex<double>)>
struct MostlyComplex {
  template <std::same_as<Complex<double>> T>
  static T mostly(T x) {
    return Function(x);
  }
  template <std::same_as<Complex<double>> T>
  static bool is_right(T, T found) {
    return branchless::is_ordinary(found);
  }
};

}  // namespace upcast::internal
