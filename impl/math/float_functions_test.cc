// The branch-free float32 functions against glibc's float64 ones, over bit patterns of all kinds.
#include "impl/math/float_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

namespace upcast {
namespace {

struct Function {
  const char* name;
  float (*subject)(float);
  double (*oracle)(double);
};

constexpr Function kFunctions[] = {
    {"exp", branchless::exp, std::exp},
    {"exp2", branchless::exp2, std::exp2},
    {"expm1", branchless::expm1, std::expm1},
    {"log", branchless::log, std::log},
    {"log2", branchless::log2, std::log2},
    {"log10", branchless::log10, std::log10},
    {"log1p", branchless::log1p, std::log1p},
    {"rsqrt", branchless::rsqrt, [](double x) { return 1 / std::sqrt(x); }},
    {"sin", branchless::sin, std::sin},
    {"cos", branchless::cos, std::cos},
    {"tan", branchless::tan, std::tan},
    {"asin", branchless::asin, std::asin},
    {"acos", branchless::acos, std::acos},
    {"atan", branchless::atan, std::atan},
    {"sinh", branchless::sinh, std::sinh},
    {"cosh", branchless::cosh, std::cosh},
    {"tanh", branchless::tanh, std::tanh},
    {"sigmoid", branchless::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"asinh", branchless::asinh, std::asinh},
    {"acosh", branchless::acosh, std::acosh},
    {"atanh", branchless::atanh, std::atanh},
    {"erf", branchless::erf, std::erf},
    {"erfc", branchless::erfc, std::erfc},
    {"lgamma", branchless::lgamma, upcast::lgamma},
};

class FloatFunctions : public testing::TestWithParam<Function> {
 protected:
  /// The error in ulp of float32; infinite where NaN, infinity or sign is another.
  double error(float x) const {
    const double oracle = GetParam().oracle(x);
    const float rounded = static_cast<float>(oracle), found = GetParam().subject(x);
    if (std::isnan(rounded) && std::isnan(found)) return 0;
    if (std::bit_cast<std::uint32_t>(rounded) == std::bit_cast<std::uint32_t>(found)) return 0;
    if (!std::isfinite(rounded) || !std::isfinite(found) ||
        std::signbit(rounded) != std::signbit(found))
      return std::numeric_limits<double>::infinity();
    int exponent = 0;
    std::frexp(oracle, &exponent);
    return std::abs(found - oracle) / std::ldexp(1.0, std::max(exponent, -125) - 24);
  }
};

TEST_P(FloatFunctions, RoundNearlyAlwaysCorrectly) {
  double worst = 0;
  float worst_at = 0;
  std::uint64_t misrounded = 0, count = 0;
  for (std::uint64_t pattern = 0; pattern < std::uint64_t{1} << 32; pattern += 2039, ++count) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
    const double found = error(x);
    misrounded += found > 0;
    if (found > worst) {
      worst = found;
      worst_at = x;
    }
  }
  EXPECT_LE(worst, 0.501) << "at " << std::hexfloat << worst_at;
  EXPECT_LE(misrounded, count / 5000);
}

TEST_P(FloatFunctions, SpecialValues) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kTiny = std::numeric_limits<float>::denorm_min();
  constexpr float kSmallest = std::numeric_limits<float>::min();
  constexpr float kLargest = std::numeric_limits<float>::max();
  // 0x1.47d0fep34: the float32 nearest to a multiple of pi/2. 88.7, 104: the ends of exp.
  for (const float x : {0.F,
                        kTiny,
                        kSmallest,
                        0x1p-30F,
                        0.25F,
                        0.5F,
                        0x1.fffffep-1F,
                        1.F,
                        0x1.000002p0F,
                        1.5F,
                        2.F,
                        0x1.fffffep0F,
                        0x1.000002p1F,
                        3.F,
                        4.F,
                        7.999999F,
                        8.F,
                        9.F,
                        10.05F,
                        10.2F,
                        88.7F,
                        88.8F,
                        89.5F,
                        103.F,
                        104.F,
                        127.F,
                        128.F,
                        149.F,
                        150.F,
                        0x1.47d0fep34F,
                        0x1p50F,
                        0x1p76F,
                        0x1p102F,
                        kLargest,
                        kInfinity,
                        std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_LE(error(x), 0.501) << std::hexfloat << x;
    EXPECT_LE(error(-x), 0.501) << std::hexfloat << -x;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FloatFunctions, testing::ValuesIn(kFunctions),
                         [](const auto& instance) { return std::string(instance.param.name); });

struct Shortcut {
  const char* name;
  float (*mostly)(float);
  float (*always)(float);
};

class SmallAngles : public testing::TestWithParam<Shortcut> {};

TEST_P(SmallAngles, HaveTheBitsOfAllAngles) {
  std::uint64_t near = 0;
  for (std::uint64_t pattern = 0; pattern < std::uint64_t{1} << 32; pattern += 509) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
    if (!branchless::is_small_angle(x)) continue;
    const float found = GetParam().mostly(x), expected = GetParam().always(x);
    if (std::isnan(x)
            ? !std::isnan(found)
            : std::bit_cast<std::uint32_t>(found) != std::bit_cast<std::uint32_t>(expected))
      FAIL() << std::hexfloat << x << ": " << found << ", not " << expected;
    ++near;
  }
  EXPECT_GT(near, 4'000'000);
}

INSTANTIATE_TEST_SUITE_P(All, SmallAngles,
                         testing::Values(Shortcut{"sin", branchless::sin_mostly, branchless::sin},
                                         Shortcut{"cos", branchless::cos_mostly, branchless::cos},
                                         Shortcut{"tan", branchless::tan_mostly, branchless::tan}),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace upcast
