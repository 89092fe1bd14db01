#include "oracle/same_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "impl/core/cast.h"

namespace upcast {

bool same_value(DType dtype, const std::byte* a, const std::byte* b) {
  if (std::memcmp(a, b, itemsize(dtype)) == 0) return true;
  if (!is_floating(to_real(dtype))) return false;
  std::array<std::array<double, 2>, 2> parts;
  cast_elements(dtype, a, DType::kComplex128, reinterpret_cast<std::byte*>(parts[0].data()), 1);
  cast_elements(dtype, b, DType::kComplex128, reinterpret_cast<std::byte*>(parts[1].data()), 1);
  return std::equal(parts[0].begin(), parts[0].end(), parts[1].begin(), [](double x, double y) {
    return std::isnan(x) ? std::isnan(y) : x == y && std::signbit(x) == std::signbit(y);
  });
}

}  // namespace upcast
