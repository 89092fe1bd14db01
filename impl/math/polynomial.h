// Sums of polynomials, from tables that impl/math/generate/coefficients.py prints.
#pragma once

#include <array>
#include <cstddef>

#include "impl/core/host_device.h"

namespace upcast {

/// c[0] + c[1] x + ...
template <std::size_t N>
UPCAST_HOST_DEVICE constexpr double polynomial(const std::array<double, N>& c, double x) {
  double sum = 0;
  for (std::size_t i = N; i-- > 0;) sum = sum * x + c[i];
  return sum;
}

/// c[0] T_0(t) + c[1] T_1(t) + ..., -1 <= t <= 1. Source: Clenshaw (1955).
template <std::size_t N>
UPCAST_HOST_DEVICE constexpr double chebyshev(const std::array<double, N>& c, double t) {
  double next = 0, after = 0;
  for (std::size_t i = N; i-- > 1;) {
    const double sum = 2 * t * next - after + c[i];
    after = next;
    next = sum;
  }
  return t * next - after + c[0];
}

}  // namespace upcast
