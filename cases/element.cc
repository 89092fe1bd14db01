#include "cases/element.h"

#include "impl/core/cast.h"
#include "impl/core/dtype_set.h"

namespace upcast {
namespace {

std::vector<std::byte> cast_one(DType from, const void* value, DType to) {
  std::vector<std::byte> element(static_cast<std::size_t>(itemsize(to)));
  cast_elements(from, static_cast<const std::byte*>(value), to, element.data(), 1);
  return element;
}

}  // namespace

std::vector<std::byte> element_of(DType dtype, double value) {
  return cast_one(DType::kFloat64, &value, dtype);
}
std::vector<std::byte> element_of(DType dtype, std::int64_t value) {
  return cast_one(DType::kInt64, &value, dtype);
}

double real_part(DType dtype, const std::byte* element) {
  double value = 0;
  cast_elements(dtype, element, DType::kFloat64, reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

Complex<double> value_of(DType dtype, const std::byte* element) {
  Complex<double> value;
  cast_elements(dtype, element, DType::kComplex128, reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

bool has_sign(DType dtype) {
  constexpr DTypeSet kWithout = kBools | kUnsigned | DTypeSet{DType::kUInt8, DType::kFloat8E8M0FNU};
  return !kWithout.contains(dtype);
}

}  // namespace upcast
