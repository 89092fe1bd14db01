// Tests every code of every narrow format, and compares rounding with a search for the nearest
// value.
#include "impl/core/packed_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "impl/core/element.h"

namespace upcast {
namespace {

template <class T>
class PackedFloatTest : public testing::Test {};
using Formats = testing::Types<Half, BFloat16, Float8E5M2, Float8E4M3FN, Float8E5M2FNUZ,
                               Float8E4M3FNUZ, Float8E8M0FNU>;
TYPED_TEST_SUITE(PackedFloatTest, Formats);

template <class T>
std::vector<float> finite_values() {
  std::vector<float> values;
  for (std::uint32_t code = 0; code < 1U << (8 * sizeof(T)); ++code) {
    const float value = static_cast<float>(T::from_bits(static_cast<decltype(T::bits)>(code)));
    if (std::isfinite(value)) values.push_back(value);
  }
  std::sort(values.begin(), values.end());
  return values;
}

TYPED_TEST(PackedFloatTest, EveryCodeSurvivesTheRoundTrip) {
  int checked = 0;
  for (std::uint32_t code = 0; code < 1U << (8 * sizeof(TypeParam)); ++code) {
    const auto packed = TypeParam::from_bits(static_cast<decltype(TypeParam::bits)>(code));
    const float value = static_cast<float>(packed);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(TypeParam(static_cast<double>(value)))));
      continue;
    }
    if (std::isinf(value) && std::is_same_v<TypeParam, Float8E4M3FN>) continue;
    ASSERT_EQ(TypeParam(static_cast<double>(value)).bits, packed.bits) << value;
    ++checked;
  }
  EXPECT_GT(checked, 200);
}

TYPED_TEST(PackedFloatTest, RoundsToTheNearerNeighbour) {
  const std::vector<float> values = finite_values<TypeParam>();
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const double low = values[i];
    const double high = values[i + 1];
    if (low == high) continue;               // both are zero: -0 and +0
    const double middle = (low + high) / 2;  // exact
    EXPECT_EQ(static_cast<float>(TypeParam(std::nextafter(middle, low))), values[i]);
    EXPECT_EQ(static_cast<float>(TypeParam(std::nextafter(middle, high))), values[i + 1]);
    const float tie = static_cast<float>(TypeParam(middle));
    EXPECT_TRUE(tie == values[i] || tie == values[i + 1]);
  }
}

TEST(DecodeHalf, IsDecodeFloatOfEveryCode) {
  for (std::uint32_t code = 0; code < 0x10000; ++code) {
    const float right = decode_float<kHalfFormat>(code);
    const float found = decode_half(static_cast<std::uint16_t>(code));
    ASSERT_EQ(std::signbit(found), std::signbit(right)) << code;
    if (std::isnan(right))
      ASSERT_TRUE(std::isnan(found)) << code;
    else
      ASSERT_EQ(found, right) << code;
  }
}

TEST(Overflow, IsEachFormatsOwn) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(Half(65519.).bits, 0x7bff);
  EXPECT_EQ(Half(65520.).bits, 0x7c00);
  EXPECT_EQ(BFloat16(3.4e38).bits, 0x7f80);
  EXPECT_EQ(Float8E5M2(61439.).bits, 0x7b);
  EXPECT_EQ(Float8E5M2(61440.).bits, 0x7c);
  EXPECT_EQ(Float8E4M3FN(1e9).bits, 0x7e) << "saturates";
  EXPECT_EQ(Float8E4M3FN(-inf).bits, 0xfe) << "saturates";
  EXPECT_EQ(Float8E4M3FNUZ(247.).bits, 0x7f);
  EXPECT_EQ(Float8E4M3FNUZ(248.).bits, 0x80);
  EXPECT_EQ(Float8E5M2FNUZ(inf).bits, 0x80);
  EXPECT_EQ(Float8E8M0FNU(inf).bits, 0xff);
}

TEST(Zero, HasASignWhereTheFormatHasOne) {
  EXPECT_EQ(Half(-0.).bits, 0x8000);
  EXPECT_EQ(Float8E4M3FN(-0.).bits, 0x80);
  EXPECT_EQ(Float8E4M3FNUZ(-0.).bits, 0x00);
  EXPECT_EQ(Float8E5M2FNUZ(-1e-30).bits, 0x00);
  EXPECT_EQ(Float8E8M0FNU(0.).bits, 0x00) << "2^-127";
}

