#include "impl/math/wrapping.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace upcast {
namespace {

/// What LibTorch computes: the product of `exponent` factors, and for a negative exponent the
/// reciprocal, rounded towards zero. It is 0 for base 0 too.
template <class T>
T power_by_definition(int base, int exponent) {
  if (exponent < 0) return static_cast<T>(base == 1 || base == -1 ? (exponent % 2 ? base : 1) : 0);
  std::uint64_t product = 1;
  for (int i = 0; i < exponent; ++i) product *= static_cast<std::uint64_t>(base);
  return static_cast<T>(product);
}

template <class T>
void expect_powers(int first, int last, int step) {
  for (int base = first; base <= last; base += step)
    for (int exponent = first; exponent <= last; exponent += step)
      ASSERT_EQ(integer_power(static_cast<T>(base), static_cast<T>(exponent)),
                power_by_definition<T>(base, exponent))
          << base << " to the power of " << exponent;
}

TEST(IntegerPower, IsRightForAllPairsOf8Bits) {
  expect_powers<std::int8_t>(-128, 127, 1);
  expect_powers<std::uint8_t>(0, 255, 1);
}

TEST(IntegerPower, IsRightForLongerIntegers) {
  expect_powers<std::int16_t>(-32768, 32767, 509);
  expect_powers<std::uint16_t>(0, 65535, 509);
  expect_powers<std::int32_t>(-300, 300, 7);
  expect_powers<std::int64_t>(-300, 300, 7);
  EXPECT_EQ(integer_power<std::int64_t>(-3, 39), -4052555153018976267);
  EXPECT_EQ(integer_power(std::numeric_limits<std::int64_t>::min(), std::int64_t{1}),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(integer_power<std::int16_t>(1, -32768), 1);
  EXPECT_EQ(integer_power<std::int16_t>(-1, -32767), -1);
}

}  // namespace
}  // namespace upcast
