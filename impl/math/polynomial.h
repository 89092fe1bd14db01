// Evaluates polynomials whose coefficient tables impl/math/generate prints.
//
// A table is a template argument, so that its coefficients become constants of the code: device
// code cannot read a table of the host.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "impl/core/host_device.h"

namespace upcast {

/// Element I of a coefficient table.
template <const auto& kTable, std::size_t I>
inline constexpr auto kElement = kTable[I];

namespace internal {

template <const auto& kTable, std::size_t... I>
UPCAST_HOST_DEVICE constexpr double horner(double x, std::index_sequence<I...>) {
  double sum = 0;
  ((sum = sum * x + kElement<kTable, sizeof...(I) - 1 - I>), ...);
  return sum;
}

template <const auto& kTable, std::size_t... I>
UPCAST_HOST_DEVICE constexpr double clenshaw(double t, std::index_sequence<I...>) {
  double next = 0, after = 0;
  const auto step = [&](double coefficient) {
    const double sum = 2 * t * next - after + coefficient;
    after = next;
    next = sum;
  };
  (step(kElement<kTable, sizeof...(I) - I>), ...);
  return t * next - after + kElement<kTable, 0>;
}

}  // namespace internal

/// The polynomial c[0] + c[1] x + ... with the coefficients c of a table.
template <const auto& kTable>
UPCAST_HOST_DEVICE constexpr double polynomial(double x) {
  return internal::horner<kTable>(x, std::make_index_sequence<kTable.size()>{});
}

/// The Chebyshev series c[0] T_0(t) + c[1] T_1(t) + ... for -1 <= t <= 1. Source: Clenshaw (1955).
template <const auto& kTable>
UPCAST_HOST_DEVICE constexpr double chebyshev(double t) {
  return internal::clenshaw<kTable>(t, std::make_index_sequence<kTable.size() - 1>{});
}

}  // namespace upcast
