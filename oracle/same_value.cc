#include "oracle/same_value.h"

#include <cstring>

#include "impl/core/cast.h"

namespace upcast {

ElementParts parts_of(DType dtype, const std::byte* element) {
  ElementParts parts{};
  cast_elements(dtype, element, DType::kComplex128, reinterpret_cast<std::byte*>(parts.data()), 1);
  return parts;
}

bool same_value(DType dtype, const std::byte* a, const std::byte* b) {
  if (std::memcmp(a, b, itemsize(dtype)) == 0) return true;
  if (!is_floating(to_real(dtype))) return false;
  const ElementParts x = parts_of(dtype, a);
  const ElementParts y = parts_of(dtype, b);
  return same_value(x[0], y[0]) && same_value(x[1], y[1]);
}

}  // namespace upcast
