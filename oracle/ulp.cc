#include "oracle/ulp.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "impl/core/element.h"

namespace upcast {
namespace {

struct Precision {
  int digits;        // binary digits of the significand, with the leading one
  int min_exponent;  // exponent of the smallest normal value
};

constexpr std::array<Precision, kDTypeCount> all_precisions() {
  std::array<Precision, kDTypeCount> table;
  table.fill({1, -127});  // for dtypes without elements: the precision of float8_e8m0fnu
  for_each_element(AllElements{}, [&](auto row) {
    using T = typename decltype(row)::type;
    if constexpr (kIsPacked<T>)  // a format without mantissa bits has no subnormal values either
      table[code(row.dtype)] = {T::kFormat.mantissa_bits + 1,
                                (T::kFormat.mantissa_bits > 0 ? 1 : 0) - T::kFormat.bias};
    else if constexpr (std::is_floating_point_v<T>)
      table[code(row.dtype)] = {std::numeric_limits<T>::digits,
                                std::numeric_limits<T>::min_exponent - 1};
  });
  return table;
}

/// The precision of a floating dtype, or of the real parts of a complex one.
Precision precision(DType dtype) {
  static constexpr std::array<Precision, kDTypeCount> kPrecisions = all_precisions();
  return kPrecisions[static_cast<std::size_t>(code(dtype))];
}

/// How many values of the dtype lie between 0 and this value: those of its binade below it, and all
/// of the binades below that.
std::uint64_t steps_from_zero(DType dtype, double value) {
  const auto [digits, min_exponent] = precision(dtype);
  const int exponent = value == 0 ? min_exponent : std::max(std::ilogb(value), min_exponent);
  const auto binades = static_cast<std::uint64_t>(exponent - min_exponent);
  const auto mantissa =
      static_cast<std::uint64_t>(std::ldexp(std::abs(value), digits - 1 - exponent));
  return (binades << (digits - 1)) + mantissa;
}

}  // namespace

std::uint64_t step_distance(DType dtype, double a, double b) {
  const std::uint64_t from_zero_a = steps_from_zero(dtype, a);
  const std::uint64_t from_zero_b = steps_from_zero(dtype, b);
  if (std::signbit(a) != std::signbit(b)) return from_zero_a + from_zero_b;
  return std::max(from_zero_a, from_zero_b) - std::min(from_zero_a, from_zero_b);
}

std::uint64_t step_distance(std::uint64_t a, std::uint64_t b, std::size_t size) {
  const std::uint64_t sign = std::uint64_t{1} << (8 * size - 1);
  const std::uint64_t from_zero_a = a & (sign - 1);
  const std::uint64_t from_zero_b = b & (sign - 1);
  if ((a & sign) != (b & sign)) return from_zero_a + from_zero_b;
  return std::max(from_zero_a, from_zero_b) - std::min(from_zero_a, from_zero_b);
}

double ulp_of(DType dtype, double value) {
  const auto [digits, min_exponent] = precision(dtype);
  // Reads the exponent from the bits, which is faster than ilogb() in a sweep. 0 and float64's
  // subnormals are below every dtype's normal values, so they need no care.
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
  const int place = std::max(biased - 1023, min_exponent) - digits + 1;
  if (place < -1022) return std::ldexp(1.0, place);
  return std::bit_cast<double>(static_cast<std::uint64_t>(place + 1023) << 52);
}

double error_in_ulp(DType result, double distance, double size) {
  const double ulp = is_floating(result) ? ulp_of(result, size) : 1;
  return std::min(distance / ulp, std::numeric_limits<double>::max());
}

}  // namespace upcast
