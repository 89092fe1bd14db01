// Compares the functions without branches with the functions that they stand for.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "impl/math/complex_branchless.h"
#include "impl/math/orthogonal_polynomials.h"

namespace upcast {
namespace {

using Number128 = Complex<double>;

struct BranchFree {
  const char* name;
  Number128 (*without_branches)(Number128);
  Number128 (*exact)(Number128);
};
constexpr BranchFree kBranchFree[] = {
    {"exp", branchless::exp, upcast::exp},    {"sinh", branchless::sinh, upcast::sinh},
    {"cosh", branchless::cosh, upcast::cosh}, {"tanh", branchless::tanh, upcast::tanh},
    {"sin", branchless::sin, upcast::sin},    {"cos", branchless::cos, upcast::cos},
    {"tan", branchless::tan, upcast::tan}};

/// Numbers of both signs, whose sizes are spread evenly over the binades from 2^low to 2^high.
class SpreadNumbers {
 public:
  SpreadNumbers(double low, double high) : exponent_(low, high) {}
  double next() {
    const double size = std::exp2(exponent_(random_));
    return random_() % 2 == 0 ? size : -size;
  }

 private:
  std::mt19937_64 random_{1};
  std::uniform_real_distribution<double> exponent_;
};

/// Whether two results are the same, or neighbours in a part: both were rounded once from values
/// that are off by 2^-62.
bool are_next(Number128 a, Number128 b) {
  const auto next = [](double x, double y) { return x == y || std::nextafter(x, y) == y; };
  return next(a.re, b.re) && next(a.im, b.im);
}

TEST(ComplexBranchless, HasTheResultsOfTheFunctions) {
  constexpr int kCount = 20000;
  for (const BranchFree& f : kBranchFree) {
    SpreadNumbers numbers(-30, 8);
    int ordinary = 0, other = 0;
    for (int i = 0; i < kCount; ++i) {
      const Number128 z{numbers.next(), numbers.next()};
      const Number128 found = f.without_branches(z), exact = f.exact(z);
      if (!branchless::is_ordinary(found)) continue;
      ++ordinary;
      other += found == exact ? 0 : 1;
      ASSERT_TRUE(are_next(found, exact)) << f.name << " of " << z.re << " + " << z.im << "i";
    }
    EXPECT_GT(ordinary, kCount * 9 / 10) << f.name;
    EXPECT_LT(other, kCount / 500) << f.name;
  }
}

TEST(ComplexBranchless, HasThePowersOfPow) {
  constexpr int kCount = 20000;
  SpreadNumbers bases(-20, 20), exponents(-10, 5);
  int ordinary = 0, other = 0;
  for (int i = 0; i < kCount; ++i) {
    const Number128 base{bases.next(), bases.next()}, exponent{exponents.next(), exponents.next()};
    const Number128 found = branchless::pow(base, exponent), exact = upcast::pow(base, exponent);
    if (!branchless::is_ordinary(found)) continue;
    ++ordinary;
    other += found == exact ? 0 : 1;
    ASSERT_TRUE(are_next(found, exact)) << base.re << " + " << base.im << "i to the power "
                                        << exponent.re << " + " << exponent.im << "i";
  }
  EXPECT_GT(ordinary, kCount * 9 / 10);
  EXPECT_LT(other, kCount / 500);
}

TEST(ComplexBranchless, LeavesSpecialArgumentsToTheFunctions) {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNan = NAN;
  const double ends[] = {0.0, -0.0, kInf, -kInf, kNan, 0x1p-1074, 1e300, 0x1p21, 310.0};
  const auto is_safe = [](Number128 found, Number128 exact) {
    return !branchless::is_ordinary(found) || are_next(found, exact);
  };
  for (const double x : ends)
    for (const double y : ends) {
      for (const BranchFree& f : kBranchFree)
        EXPECT_TRUE(is_safe(f.without_branches({x, y}), f.exact({x, y})))
            << f.name << " of " << x << " + " << y << "i";
      EXPECT_TRUE(
          is_safe(branchless::pow({x, y}, {1.5, 0.5}), upcast::pow<double>({x, y}, {1.5, 0.5})))
          << x << " + " << y << "i";
    }
  for (const double exact : {1.0, 2.0})
    EXPECT_FALSE(branchless::is_ordinary(branchless::pow({3, 4}, {exact, 0}))) << exact;
  EXPECT_TRUE(branchless::is_ordinary(branchless::pow({3, 4}, {3, 0})));
}

TEST(ComplexPower, OfTwoIsExact) {
  for (const double n : {0.0, -3.0, 10.0, 999.0, -999.0}) {
    const Number128 power = upcast::pow<double>({2, 0.0}, {n, 0.0});
    EXPECT_EQ(power.re, std::ldexp(1.0, static_cast<int>(n)));
    EXPECT_EQ(power.im, 0);
  }
  EXPECT_EQ(upcast::pow<float>({2, 0}, {10, 0}).re, 1024);
  EXPECT_TRUE(std::signbit(upcast::pow<double>({2, -0.0}, {3, -0.0}).im));
}

constexpr ChebyshevKind kChebyshevKinds[] = {ChebyshevKind::kT, ChebyshevKind::kU,
                                             ChebyshevKind::kV, ChebyshevKind::kW};

TEST(ChebyshevOfFloat, IsThatOfDoubleRounded) {
  SpreadNumbers numbers(-4, 8);
  std::mt19937_64 degrees(2);
  for (int i = 0; i < 40000; ++i) {
    const auto x = static_cast<float>(numbers.next());
    const auto n = static_cast<std::int64_t>(degrees() % 200);
    for (const ChebyshevKind kind : kChebyshevKinds) {
      const double wide = x;
      EXPECT_EQ(static_cast<float>(chebyshev_polynomial(kind, x, n)),
                static_cast<float>(chebyshev_polynomial(kind, wide, n)))
          << "kind " << static_cast<int>(kind) << ", x " << x << ", n " << n;
      EXPECT_EQ(static_cast<float>(shifted_chebyshev_polynomial(kind, x, n)),
                static_cast<float>(shifted_chebyshev_polynomial(kind, wide, n)))
          << "shifted, kind " << static_cast<int>(kind) << ", x " << x << ", n " << n;
    }
  }
}

TEST(ChebyshevBelow2, HasThePolynomialsOfLowDegree) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const double x : {0.0, -0.0, 0.5, -0.5, 0.3, -7.1, 1e300, kInf, -kInf})
    for (const double n : {-1.5, -1.0, -0.5, 0.0, 0.9, 1.0, 1.9})
      for (const ChebyshevKind kind : kChebyshevKinds) {
        const double plain = chebyshev_below_2(kind, false, x, n);
        const double exact = chebyshev_polynomial(kind, x, polynomial_degree(n));
        EXPECT_EQ(plain, exact) << static_cast<int>(kind) << " x " << x << " n " << n;
        const double shifted = chebyshev_below_2(kind, true, x, n);
        const double exact_shifted = shifted_chebyshev_polynomial(kind, x, polynomial_degree(n));
        EXPECT_EQ(shifted, exact_shifted) << static_cast<int>(kind) << " x " << x << " n " << n;
      }
}

TEST(ChebyshevBelow2, KeepsTheSignOfZero) {
  for (const ChebyshevKind kind : {ChebyshevKind::kT, ChebyshevKind::kU}) {
    EXPECT_TRUE(std::signbit(chebyshev_below_2(kind, false, -0.0, 1.0)));
    EXPECT_FALSE(std::signbit(chebyshev_below_2(kind, false, 0.0, 1.0)));
  }
}

}  // namespace
}  // namespace upcast
