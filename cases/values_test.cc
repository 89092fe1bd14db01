#include "cases/values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>

#include "impl/core/cast.h"
#include "impl/core/dtype_set.h"

namespace upcast {
namespace {

Case two_tensors(DType dtype, Dims sizes, ValueClass values = ValueClass::kSmall,
                 std::uint64_t seed = 0) {
  Case c = parse_case("addcmul(int8[1], int8[1], int8[1])");
  for (int i = 0; i < 3; ++i)
    c.arguments[i] = {.tag = Operand::Tag::kTensor, .dtype = dtype, .sizes = sizes};
  c.out = c.arguments[0];
  c.values = values;
  c.seed = seed;
  return c;
}

std::vector<Complex<double>> numbers(DType dtype, const std::vector<std::byte>& elements) {
  std::vector<Complex<double>> converted(elements.size() / itemsize(dtype));
  cast_elements(dtype, elements.data(), DType::kComplex128,
                reinterpret_cast<std::byte*>(converted.data()),
                static_cast<std::int64_t>(converted.size()));
  return converted;
}

std::set<std::vector<std::byte>> distinct(DType dtype, const std::vector<std::byte>& elements) {
  std::set<std::vector<std::byte>> found;
  for (std::size_t at = 0; at < elements.size(); at += itemsize(dtype))
    found.emplace(elements.begin() + at, elements.begin() + at + itemsize(dtype));
  return found;
}

class EachDType : public testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(Values, EachDType, testing::ValuesIn(kElementwise.dtypes()),
                         [](const auto& test) { return std::string(name(test.param)); });

TEST_P(EachDType, SmallValuesAreBelowAHundredAndDefinedInEveryOtherDType) {
  const DType dtype = GetParam();
  for (int argument : {0, 1, 2}) {
    const auto values = numbers(dtype, operand_values(two_tensors(dtype, {14}), argument));
    ASSERT_EQ(values.size(), 14U);
    for (const Complex<double>& value : values) {
      EXPECT_LT(std::abs(value.re), 129);  // 128: float8_e8m0fnu rounds 96.5 up to it
      EXPECT_LT(std::abs(value.im), 129);
    }
  }
}

TEST_P(EachDType, SmallDivisorsAreNotZero) {
  const std::int64_t length = is_bool(GetParam()) ? 2 : 14;
  const Case c = two_tensors(GetParam(), {length});
  for (const auto& value : numbers(GetParam(), operand_values(c, 1))) EXPECT_NE(value.re, 0);
}

TEST_P(EachDType, SmallArgumentsDifferButTieAtIndexTwo) {
  const DType dtype = GetParam();
  const Case c = two_tensors(dtype, {4});
  const auto a = numbers(dtype, operand_values(c, 0));
  const auto b = numbers(dtype, operand_values(c, 1));
  EXPECT_FALSE(a == b);
  EXPECT_TRUE(is_bool(dtype) || a[2] == b[2]);
}

TEST_P(EachDType, SmallValuesHaveBothSignsWhereTheDTypeHasThem) {
  const DType dtype = GetParam();
  const bool has_signs = dtype != DType::kBool && dtype != DType::kUInt8 &&
                         !kUnsigned.contains(dtype) && dtype != DType::kFloat8E8M0FNU;
  const auto values = numbers(dtype, operand_values(two_tensors(dtype, {4}), 0));
  bool negative = false;
  bool positive = false;
  for (const auto& value : values) {
    negative = negative || value.re < 0;
    positive = positive || value.re > 0;
  }
  EXPECT_TRUE(positive);
  EXPECT_EQ(negative, has_signs);
}

TEST_P(EachDType, TheOutHolds99BeforeTheCall) {
  const auto values =
      numbers(GetParam(), operand_values(two_tensors(GetParam(), {3}), kOutPosition));
  for (const auto& value : values) EXPECT_NEAR(value.re, is_bool(GetParam()) ? 1 : 99, 30);
}

TEST_P(EachDType, AStretchOfSpecialValuesHoldsEachOnce) {
  const DType dtype = GetParam();
  const auto all = distinct(dtype, special_elements(dtype));
  EXPECT_EQ(all.size() * itemsize(dtype), special_elements(dtype).size()) << "a repetition";
  for (std::uint64_t seed : {0, 1, 77}) {
    const std::int64_t length = is_bool(dtype) ? 64 : static_cast<std::int64_t>(all.size());
    const Case c = two_tensors(dtype, {length}, ValueClass::kSpecial, seed);
    EXPECT_EQ(distinct(dtype, operand_values(c, 0)), all);
  }
}

TEST_P(EachDType, SeedAndArgumentDecideTheOtherClasses) {
  for (ValueClass values : {ValueClass::kSpecial, ValueClass::kRandom}) {
    const Case c = two_tensors(GetParam(), {64}, values, 5);
    EXPECT_EQ(operand_values(c, 0), operand_values(c, 0));
    EXPECT_NE(operand_values(c, 0), operand_values(two_tensors(GetParam(), {64}, values, 6), 0));
    EXPECT_TRUE(is_bool(GetParam()) || operand_values(c, 0) != operand_values(c, 1));
  }
}

TEST(Values, SpecialFloatsHoldZerosLimitsTheirNeighboursSubnormalsAndNaN) {
  const auto found = distinct(DType::kFloat32, special_elements(DType::kFloat32));
  for (float value : {0.F, -0.F, 1.F, -1.F, 1e-45F, -1e-45F, 0x1p-126F, 0x1.fffffcp-127F,
                      0x1.fffffep127F, 0x1.fffffcp127F, 0x1.fffffep-1F, 0x1.000002p0F, 65504.F,
                      2147483648.F, 16777216.F, INFINITY, -INFINITY, NAN}) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    EXPECT_TRUE(found.contains(bytes)) << value;
  }
}

TEST(Values, SpecialIntegersHoldTheLimitsOfEveryDTypeThatFits) {
  const auto found = distinct(DType::kInt64, special_elements(DType::kInt64));
  for (std::int64_t value :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{127}, std::int64_t{-128},
        std::int64_t{65535}, std::int64_t{2147483647}, std::int64_t{-2147483648},
        (std::int64_t{1} << 53) + 1, INT64_MIN, INT64_MIN + 1, INT64_MAX}) {
    std::vector<std::byte> bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    EXPECT_TRUE(found.contains(bytes)) << value;
  }
  EXPECT_EQ(distinct(DType::kInt8, special_elements(DType::kInt8)).size(), 256U);
}

