// Compares the branch-free float64 functions with glibc's. The results may differ by a few steps
// between neighbouring doubles at most.
#include "impl/math/double_functions.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <random>
#include <string>
#include <utility>

#include "impl/math/activation_gradients.h"
#include "impl/math/bessel_jy.h"
#include "impl/math/double_power.h"

namespace upcast {
namespace {

/// How many float64 apart two numbers of the same sign are. It is huge for two signs, also for
/// zeros.
std::uint64_t steps_between(double a, double b) {
  const auto x = std::bit_cast<std::uint64_t>(a), y = std::bit_cast<std::uint64_t>(b);
  return x < y ? y - x : x - y;
}

struct Function {
  const char* name;
  double (*subject)(double);
  double (*oracle)(double);
  double low, high;  // range of arguments whose results are neither 0 nor infinite
  std::uint64_t steps = 1;
};

/// gelu with the C library's erfc of long double.
double gelu_by_erfcl(double x) {
  if (x < -40) return -0.0;
  const long double half = std::numbers::sqrt2_v<long double> / 2;
  return static_cast<double>(0.5L * x * erfcl(-x * half));
}

class DoubleFunctions : public testing::TestWithParam<Function> {
 protected:
  void expect_near(double x) const {
    const double oracle = GetParam().oracle(x), found = GetParam().subject(x);
    if (std::isnan(oracle) && std::isnan(found)) return;
    ASSERT_LE(steps_between(oracle, found), GetParam().steps)
        << GetParam().name << "(" << std::hexfloat << x << "): " << found << " against " << oracle;
  }
};

TEST_P(DoubleFunctions, NearGlibc) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(GetParam().low, GetParam().high), unit(-2, 2);
  for (int i = 0; i < 1'000'000; ++i) {
    expect_near(uniform(random));
    expect_near(unit(random));
    expect_near(std::bit_cast<double>(random()));
  }
}

TEST_P(DoubleFunctions, SpecialValues) {
  using Limits = std::numeric_limits<double>;
  // At 709.78.. exp overflows, below -708.4 its results are subnormal, below -745.13.. they are 0.
  for (const double x : {0.0,
                         Limits::denorm_min(),
                         Limits::min(),
                         0x1p-30,
                         0.5,
                         1.0,
                         0x1.fffffffffffffp-1,
                         0x1.0000000000001p0,
                         709.782712893384,
                         709.7827128933841,
                         708.4,
                         745.1332191019411,
                         745.14,
                         800.0,
                         0x1.921fb54442d18p0,
                         0x1.921fb54442d18p13,
                         0x1.fffffffffffffp13,
                         0x1p14,
                         0x1p1000,
                         Limits::max(),
                         Limits::infinity(),
                         Limits::quiet_NaN()}) {
    expect_near(x);
    expect_near(-x);
  }
}

INSTANTIATE_TEST_SUITE_P(All, DoubleFunctions,
                         // tanh and sigmoid may differ by four steps: glibc's and ours may both be
                         // off by more than an ulp.
                         testing::Values(Function{"tanh", branchless::tanh, std::tanh, -20, 20, 4},
                                         Function{"sigmoid", branchless::sigmoid,
                                                  [](double x) {
                                                    return x < -700 ? std::exp(x)
                                                                    : 1 / (1 + std::exp(-x));
                                                  },
                                                  -745, 40, 4},
                                         Function{"exp", branchless::exp, std::exp, -745, 709},
                                         Function{"erf", branchless::erf, std::erf, -6, 6, 2},
                                         Function{"gelu", branchless::gelu, gelu_by_erfcl, -38, 9,
                                                  2},
                                         Function{"log", branchless::log, std::log, 0, 1e6},
                                         Function{"sin", branchless::sin, std::sin, -2e4, 2e4},
                                         Function{"cos", branchless::cos, std::cos, -2e4, 2e4}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(PowerMostly, IsGlibcsOrOneStepAway) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(-1, 1);
  int same = 0, known = 0;
  for (int i = 0; i < 300'000; ++i) {
    const double base = std::ldexp(unit(random), static_cast<int>(random() % 60) - 30);
    const double exponent = i % 3 == 0 ? std::round(20 * unit(random)) : 20 * unit(random);
    const double found = branchless::pow_mostly(base, exponent), oracle = std::pow(base, exponent);
    if (std::isnan(found)) continue;
    const std::uint64_t steps = steps_between(oracle, found);
    ASSERT_LE(steps, 1) << std::hexfloat << base << " " << exponent;
    ++known;
    same += steps == 0 ? 1 : 0;
  }
  EXPECT_GT(known, 180'000);
  EXPECT_GT(same, known - known / 500);
}

TEST(PowerMostly, IsExactOrUnknown) {
  using Limits = std::numeric_limits<double>;
  const auto pow = branchless::pow_mostly;
  EXPECT_EQ(pow(3, 2), 9);
  EXPECT_EQ(pow(-3, 3), -27);
  EXPECT_EQ(pow(-3, -2), 1.0 / 9);
  EXPECT_EQ(pow(2, 0.5), std::numbers::sqrt2);
  EXPECT_EQ(pow(-2, 0), 1);
  EXPECT_EQ(pow(1.1, 1), 1.1);
  EXPECT_EQ(pow(1, 0x1p49), 1);
  EXPECT_EQ(pow(-1, 0x1p49 + 1), -1);
  EXPECT_EQ(pow(2, 800), 0x1p800);
  for (const auto& [base, exponent] :
       std::initializer_list<std::pair<double, double>>{{-2, 0.5},
                                                        {0, 2},
                                                        {-0.0, 3},
                                                        {Limits::denorm_min(), 2},
                                                        {Limits::infinity(), 2},
                                                        {Limits::quiet_NaN(), 0},
                                                        {2, Limits::quiet_NaN()},
                                                        {1, Limits::infinity()},
                                                        {-1, 0x1p50},
                                                        {2, 2000},
                                                        {2, -2000}})
    EXPECT_TRUE(std::isnan(pow(base, exponent))) << base << " " << exponent;
}

/// A value of J0 or J1 from mpmath, with 50 digits.
struct BesselValue {
  double (*function)(double);
  double x, value;
};

/// The short way of J0 and J1 ends at 5. Next to a zero it is as precise as elsewhere.
TEST(BesselBelowFive, IsPreciseNextToZeros) {
  constexpr BesselValue kValues[] = {{bessel_j0, 0, 1},
                                     {bessel_j0, 0x1.12e0be826d695p-30, 1},
                                     {bessel_j0, 0x1.33d152e971b40p+1, -0x1.19b7921f03c8ep-54},
                                     {bessel_j0, 0x1.33d152e972340p+1, -0x1.09d68121e1e8ep-41},
                                     {bessel_j0, 0x1.3ffffbce4217dp+2, -0x1.6bb8071ce4cb8p-3},
                                     {bessel_j1, 0, 0},
                                     {bessel_j1, 0x1.12e0be826d695p-30, 0x1.12e0be826d695p-31},
                                     {bessel_j1, 0x1.ea75575af6f09p+1, -0x1.1b9c1c3fb286fp-54},
                                     {bessel_j1, 0x1.ea75575af7709p+1, -0x1.9c7eaf448fbd4p-42},
                                     {bessel_j1, 0x1.3ffffbce4217dp+2, -0x1.4f70e045b0a7fp-2}};
  for (const BesselValue& v : kValues) {
    EXPECT_DOUBLE_EQ(v.function(v.x), v.value) << std::hexfloat << v.x;
    EXPECT_DOUBLE_EQ(v.function(-v.x), v.function == bessel_j0 ? v.value : -v.value)
        << std::hexfloat << v.x;
  }
  EXPECT_TRUE(std::signbit(bessel_j1(-0.0)));
  EXPECT_EQ(bessel_j1(0x1p-1073), 0x1p-1074);
  EXPECT_TRUE(std::isnan(bessel_j0(std::nan(""))));
}

TEST(BesselBelowFive, IsNearGlibcs) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> uniform(-6, 6);
  for (int i = 0; i < 1'000'000; ++i) {
    const double x = uniform(random);
    ASSERT_NEAR(bessel_j0(x), ::j0(x), 4e-16) << std::hexfloat << x;
    ASSERT_NEAR(bessel_j1(x), ::j1(x), 4e-16) << std::hexfloat << x;
  }
}

TEST(TanhBackward, WithoutBranchesHasTheBitsOfThePreciseOne) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  int right = 0;
  for (int i = 0; i < 200'000; ++i) {
    const double grad = std::ldexp(unit(random), static_cast<int>(random() % 1400) - 700);
    const double near_one = 1 - std::ldexp(unit(random), -static_cast<int>(random() % 60));
    const double y = i % 2 == 0 ? unit(random) : near_one;
    const double found = precise::tanh_backward_mostly(grad, y);
    if (!precise::is_far_from_limits(found)) continue;
    ++right;
    ASSERT_EQ(found, precise::tanh_backward(grad, y)) << std::hexfloat << grad << " " << y;
  }
  EXPECT_GT(right, 180'000);
}

}  // namespace
}  // namespace upcast
