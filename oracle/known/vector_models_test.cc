// Tests of the models of LibTorch's vector paths, element by element. The expected values are those
// of LibTorch 2.15.
#include <gtest/gtest.h>

#include <limits>
#include <string_view>
#include <vector>

#include "cases/notation.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_values.h"

namespace upcast {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

constexpr std::string_view kErf = "erf_of_five_terms";

/// The model's answer as float64 values; empty if it does not cover the case.
std::vector<double> values(std::string_view model, std::string_view line) {
  const Case c = parse_case(line);
  const Answer right = models::ours_of(c);
  const std::optional<Answer> wrong = find_known_model(model)->answer(c, right);
  if (!wrong) return {};
  return models::elements<double>(wrong->dtype, wrong->bytes, DType::kFloat64);
}

TEST(ErfOfFiveTerms, HasNoRightDigitNearZeroAndAllOfThemNearOne) {
  EXPECT_EQ(values(kErf, "erf(bfloat16[3]{1e-9,0.5,-8})"),
            (std::vector<double>{0, 0.51953125, -1}));
  EXPECT_EQ(values(kErf, "erf(float16[2]{6e-8,1})"), (std::vector<double>{0, 0.8427734375}));
}

TEST(ErfOfFiveTerms, IsComputedInFloat32) {
  EXPECT_EQ(values(kErf, "erf(float32[1]{1e-9})"), (std::vector<double>{0}));
  EXPECT_TRUE(values(kErf, "erf(float64[1]{1e-9})").empty());
}

TEST(HyperbolicByWholeExp, OverflowsWhereTheFunctionDoesNot) {
  EXPECT_EQ(values("hyperbolic_by_whole_exp", "sinh(float64[2]{710,-710})"),
            (std::vector<double>{kInf, -kInf}));
  EXPECT_EQ(values("hyperbolic_by_whole_exp", "cosh(bfloat16[2]{-89,0})"),
            (std::vector<double>{kInf, 1}));
  EXPECT_LT(values("hyperbolic_by_whole_exp", "cosh(float64[1]{709.75})").at(0), kInf);
}

TEST(LgammaByOverflowingProduct, OverflowsOnePerCentEarly) {
  EXPECT_EQ(values("lgamma_by_overflowing_product", "lgamma(float32[2]{4.06e36,1})"),
            (std::vector<double>{kInf, 0}));
  EXPECT_EQ(values("lgamma_by_overflowing_product", "mvlgamma(float64[1]{2.56e305}, p=1)").at(0),
            kInf);
  EXPECT_LT(values("lgamma_by_overflowing_product", "lgamma(float32[1]{4.03e36})").at(0), kInf);
}

TEST(PolynomialByFma, DiffersFromThreeRoundings) {
  constexpr std::string_view kLine = "special_laguerre_polynomial_l(float32[1]{22}, 10)";
  EXPECT_EQ(values("polynomial_by_fma", kLine), (std::vector<double>{-17.000782012939453}));
  EXPECT_EQ(values("polynomial_in_the_dtype", kLine), (std::vector<double>{-17.000391006469727}));
}

/// The answer nearest to `given` that the model allows for gelu(-3.25) of float32.
double nearest_gelu(float given) {
  const Case c = parse_case("gelu(float32[1]{-3.25})");
  const Answer right = models::ours_of(c);
  Answer answer = right;
  answer.bytes = models::bytes_of(std::vector{given});
  const std::optional<Answer> wrong =
      find_known_model("activation_on_a_vector_path")->nearest(c, right, answer);
  return models::elements<double>(wrong->dtype, wrong->bytes, DType::kFloat64).at(0);
}

TEST(ActivationOnAVectorPath, AllowsWhatAPathAnswersAndNothingElse) {
  EXPECT_EQ(nearest_gelu(-0.0018755496F), -0.0018755496F);
  EXPECT_NE(nearest_gelu(-0.00187F), -0.00187F);
}

}  // namespace
}  // namespace upcast
