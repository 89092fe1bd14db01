#include "oracle/ulp.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "impl/core/cast.h"
#include "oracle/same_value.h"

namespace upcast {
namespace {

std::uint64_t steps(float a, float b) {
  return step_distance(std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b), 4);
}

std::uint64_t steps(double a, double b) {
  return step_distance(std::bit_cast<std::uint64_t>(a), std::bit_cast<std::uint64_t>(b), 8);
}

TEST(StepDistance, CountsTheValuesInBetween) {
  EXPECT_EQ(steps(1.0F, 0x1.000002p0F), 1U);
  EXPECT_EQ(steps(0x1.000002p0F, 1.0F), 1U);
  EXPECT_EQ(steps(1.0F, 2.0F), 1U << 23);
  EXPECT_EQ(steps(1.0F, 0x1.fffffep-1F), 1U) << "below a power of two a step is half an ulp";
  EXPECT_EQ(steps(-1.0F, -0x1.000004p0F), 2U);
  EXPECT_EQ(step_distance(0x3c00, 0x3c05, 2), 5U);  // float16
  EXPECT_EQ(step_distance(0x38, 0xb8, 1), 0x70U);   // float8_e4m3fn: steps from 1 to -1
}

TEST(StepDistance, BothZerosHaveOnePlace) {
  EXPECT_EQ(steps(0.0F, -0.0F), 0U);
  EXPECT_EQ(steps(0x1p-149F, -0x1p-149F), 2U);
  EXPECT_EQ(steps(-0.0, 0x1p-1074), 1U);
}

/// Steps of float64 must be exact. Counted in float64, whose integers end at 2^53, the last step
/// would be lost.
TEST(StepDistance, IsExactForFloat64) {
  constexpr double kMax = std::numeric_limits<double>::max();
  const std::uint64_t to_zero = steps(kMax, 0.0);
  EXPECT_EQ(to_zero, 0x7fefffffffffffffU);
  EXPECT_EQ(steps(kMax, 0x1p-1074), to_zero - 1);
  EXPECT_EQ(steps(kMax, -kMax), 2 * to_zero);
}

/// Steps counted from values must equal steps counted from bits, over every float16 and at the ends
/// of float64.
TEST(StepDistance, OfValuesIsThatOfTheirBits) {
  for (std::uint64_t bits = 0; bits < 0x7c00; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double exponent = static_cast<double>(half >> 10), mantissa = half & 0x3ff;
    const double value =
        exponent == 0 ? mantissa * 0x1p-24 : std::ldexp(1024 + mantissa, int(exponent) - 25);
    ASSERT_EQ(step_distance(DType::kFloat16, value, 0), bits);
    ASSERT_EQ(step_distance(DType::kFloat16, value, -0x1p-24), bits + 1);
  }
  constexpr double kMax = std::numeric_limits<double>::max();
  for (const double a : {0.0, -0.0, 0x1p-1074, 0x1p-1022, -1.0, 0x1.fffffffffffffp0, kMax})
    for (const double b : {-kMax, -0x1p-1074, 0.0, 0x1.fffffffffffffp-1023, 3.0})
      EXPECT_EQ(step_distance(DType::kFloat64, a, b), steps(a, b)) << a << ' ' << b;
}

TEST(UlpOf, IsTheDistanceOfNeighboursInTheBinade) {
  EXPECT_EQ(ulp_of(DType::kFloat32, 1), 0x1p-23);
  EXPECT_EQ(ulp_of(DType::kFloat32, -1.5), 0x1p-23);
  EXPECT_EQ(ulp_of(DType::kFloat32, 0x1.fffffep-1), 0x1p-24);
  EXPECT_EQ(ulp_of(DType::kFloat16, 1), 0x1p-10);
  EXPECT_EQ(ulp_of(DType::kBFloat16, 1), 0x1p-7);
  EXPECT_EQ(ulp_of(DType::kFloat8E4M3FN, 1), 0x1p-3);
  EXPECT_EQ(ulp_of(DType::kFloat8E5M2, 1), 0x1p-2);
  EXPECT_EQ(ulp_of(DType::kFloat64, 0x1p1023), 0x1p971);
}

TEST(UlpOf, StopsAtTheSubnormalStep) {
  for (const double tiny : {0.0, 0x1p-149, 0x1p-126}) {
    EXPECT_EQ(ulp_of(DType::kFloat32, tiny), 0x1p-149) << tiny;
    EXPECT_EQ(ulp_of(DType::kFloat64, tiny * 0x1p-960), 0x1p-1074) << tiny;
  }
  EXPECT_EQ(ulp_of(DType::kFloat16, 0x1p-20), 0x1p-24);
  EXPECT_EQ(ulp_of(DType::kFloat8E4M3FN, 0), 0x1p-9);
}

/// The value of an element with these bits, as float64.
double value_of(DType dtype, std::uint64_t bits) {
  std::array<std::byte, sizeof(bits)> bytes{};
  std::memcpy(bytes.data(), &bits, sizeof(bits));
  return parts_of(dtype, bytes.data())[0];
}

std::uint64_t bits_of(DType dtype, double value) {
  std::uint64_t bits = 0;
  cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&value), dtype,
                reinterpret_cast<std::byte*>(&bits), 1);
  return bits;
}

/// One step must be one ulp for subnormals, in the smallest normal binade, around 1 and in a large
/// binade.
TEST(ErrorInUlp, OneStepOfAnyFloatingDTypeIsOneUlp) {
  int dtypes = 0;
  for (int i = 0; i < kDTypeCount; ++i) {
    const DType dtype = dtype_from_code(i);
    if (!is_floating(dtype) || !kElementwise.contains(dtype)) continue;
    ++dtypes;
    const int mantissa_bits = -std::ilogb(ulp_of(dtype, 1));
    const std::uint64_t of_one = bits_of(dtype, 1) >> mantissa_bits;
    for (const std::uint64_t exponent : {std::uint64_t{0}, std::uint64_t{1}, of_one, of_one + 5}) {
      const std::uint64_t power = exponent << mantissa_bits;
      if (mantissa_bits == 0) {  // float8_e8m0fnu holds powers of two only
        const double value = value_of(dtype, power);
        EXPECT_EQ(error_in_ulp(dtype, value_of(dtype, power + 1) - value, value), 1);
        continue;
      }
      const double value = value_of(dtype, power + 1);
      const auto error = [&](std::uint64_t bits) {
        return error_in_ulp(dtype, distance_to(value_of(dtype, bits), value), value);
      };
      EXPECT_EQ(error(power + 2), 1) << name(dtype) << ' ' << value;
      EXPECT_EQ(error(power), 1) << name(dtype) << ' ' << value;
      EXPECT_EQ(error(power + 3), 2) << name(dtype) << ": two steps, the control";
      if (exponent < 2) continue;
      const double one = value_of(dtype, power);
      EXPECT_EQ(error_in_ulp(dtype, one - value_of(dtype, power - 1), one), 0.5)
          << name(dtype) << " below a power of two";
    }
  }
  EXPECT_EQ(dtypes, 9);
}

TEST(ErrorInUlp, IsFiniteForAFiniteDistanceAndInOnesForIntegers) {
  EXPECT_TRUE(std::isfinite(error_in_ulp(DType::kFloat64, 1e300, 0)));
  EXPECT_EQ(error_in_ulp(DType::kInt32, 7, 3), 7);
  EXPECT_EQ(distance_to(1 + 0x1p-52, 1, 0x1p-54), 0.75 * 0x1p-52);
}

}  // namespace
}  // namespace upcast
