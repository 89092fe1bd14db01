// log |gamma(x)|.
#pragma once

#include <cmath>

namespace upcast {

/// The C library's, without its global sign (the reentrant form).
inline double lgamma(double x) {
  int sign = 0;
  return ::lgamma_r(x, &sign);
}

}  // namespace upcast
