#include "oracle/ulp.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace upcast {
namespace {

struct Precision {
  int digits;        // of the significand, the leading one too
  int min_exponent;  // of the smallest normal value
};

Precision precision(DType dtype) {
  switch (dtype) {
    case DType::kFloat64:
      return {53, -1022};
    case DType::kFloat32:
      return {24, -126};
    case DType::kFloat16:
      return {11, -14};
    case DType::kBFloat16:
      return {8, -126};
    case DType::kFloat8E5M2:
      return {3, -14};
    case DType::kFloat8E4M3FN:
      return {4, -6};
    case DType::kFloat8E5M2FNUZ:
      return {3, -15};
    case DType::kFloat8E4M3FNUZ:
      return {4, -7};
    default:
      return {1, -127};
  }
}

/// How many values of the dtype lie between 0 and this one: whole ulp of its binade, and what is
/// below that.
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
  // on bits, for sweeps; 0 and the subnormals of float64 are below every dtype's normal values
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