TEST(Values, RandomBoolsAreZeroOrOne) {
  for (std::byte value : operand_values(two_tensors(DType::kBool, {100}, ValueClass::kRandom), 0))
    EXPECT_LT(static_cast<int>(value), 2);
}

TEST(Values, TheCaseSpellsThemOut) {
  const Case c = parse_case("add(float64[2]{1.5,nan}, 5, values=special)");
  EXPECT_EQ(operand_values(c, 0), c.arguments[0].values);
  std::int64_t five = 0;
  const std::vector<std::byte> number = operand_values(c, 1);
  ASSERT_EQ(number.size(), sizeof five);
  std::memcpy(&five, number.data(), sizeof five);
  EXPECT_EQ(five, 5);
  EXPECT_TRUE(operand_values(c, 2).empty()) << "alpha is left to its default";
}

TEST(Values, TheSameOnEveryMachine) {
  SplitMix64 random(1234567);  // splitmix64 must give the outputs of Vigna's splitmix64.c
  EXPECT_EQ(random.next(), 6457827717110365317U);
  EXPECT_EQ(random.next(), 3203168211198807973U);
  const auto elements = operand_values(two_tensors(DType::kUInt8, {6}), 1);
  EXPECT_EQ(elements, (std::vector<std::byte>{std::byte{2}, std::byte{4}, std::byte{3},
                                              std::byte{7}, std::byte{5}, std::byte{1}}));
}

TEST(Values, QuantizedAndBitsDTypesHaveBytes) {
  for (DType dtype : {DType::kQInt32, DType::kBits16, DType::kInt3})
    EXPECT_EQ(operand_values(two_tensors(dtype, {5}), 0).size(),
              5U * static_cast<unsigned>(itemsize(dtype)));
}

}  // namespace
}  // namespace upcast
