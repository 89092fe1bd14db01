#include "properties/elements.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "cases/element.h"
#include "impl/core/cast.h"
#include "properties/generators.h"

namespace upcast::properties {
Elements::Elements(DType dtype, const std::vector<std::byte>& bytes)
    : dtype_(dtype),
      size_(std::max<std::size_t>(1, static_cast<std::size_t>(itemsize(dtype)))),
      bytes_(bytes) {}

double Elements::re(std::size_t i) const { return value_of(dtype_, at(i)).re; }
double Elements::im(std::size_t i) const {
  return is_complex(dtype_) ? value_of(dtype_, at(i)).im : 0;
}

Wide Elements::whole(std::size_t i) const {
  std::int64_t value = 0;
  cast_elements(dtype_, at(i), DType::kInt64, reinterpret_cast<std::byte*>(&value), 1);
  if (dtype_ == DType::kUInt64) return static_cast<std::uint64_t>(value);
  return value;
}

Wide Elements::order(std::size_t i) const {
  if (!is_floating(dtype_)) return whole(i);
  const double value = re(i);
  std::int64_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits < 0 ? std::numeric_limits<std::int64_t>::min() - bits : bits;
}

Operand filled(const Operand& like, double value) {
  Operand operand = tensor(like.dtype, like.sizes);
  const std::vector<std::byte> element = element_of(like.dtype, value);
  for (std::int64_t i = 0; i < element_count(like); ++i)
    operand.values.insert(operand.values.end(), element.begin(), element.end());
  return operand;
}

Wide wrapped(DType dtype, Wide value) {
  const int bits = 8 * itemsize(dtype);
  const Wide modulus = static_cast<Wide>(1) << bits;
  Wide low = value % modulus;
  if (low < 0) low += modulus;
  return is_signed(dtype) && low >= modulus / 2 ? low - modulus : low;
}

bool holds(const Operand& operand, Wide value) {
  const Elements elements(operand);
  for (std::size_t i = 0; i < elements.count(); ++i)
    if (elements.whole(i) == value) return true;
  return false;
}

bool holds_least_integer(const Operand& operand) {
  return is_signed(operand.dtype) &&
         holds(operand, -(static_cast<Wide>(1) << (8 * itemsize(operand.dtype) - 1)));
}

bool holds_minus_one(const Operand& operand) {
  return is_signed(operand.dtype) && holds(operand, -1);
}

std::optional<FloatRange> range_of(DType real) {
  switch (real) {
    case DType::kFloat16:
      return FloatRange{11, -24, 15};
    case DType::kBFloat16:
      return FloatRange{8, -133, 127};
    case DType::kFloat32:
      return FloatRange{24, -149, 127};
    case DType::kFloat64:
      return FloatRange{53, -1074, 1023};
    case DType::kFloat8E5M2:
      return FloatRange{3, -16, 15};
    case DType::kFloat8E4M3FN:
      return FloatRange{4, -9, 8};
    default:
      return std::nullopt;
  }
}

bool holds_signalling_nan(const Case& c) {
  for (const Operand& operand : c.arguments) {
    const std::optional<FloatRange> range = range_of(operand.dtype);
    if (!range || operand.tag != Operand::Tag::kTensor) continue;
    const auto quiet_bit = static_cast<std::size_t>(range->precision - 2);
    for (std::size_t i = 0; i < Elements(operand).count(); ++i) {
      const std::byte part = Elements(operand).at(i)[quiet_bit / 8];
      const bool quiet = ((part >> (quiet_bit % 8)) & std::byte{1}) != std::byte{0};
      if (Elements(operand).is_nan(i) && !quiet) return true;
    }
  }
  return false;
}

}  // namespace upcast::properties