TEST(NaN, OfTheLeastPayloadStaysOne) {
  const float nan = std::bit_cast<float>(0x7f800001U);
  EXPECT_EQ(encode_bfloat16(nan), 0x7fc0);
  EXPECT_EQ(encode_half(nan), 0x7e00);
  EXPECT_EQ(encode_bfloat16(std::numeric_limits<float>::infinity()), 0x7f80);
}

TEST(NaN, KeepsItsSignWhereLibTorchKeepsIt) {
  const double nan = -std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Half(nan).bits, 0xfe00);
  EXPECT_EQ(encode_half(static_cast<float>(nan)), 0xfe00);
  EXPECT_EQ(Float8E5M2(nan).bits, 0xff);
  EXPECT_EQ(Float8E4M3FN(nan).bits, 0xff);
  EXPECT_EQ(BFloat16(nan).bits, 0x7fc0);
  EXPECT_EQ(encode_bfloat16(static_cast<float>(nan)), 0x7fc0);
  EXPECT_EQ(Float8E5M2FNUZ(nan).bits, 0x80);
}

TEST(E8M0, BeyondTheLargestPowerIsNaN) {
  EXPECT_EQ(Float8E8M0FNU(0x1p127).bits, 0xfe);
  EXPECT_EQ(Float8E8M0FNU(0x1.8p127).bits, 0xff);
  EXPECT_EQ(Float8E8M0FNU(1e300).bits, 0xff);
  EXPECT_EQ(Float8E8M0FNU(std::numeric_limits<double>::infinity()).bits, 0xff);
}

TEST(Convert, Float64RoundsOnceToFloat16) {
  // The expected value shows that there is one rounding: rounding to float32 first would give 1.0.
  EXPECT_EQ(static_cast<float>(convert<Half>(1 + 0x1p-11 + 0x1p-30)), 1 + 0x1p-10F);
}

TEST(Convert, Int32RoundsOnceToBFloat16) {
  const auto expect_right = [](auto value) {
    EXPECT_EQ(convert<BFloat16>(value).bits, BFloat16(static_cast<double>(value)).bits) << value;
  };
  for (int power = 0; power < 32; ++power)
    for (std::uint32_t half_steps = 0; half_steps < 256; ++half_steps)
      for (std::uint32_t near = 0; near < 5; ++near) {
        const std::uint32_t value =
            static_cast<std::uint32_t>(std::uint64_t{256 + half_steps} << power >> 8) + near - 2;
        expect_right(value);
        expect_right(static_cast<std::int32_t>(value));
        expect_right(static_cast<std::int32_t>(0U - value));
      }
}

TEST(Convert, Int64RoundsOnceToFloat16AndBFloat16) {
  EXPECT_EQ(static_cast<float>(convert<Half>(std::int64_t{2049})), 2048.F);
  EXPECT_EQ(static_cast<float>(convert<Half>(std::int64_t{2051})), 2052.F);
  // Each value is halfway between two bfloat16 numbers, plus one. Rounding to float64 first would
  // lose the one, and the tie would go to even.
  for (int power = 55; power <= 62; ++power) {
    const std::int64_t above_tie =
        (std::int64_t{1} << power) + (std::int64_t{1} << (power - 8)) + 1;
    const float up = std::ldexp(0x1.02p0F, power);
    EXPECT_EQ(static_cast<float>(convert<BFloat16>(above_tie)), up);
    EXPECT_EQ(static_cast<float>(convert<BFloat16>(-above_tie)), -up);
  }
}

TEST(Convert, BoolIsNonzero) {
  EXPECT_TRUE(convert<bool>(std::numeric_limits<float>::quiet_NaN()));
  EXPECT_TRUE(convert<bool>(Complex<float>{0, 1}));
  EXPECT_FALSE(convert<bool>(-0.0));
  EXPECT_TRUE(convert<bool>(Half::from_bits(1)));
  EXPECT_EQ(convert<float>(StoredBool{2}), 1.F);
  EXPECT_EQ(convert<StoredBool>(StoredBool{2}).byte, 1);
}

TEST(Convert, IntegersWrapAndFloatsTruncate) {
  EXPECT_EQ(convert<std::uint8_t>(std::int64_t{300}), 44);
  EXPECT_EQ(convert<std::int8_t>(std::int32_t{-129}), 127);
  EXPECT_EQ(convert<std::int32_t>(-1.9F), -1);
  EXPECT_EQ(convert<std::uint64_t>(0x1p63), std::uint64_t{1} << 63);
  EXPECT_EQ(convert<std::uint8_t>(-1.5), 255);
}

}  // namespace
}  // namespace upcast
