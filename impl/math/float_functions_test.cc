// Compares the branch-free float32 functions with glibc's float64 ones, over bit patterns of all
// kinds.
#include "impl/math/float_functions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "impl/math/activation_gradients.h"
#include "impl/math/double_elementary.h"
#include "impl/math/double_functions.h"
#include "impl/math/float_activations.h"
#include "impl/math/float_power.h"

namespace upcast {
namespace {

struct Function {
  const char* name;
  float (*subject)(float);
  double (*oracle)(double);
};

/// J1. For a tiny x it is less than x / 2 by too little for a double. That decides where x / 2 lies
/// in the middle between two subnormal float32.
double j1_before_the_tie(double x) {
  const double value = ::j1(x);
  return std::abs(x) < 0x1p-100 && x != 0 ? std::nextafter(value, 0) : value;
}

/// gelu, by the C library's erfc. For a tiny x it is more than x / 2, also by too little for a
/// double.
double gelu_before_the_tie(double x) {
  if (x < -40) return -0.0;
  const double value = 0.5 * x * std::erfc(-x * std::numbers::sqrt2 / 2);
  return std::abs(x) < 0x1p-100 && x != 0 ? std::nextafter(value, 1) : value;
}

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
    {"digamma", branchless::digamma, upcast::digamma},
    {"bessel_j0", branchless::bessel_j0, ::j0},
    {"bessel_j1", branchless::bessel_j1, j1_before_the_tie},
    {"silu", branchless::silu, branchless::silu},
    {"gelu", branchless::gelu, gelu_before_the_tie},
    {"gelu_tanh", branchless::gelu_tanh, precise::gelu_tanh},
    {"mish", branchless::mish, precise::mish},
    {"softplus", [](float x) { return branchless::softplus(x, 1); },
     [](double x) { return precise::softplus(x, 1); }},
    {"log_sigmoid", branchless::log_sigmoid, precise::log_sigmoid},
    {"logit", branchless::logit, precise::logit},
};

class FloatFunctions : public testing::TestWithParam<Function> {
 protected:
  /// The error in ulp of float32. It is infinite if only one value is NaN or infinite, or if the
  /// signs differ.
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
  // 0x1.fffffep22 is the largest float32 that is not whole. 0x1.47d0fep34 is the float32 nearest to
  // a multiple of pi/2. At about 88.7 and -104, exp starts to overflow and to underflow.
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
                        0x1.fffffep22F,
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
  bool (*is_right)(float);
};

class Shortcuts : public testing::TestWithParam<Shortcut> {};

TEST_P(Shortcuts, HaveTheBitsOfTheWholeFunction) {
  std::uint64_t near = 0;
  for (std::uint64_t pattern = 0; pattern < std::uint64_t{1} << 32; pattern += 509) {
    const float x = std::bit_cast<float>(static_cast<std::uint32_t>(pattern));
    if (!GetParam().is_right(x)) continue;
    const float found = GetParam().mostly(x), expected = GetParam().always(x);
    if (std::isnan(x)
            ? !std::isnan(found)
            : std::bit_cast<std::uint32_t>(found) != std::bit_cast<std::uint32_t>(expected))
      FAIL() << std::hexfloat << x << ": " << found << ", not " << expected;
    ++near;
  }
  EXPECT_GT(near, 4'000'000);
  for (const float x : {0x1.fffffep2F, 8.F, 0x1.000002p3F, 0x1.fffffep19F, 0x1p20F})
    if (GetParam().is_right(x)) {
      EXPECT_EQ(GetParam().mostly(x), GetParam().always(x)) << x;
    }
}

constexpr Shortcut kShortcuts[] = {
    {"sin", branchless::sin_mostly, branchless::sin, branchless::is_small_angle},
    {"cos", branchless::cos_mostly, branchless::cos, branchless::is_small_angle},
    {"tan", branchless::tan_mostly, branchless::tan, branchless::is_small_angle},
    {"bessel_j0", branchless::bessel_j0_mostly, branchless::bessel_j0,
     branchless::is_below_bessel_limit},
    {"bessel_j1", branchless::bessel_j1_mostly, branchless::bessel_j1,
     branchless::is_below_bessel_limit}};

INSTANTIATE_TEST_SUITE_P(All, Shortcuts, testing::ValuesIn(kShortcuts),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// All mantissas at both parities of the exponent, from each of the float32 that rsqrt_from takes.
TEST(Rsqrt, IsRightFromEveryNeighbour) {
  constexpr std::uint32_t kHalf = 0x3f000000, kTwo = 0x40000000;
  int wrong = 0;
  for (std::uint32_t code = kHalf; code < kTwo; ++code) {
    const auto x = std::bit_cast<float>(code);
    const auto right = static_cast<float>(1 / std::sqrt(double{x}));
    wrong += branchless::rsqrt(x) != right;
    for (const int steps : {-1, 0, 1}) {
      const auto near = std::bit_cast<float>(std::bit_cast<std::int32_t>(right) + steps);
      wrong += branchless::rsqrt_from<float>({x, near}) != right;
    }
  }
  EXPECT_EQ(wrong, 0);
}

/// Compares pow_mostly with glibc's float64 function for `count` pairs from `next`. Returns the
/// share of the results that pow_mostly knows.
template <class Next>
double share_known(int count, Next&& next) {
  int known = 0;
  for (int i = 0; i < count; ++i) {
    const auto [base, exponent] = next();
    const float found = branchless::pow_mostly(base, exponent);
    if (!branchless::is_known(found)) continue;
    ++known;
    const auto expected = static_cast<float>(std::pow(double{base}, double{exponent}));
    if (std::isnan(expected)
            ? !std::isnan(found)
            : std::bit_cast<std::uint32_t>(found) != std::bit_cast<std::uint32_t>(expected)) {
      ADD_FAILURE() << std::hexfloat << "pow(" << base << ", " << exponent << ") is " << expected
                    << ", not " << found;
      break;
    }
  }
  return static_cast<double>(known) / count;
}

struct Pair {
  float base, exponent;
};

TEST(MostlyPower, HasTheBitsOfGlibcWhereItKnows) {
  std::mt19937 random(11);
  std::uniform_real_distribution<float> near(-4, 4), close(-1e-3F, 1e-3F), large(-9e4F, 9e4F);
  const auto any = [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(random())); };
  constexpr int kPairs = 300'000;
  EXPECT_GT(share_known(kPairs, [&] { return Pair{near(random), near(random)}; }), 0.999);
  EXPECT_GT(share_known(kPairs, [&] { return Pair{any(), any()}; }), 0.98);
  EXPECT_GT(share_known(kPairs, [&] { return Pair{any(), near(random)}; }), 0.9);
  EXPECT_GT(share_known(kPairs, [&] { return Pair{1 + close(random), large(random)}; }), 0.9);
}

TEST(MostlyPower, KnowsTiesToBeInDoubt) {
  int ties = 0;
  for (int base = 4097; base < 5792; base += 2, ++ties)  // the square has 25 bits: a tie
    EXPECT_FALSE(branchless::is_known(branchless::pow_mostly(static_cast<float>(base), 2))) << base;
  EXPECT_EQ(ties, 848);
  EXPECT_EQ(branchless::pow_mostly(4095, 2), 4095.F * 4095.F);
  EXPECT_EQ(branchless::pow_mostly(-3, 3), -27);
}

TEST(MostlyPower, LeavesZerosInfinitiesAndNan) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  for (const float special : {0.F, -0.F, kInfinity, -kInfinity, kNan})
    EXPECT_FALSE(branchless::is_known(branchless::pow_mostly(special, 2))) << special;
  for (const float special : {kInfinity, -kInfinity, kNan})
    EXPECT_FALSE(branchless::is_known(branchless::pow_mostly(2, special))) << special;
  EXPECT_EQ(branchless::pow_mostly(2, 0), 1);
}

}  // namespace
}  // namespace upcast
