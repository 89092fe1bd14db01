#include "oracle/ulp.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace upcast {
namespace {

template <class Bits, class Float>
std::uint64_t distance(Float a, Float b) {
  constexpr Bits kSign = Bits{1} << (sizeof(Bits) * 8 - 1);
  const Bits first = std::bit_cast<Bits>(a);
  const Bits second = std::bit_cast<Bits>(b);
  const std::uint64_t first_steps = first & ~kSign;
  const std::uint64_t second_steps = second & ~kSign;
  if ((first & kSign) == (second & kSign))
    return first_steps > second_steps ? first_steps - second_steps : second_steps - first_steps;
  return first_steps + second_steps;
}

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

}  // namespace

std::uint64_t step_distance(float a, float b) { return distance<std::uint32_t>(a, b); }
std::uint64_t step_distance(double a, double b) { return distance<std::uint64_t>(a, b); }

double ulp_of(DType dtype, double value) {
  const auto [digits, min_exponent] = precision(dtype);
  // on bits, for sweeps; 0 and the subnormals of float64 are below every dtype's normal values
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff);
  const int place = std::max(biased - 1023, min_exponent) - digits + 1;
  if (place < -1022) return std::ldexp(1.0, place);
  return std::bit_cast<double>(static_cast<std::uint64_t>(place + 1023) << 52);
}

}  // namespace upcast
