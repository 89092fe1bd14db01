// Tests of which answers the models allow to LibTorch's vector paths. Any other answer must stay a
// difference.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "cases/notation.h"
#include "oracle/known/contraction.h"
#include "oracle/known/declared_answer.h"
#include "oracle/testing/fake_sides.h"

namespace upcast {
namespace {

using models::Contraction;
using testing::floats;

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

/// Makes complex elements of pairs of floats.
Answer complexes(const std::vector<float>& parts) {
  Answer answer = testing::tensor_of(DType::kComplex64, parts);
  answer.sizes[0] /= 2;
  return answer;
}

bool allows(std::string_view model, std::string_view line, const Answer& right,
            const Answer& given) {
  return DeclaredAnswer("model:" + std::string(model), "a test")
      .is_partly(parse_case(line), right, given);
}

TEST(Contraction, GoesThroughEveryWayOnce) {
  std::set<std::pair<int, int>> ways;
  int count = 0;
  Contraction way;
  do {
    const int first = way.choose(2);
    // The second choice exists only if the first one is 0.
    ways.emplace(first, first == 0 ? way.choose(3) : -1);
    ++count;
  } while (way.next());
  EXPECT_EQ(count, 4);
  EXPECT_EQ(ways, (std::set<std::pair<int, int>>{{0, 0}, {0, 1}, {0, 2}, {1, -1}}));
}

TEST(Contraction, RoundsAFusedProductOnce) {
  std::set<float> values;
  Contraction way;
  do {
    values.insert(way.sum_of_products(10.0F, 0.1F, -10.0F, 0.1F));
  } while (way.next());
  EXPECT_EQ(values, (std::set<float>{-0x1p-26F, 0, 0x1p-26F}));
}

TEST(Contraction, NegatesASumThatCancels) {
  std::set<bool> signs;
  Contraction way;
  do {
    signs.insert(std::signbit(way.minus_sum_of_products(1.0F, -0.0F, 0.0F, 0.0F)));
  } while (way.next());
  EXPECT_EQ(signs, (std::set<bool>{false, true}));
}

TEST(PathModels, AnElementIsContractedOrRight) {
  const char* const line = "add.Tensor(float32[3]{-1,-1,-1}, float32[3]{0.1,0.1,0.1}, alpha=10)";
  const float fused = 0x1p-26F;
  EXPECT_TRUE(allows("contracted", line, floats({0, 0, 0}), floats({fused, fused, fused})));
  EXPECT_TRUE(allows("contracted", line, floats({0, 0, 0}), floats({fused, 0, fused})));
  EXPECT_FALSE(allows("contracted", line, floats({0, 0, 0}), floats({fused, 0, -fused})));
  EXPECT_FALSE(allows("contracted", line, floats({0, 0, 0}), floats({fused, -0.0F, 0})));
}

TEST(PathModels, AComplexElementIsOfOneWay) {
  const char* const line = "mul.Tensor(complex64[1]{10+10j}, complex64[1]{0.1+0.1j})";
  EXPECT_TRUE(allows("contracted", line, complexes({0, 2}), complexes({0x1p-26F, 2})));
  EXPECT_TRUE(allows("contracted", line, complexes({0, 2}), complexes({-0x1p-26F, 2})));
  EXPECT_FALSE(allows("contracted", line, complexes({0, 2}), complexes({0x1p-25F, 2})));
}

TEST(PathModels, APowerIsAProductOnlyWhereATenMultiplies) {
  const float rest = std::fma(0.1F, 0.1F, -(0.1F * 0.1F));
  const float twice = 2 * (0.1F * 0.1F);
  const char* const line = "square(complex64[1]{0.1+0.1j})";
  EXPECT_TRUE(allows("contracted", line, complexes({0, twice}), complexes({rest, twice})));
  EXPECT_FALSE(allows("contracted", line, complexes({0, twice}), complexes({0.5F, twice})));
  // (0 + 1j) ** 3 is -0 - 1j by one way of pow, but the right answer has +0 there. No error bound
  // covers another zero.
  const Answer right = complexes({0, -1});
  const Answer other = complexes({-0.0F, -1});
  EXPECT_TRUE(allows("contracted", "pow.Tensor_Scalar(complex64[1]{0+1j}, 3)", right, other));
  EXPECT_FALSE(allows("contracted", "pow.Tensor_Scalar(complex64[1]{0+1j}, 5)", right, other));
}

TEST(PathModels, SpeakOfTheirOpsOnly) {
  EXPECT_FALSE(allows("contracted", "atan2(float32[1], float32[1])", floats({1}), floats({2})));
  EXPECT_FALSE(allows("contracted", "gcd(int32[1], int32[1])", floats({1}), floats({2})));
  EXPECT_FALSE(allows("zero_minus_operand", "neg(float32[1]{0})", floats({-0.0F}), floats({0.0F})));
}

TEST(PathModels, FmodIsNaNWhereTheQuotientOverflowsAndNowhereElse) {
  const char* const line = "fmod.Tensor(float32[2]{1e20,1e20}, float32[2]{1e-20,1e-18})";
  const Answer right = floats({1, 1});
  constexpr std::string_view kModel = "nan_for_an_overflowing_quotient";
  EXPECT_TRUE(allows(kModel, line, right, floats({kNaN, 1})));
  EXPECT_FALSE(allows(kModel, line, right, floats({1, kNaN}))) << "1e38 is a float";
  EXPECT_FALSE(allows(kModel, line, right, floats({2, 1})));
  EXPECT_TRUE(allows(kModel, "fmod.Tensor(float32[1]{1e38}, float32[1]{1e-39})", floats({1}),
                     floats({kNaN})))
      << "a subnormal divisor";
}

TEST(PathModels, NegMakesPlusZeroOfPlusZero) {
  const char* const line = "neg(complex64[2]{0+1j,0+1j})";
  const Answer right = complexes({-0.0F, -1, -0.0F, -1});
  EXPECT_TRUE(allows("zero_minus_operand", line, right, complexes({0, -1, -0.0F, -1})));
  EXPECT_FALSE(allows("zero_minus_operand", line, right, complexes({0, 1, -0.0F, -1})));
}

TEST(PathModels, AcosCancels) {
  const char* const line = "acos(complex128[1]{1+1e-300j})";
  const auto doubles = [](double re, double im) {
    return testing::tensor_of<Complex<double>>(DType::kComplex128, {{re, im}});
  };
  const Answer right = doubles(1e-150, -1e-150);
  EXPECT_TRUE(allows("half_pi_minus_asin", line, right, doubles(0, -1e-150)));
  EXPECT_FALSE(allows("half_pi_minus_asin", line, right, doubles(1e-160, -1e-150)));
}

TEST(PathModels, SgnDividesPartByPart) {
  const char* const line = "sgn(complex64[1]{infj})";
  EXPECT_TRUE(
      allows("part_by_part_over_modulus", line, complexes({kNaN, kNaN}), complexes({0, kNaN})));
  EXPECT_FALSE(
      allows("part_by_part_over_modulus", line, complexes({kNaN, kNaN}), complexes({0, 1})));
}

TEST(PathModels, GeluOfOneDnnHasFewDigitsBelowZero) {
  const std::string line = "gelu(float32[3]{-10,-3,inf}, approximate=\"none\")";
  const Answer right = floats({-7.61985e-23F, -0.0040497F, INFINITY});
  EXPECT_TRUE(allows("gelu_of_onednn", line, right, floats({-0.0F, -0.0040502F, kNaN})));
  EXPECT_FALSE(allows("gelu_of_onednn", line, right, floats({-1e-4F, -0.0040497F, INFINITY})));
  EXPECT_FALSE(allows("gelu_of_onednn", line, right, floats({-0.0F, -0.0041F, INFINITY})));
  EXPECT_FALSE(allows("gelu_of_onednn", line, right, floats({-0.0F, kNaN, INFINITY})));
}

TEST(PathModels, GeluOfOneDnnIsRoundedToTheDtypeOfSelf) {
  const auto line = [](std::string_view self) {
    return "gelu_backward(float32[2]{1,2}, " + std::string(self) +
           "[2]{1,2}, approximate=\"none\")";
  };
  const Answer right = floats({1.0833155F, 2.1704636F});
  const Answer halves = floats({1.0830078F, 2.1699219F});
  EXPECT_TRUE(allows("gelu_of_onednn", line("float16"), right, halves));
  EXPECT_FALSE(allows("gelu_of_onednn", line("float32"), right, halves));
  EXPECT_FALSE(allows("gelu_of_onednn", line("float16"), right, floats({1.0811F, 2.1699219F})));
}

TEST(PathModels, GeluOfOneDnnOverflowsOnlyAboveTheLargestFloat16) {
  const std::string line =
      "gelu_backward(float32[2]{100000,1000}, float16[2]{8,8}, approximate=\"none\")";
  const Answer right = floats({1e5F, 1e3F});
  EXPECT_TRUE(allows("gelu_of_onednn", line, right, floats({INFINITY, 1e3F})));
  EXPECT_FALSE(allows("gelu_of_onednn", line, right, floats({-INFINITY, 1e3F})));
  EXPECT_FALSE(allows("gelu_of_onednn", line, right, floats({1e5F, INFINITY})));
}

TEST(PathModels, GeluOfOneDnnFlushesSubnormalNumbersToZeroAlone) {
  const std::string line = "gelu_backward(float32[1]{2e-38}, float32[1]{-1}, approximate=\"none\")";
  const Answer right = floats({-1.666e-39F});
  EXPECT_TRUE(allows("gelu_of_onednn", line, right, floats({-0.0F})));
  EXPECT_FALSE(allows("gelu_of_onednn", line, right, floats({-1e-39F})));
}

}  // namespace
}  // namespace upcast
