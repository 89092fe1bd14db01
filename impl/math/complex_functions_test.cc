// Compares the complex functions with std::complex<long double> over values of every size. Also
// compares them with mpmath's values for arguments that are hard to compute, and checks the special
// values of C17, Annex G.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "impl/math/complex_activations.h"
#include "impl/math/complex_exponential.h"
#include "impl/math/complex_inverse.h"
#include "impl/math/complex_logarithm.h"
#include "impl/math/complex_power.h"
#include "impl/math/complex_references.h"
#include "impl/math/complex_trigonometric.h"

namespace upcast {
namespace {

using Wide = long double;
using WideComplex = std::complex<Wide>;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kPi = 3.14159265358979323846;

/// Error in ulp that a function may have: the bound that the catalogue has for every op on complex
/// dtypes.
constexpr double kAllowed = 0.51;

template <class R>
using Unary = Complex<R> (*)(Complex<R>);

struct Function {
  const char* name;
  Unary<float> of_float;
  Unary<double> of_double;
  WideComplex (*oracle)(WideComplex);
  double largest;  // largest size of a uniform argument's parts
};

WideComplex oracle_expm1(WideComplex z) {
  const Wide half = std::sin(z.imag() / 2);
  return {std::expm1(z.real()) * std::cos(z.imag()) - 2 * half * half,
          std::exp(z.real()) * std::sin(z.imag())};
}

WideComplex oracle_log1p(WideComplex z) {
  const Wide excess = z.real() * (z.real() + 2) + z.imag() * z.imag();
  return {std::abs(excess) < 0.5L ? std::log1p(excess) / 2 : std::log(std::abs(Wide(1) + z)),
          std::atan2(z.imag(), 1 + z.real())};
}

WideComplex oracle_exp2(WideComplex z) {
  return std::polar(std::exp2(z.real()), z.imag() * std::numbers::ln2_v<Wide>);
}

WideComplex oracle_sinc(WideComplex z) {
  constexpr Wide kWidePi = std::numbers::pi_v<Wide>;
  // The whole part is subtracted before multiplying by pi, because the sine is small near it.
  const Wide whole = std::rint(z.real());
  const WideComplex sine = std::sin(kWidePi * (z - whole));
  return (std::fmod(whole, 2) == 0 ? sine : -sine) / (kWidePi * z);
}

const Function kFunctions[] = {
    {"exp", &exp<float>, &exp<double>, [](WideComplex z) { return std::exp(z); }, 80},
    {"exp2", &exp2<float>, &exp2<double>, oracle_exp2, 80},
    {"expm1", &expm1<float>, &expm1<double>, oracle_expm1, 80},
    {"log", &log<float>, &log<double>, [](WideComplex z) { return std::log(z); }, 1e9},
    {"log2", &log2<float>, &log2<double>,
     [](WideComplex z) { return std::log(z) / std::numbers::ln2_v<Wide>; }, 1e9},
    {"log10", &log10<float>, &log10<double>, [](WideComplex z) { return std::log10(z); }, 1e9},
    {"log1p", &log1p<float>, &log1p<double>, oracle_log1p, 1e9},
    {"sqrt", &sqrt<float>, &sqrt<double>, [](WideComplex z) { return std::sqrt(z); }, 1e9},
    {"rsqrt", &rsqrt<float>, &rsqrt<double>, [](WideComplex z) { return Wide(1) / std::sqrt(z); },
     1e9},
    {"sinh", &sinh<float>, &sinh<double>, [](WideComplex z) { return std::sinh(z); }, 80},
    {"cosh", &cosh<float>, &cosh<double>, [](WideComplex z) { return std::cosh(z); }, 80},
    {"tanh", &tanh<float>, &tanh<double>, [](WideComplex z) { return std::tanh(z); }, 30},
    {"sin", &sin<float>, &sin<double>, [](WideComplex z) { return std::sin(z); }, 80},
    {"cos", &cos<float>, &cos<double>, [](WideComplex z) { return std::cos(z); }, 80},
    {"tan", &tan<float>, &tan<double>, [](WideComplex z) { return std::tan(z); }, 30},
    {"asin", &asin<float>, &asin<double>, [](WideComplex z) { return std::asin(z); }, 1e9},
    {"acos", &acos<float>, &acos<double>, [](WideComplex z) { return std::acos(z); }, 1e9},
    {"atan", &atan<float>, &atan<double>, [](WideComplex z) { return std::atan(z); }, 1e9},
    {"asinh", &asinh<float>, &asinh<double>, [](WideComplex z) { return std::asinh(z); }, 1e9},
    {"acosh", &acosh<float>, &acosh<double>, [](WideComplex z) { return std::acosh(z); }, 1e9},
    {"atanh", &atanh<float>, &atanh<double>, [](WideComplex z) { return std::atanh(z); }, 1e9},
    {"sigmoid", &sigmoid<float>, &sigmoid<double>,
     [](WideComplex z) { return Wide(1) / (Wide(1) + std::exp(-z)); }, 80},
    {"silu", &silu<float>, &silu<double>,
     [](WideComplex z) { return z / (Wide(1) + std::exp(-z)); }, 80},
    {"sinc", &sinc<float>, &sinc<double>, oracle_sinc, 10}};

template <class R>
Wide ulp_of(Wide value) {
  using Limits = std::numeric_limits<R>;
  const int exponent =
      value == 0 ? Limits::min_exponent - 1 : std::max(std::ilogb(value), Limits::min_exponent - 1);
  return std::ldexp(Wide(1), exponent - Limits::digits + 1);
}

/// The error, in ulp of the larger part of the oracle's value; 0 if that value is beyond R's range.
template <class R>
double error_in_ulp(Complex<R> found, WideComplex oracle) {
  const Wide larger = std::max(std::abs(oracle.real()), std::abs(oracle.imag()));
  if (!(larger <= std::numeric_limits<R>::max())) return 0;
  const Wide ulp = ulp_of<R>(larger);
  const Wide error =
      std::max(std::abs(found.re - oracle.real()), std::abs(found.im - oracle.imag()));
  return std::isnan(error) ? kInf : static_cast<double>(error / ulp);
}

/// Tests one function over the complex plane: small numbers, large numbers, and neighbours of 0, 1
/// and i.
template <class R>
double largest_error(Unary<R> subject, const Function& f) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  const auto part = [&](int kind, double near) {
    const double u = unit(random);
    if (kind == 0) return static_cast<R>(u * f.largest);
    if (kind == 1) return static_cast<R>(u * 2);
    return static_cast<R>(near + std::ldexp(u, -static_cast<int>(random() % 24)));
  };
  double largest = 0;
  for (int i = 0; i < 30'000; ++i) {
    const int kind = static_cast<int>(random() % 3);
    const bool upright = (random() & 1) != 0, zero = (random() & 1) != 0;
    const Complex<R> z{part(kind, upright || zero ? 0 : 1), part(kind, upright && !zero ? 1 : 0)};
    largest = std::max(largest, error_in_ulp<R>(subject(z), f.oracle({z.re, z.im})));
  }
  return largest;
}

class ComplexFunctions : public testing::TestWithParam<Function> {
 protected:
  void SetUp() override {
    if (std::numeric_limits<Wide>::digits < 64) GTEST_SKIP() << "long double is no wider";
  }
};

TEST_P(ComplexFunctions, Complex64IsRoundedOnce) {
  EXPECT_LE(largest_error<float>(GetParam().of_float, GetParam()), kAllowed);
}
TEST_P(ComplexFunctions, Complex128IsRoundedOnce) {
  EXPECT_LE(largest_error<double>(GetParam().of_double, GetParam()), kAllowed);
}

INSTANTIATE_TEST_SUITE_P(All, ComplexFunctions, testing::ValuesIn(kFunctions),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(ComplexFunctionsControl, AnErrorOfTwoUlpIsFound) {
  const Unary<float> wrong = [](Complex<float> z) {
    const Complex<float> right = exp(z);
    return Complex<float>{right.re + 2 * static_cast<float>(ulp_of<float>(right.re)), right.im};
  };
  const Unary<double> lost = [](Complex<double> z) {
    const Complex<double> right = exp(z);
    return Complex<double>{right.re, right.im + 2 * static_cast<double>(ulp_of<double>(right.im))};
  };
  EXPECT_GT(largest_error<float>(wrong, kFunctions[0]), kAllowed);
  EXPECT_GT(largest_error<double>(lost, kFunctions[0]), kAllowed);
}

/// The error in ulp of `found`, compared with a value that has twice the precision.
double error_in_ulp(Complex<double> found, const ComplexReference& oracle) {
  const double larger = std::max(std::abs(oracle.re.hi), std::abs(oracle.im.hi));
  const Wide re = (Wide(found.re) - oracle.re.hi) - oracle.re.lo;
  const Wide im = (Wide(found.im) - oracle.im.hi) - oracle.im.lo;
  const Wide error = std::max(std::abs(re), std::abs(im));
  return std::isnan(error) ? kInf : static_cast<double>(error / ulp_of<double>(larger));
}

TEST(ComplexReferences, HardArgumentsAreRoundedOnce) {
  for (const ComplexReference& r : kComplexReferences) {
    const Complex<double> z{r.z[0], r.z[1]}, w{r.w[0], r.w[1]};
    const std::string name = r.function;
    const auto* const f = std::find_if(std::begin(kFunctions), std::end(kFunctions),
                                       [&](const Function& row) { return row.name == name; });
    const Complex<double> found = name == "pow"         ? pow(z, w)
                                  : name == "logaddexp" ? logaddexp(z, w)
                                                        : f->of_double(z);
    EXPECT_LE(error_in_ulp(found, r), kAllowed)
        << name << std::hexfloat << " (" << z.re << ", " << z.im << "): " << found.re << ", "
        << found.im << " against " << r.re.hi << ", " << r.im.hi;
  }
}

TEST(ComplexReferences, Complex64OfTheSameArguments) {
  int compared = 0;
  for (const ComplexReference& r : kComplexReferences) {
    if (std::string(r.function) != "pow") continue;
    const Complex<float> z{float(r.z[0]), float(r.z[1])}, w{float(r.w[0]), float(r.w[1])};
    if (z.re != r.z[0] || z.im != r.z[1] || w.re != r.w[0] || w.im != r.w[1]) continue;
    EXPECT_LE(error_in_ulp<float>(pow(z, w), {Wide(r.re.hi), Wide(r.im.hi)}), kAllowed);
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

struct SpecialValue {
  const char* function;
  Complex<double> z, value;
};

const SpecialValue kSpecialValues[] = {{"exp", {-kInf, kInf}, {0, 0}},
                                       {"exp", {kInf, -0.0}, {kInf, -0.0}},
                                       {"exp", {kInf, 2}, {-kInf, kInf}},
                                       {"exp", {-kInf, 2}, {-0.0, 0}},
                                       {"exp", {kNaN, 0}, {kNaN, 0}},
                                       {"exp", {1000, 0}, {kInf, 0}},
                                       {"exp2", {-kInf, 1}, {0, 0}},
                                       {"exp2", {kInf, kInf}, {kInf, kNaN}},
                                       {"expm1", {-0.0, 0}, {-0.0, 0}},
                                       {"expm1", {0, 1e-320}, {-0.0, 1e-320}},
                                       {"log", {-0.0, 0}, {-kInf, kPi}},
                                       {"log", {0, -0.0}, {-kInf, -0.0}},
                                       {"log", {-kInf, kInf}, {kInf, 0.75 * kPi}},
                                       {"log", {kNaN, -kInf}, {kInf, kNaN}},
                                       {"log1p", {-1, -0.0}, {-kInf, -0.0}},
                                       {"log1p", {-0.0, 0}, {-0.0, 0}},
                                       {"sqrt", {-0.0, -0.0}, {0, -0.0}},
                                       {"sqrt", {-4, -0.0}, {0, -2}},
                                       {"sqrt", {kNaN, kInf}, {kInf, kInf}},
                                       {"sqrt", {-kInf, kNaN}, {kNaN, kInf}},
                                       {"rsqrt", {0, 0}, {kInf, kNaN}},
                                       {"rsqrt", {4, -0.0}, {0.5, 0}},
                                       {"sinh", {-0.0, kInf}, {-0.0, kNaN}},
                                       {"sinh", {kInf, 0}, {kInf, 0}},
                                       {"cosh", {0, kNaN}, {kNaN, 0}},
                                       {"cosh", {-kInf, 0}, {kInf, -0.0}},
                                       {"tanh", {kInf, 2}, {1, -0.0}},
                                       {"tanh", {-0.0, kNaN}, {-0.0, kNaN}},
                                       {"sin", {-0.0, 0}, {-0.0, 0}},
                                       {"sin", {kInf, -0.0}, {kNaN, -0.0}},
                                       {"cos", {0, 0}, {1, -0.0}},
                                       {"cos", {-0.0, 0}, {1, 0}},
                                       {"tan", {-0.0, -0.0}, {-0.0, -0.0}},
                                       {"tan", {2, -kInf}, {-0.0, -1}},
                                       {"asin", {2, 0}, {kPi / 2, std::acosh(2.0)}},
                                       {"asin", {2, -0.0}, {kPi / 2, -std::acosh(2.0)}},
                                       {"asin", {-0.0, kInf}, {-0.0, kInf}},
                                       {"acos", {1, 0}, {0, -0.0}},
                                       {"acos", {kInf, 1}, {0, -kInf}},
                                       {"acos", {-kInf, kInf}, {0.75 * kPi, -kInf}},
                                       {"acos", {kNaN, -kInf}, {kNaN, kInf}},
                                       {"atan", {0, 1}, {0, kInf}},
                                       {"atan", {-0.0, -1}, {-0.0, -kInf}},
                                       {"atan", {kInf, kNaN}, {kPi / 2, 0}},
                                       {"asinh", {kInf, kNaN}, {kInf, kNaN}},
                                       {"asinh", {-0.0, -0.0}, {-0.0, -0.0}},
                                       {"acosh", {0, kNaN}, {kNaN, kPi / 2}},
                                       {"acosh", {-kInf, -0.0}, {kInf, -kPi}},
                                       {"atanh", {1, 0}, {kInf, 0}},
                                       {"atanh", {0, kNaN}, {0, kNaN}},
                                       {"atanh", {-kInf, -1}, {-0.0, -kPi / 2}},
                                       {"sigmoid", {kInf, 1}, {1, 0}},
                                       {"sinc", {0, -0.0}, {1, 0}},
                                       {"sinc", {3, 0}, {0, -0.0}}};

bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : a == b && std::signbit(a) == std::signbit(b);
}

TEST(ComplexSpecialValues, AreThoseOfAnnexG) {
  for (const SpecialValue& s : kSpecialValues) {
    const auto* const f =
        std::find_if(std::begin(kFunctions), std::end(kFunctions),
                     [&](const Function& row) { return std::string(row.name) == s.function; });
    const Complex<double> found = f->of_double(s.z);
    EXPECT_TRUE(same(found.re, s.value.re) && same(found.im, s.value.im))
        << s.function << "(" << s.z.re << ", " << s.z.im << "): " << found.re << ", " << found.im;
    const Complex<float> narrow =
        f->of_float({static_cast<float>(s.z.re), static_cast<float>(s.z.im)});
    if (std::abs(s.z.im) == 1e-320) continue;  // an imaginary part that rounds to 0 in float
    EXPECT_TRUE(same(narrow.re, static_cast<float>(s.value.re)) &&
                same(narrow.im, static_cast<float>(s.value.im)))
        << s.function << "f(" << s.z.re << ", " << s.z.im << "): " << narrow.re << ", "
        << narrow.im;
  }
}

TEST(ComplexSpecialValues, WhatUnderflowsKeepsItsSign) {
  for (const double sign : {-1.0, 1.0}) {
    EXPECT_TRUE(same(atanh(Complex<double>{sign * 1e-222, 3e102}).re, sign * 0.0));
    EXPECT_TRUE(same(atan(Complex<double>{-4e247, sign * 1e-76}).im, sign * 0.0));
    EXPECT_TRUE(same(atanh(Complex<float>{static_cast<float>(sign) * 1e-40F, 1e38F}).re,
                     static_cast<float>(sign) * 0.0F));
  }
}

TEST(ComplexSpecialValues, PowersOfZerosAndInfinities) {
  const Complex<double> zero = pow(Complex<double>{0, 0}, Complex<double>{2, 0});
  EXPECT_TRUE(same(zero.re, 0.0) && same(zero.im, 0.0)) << zero.re << ", " << zero.im;
  const Complex<double> none = pow(Complex<double>{0, 0}, Complex<double>{0, 0});
  EXPECT_TRUE(std::isnan(none.re) && std::isnan(none.im)) << none.re << ", " << none.im;
  const Complex<double> square = pow(Complex<double>{0, 1}, Complex<double>{2, 0});
  EXPECT_TRUE(same(square.re, -1.0) && same(square.im, 0.0)) << square.re << ", " << square.im;
}

}  // namespace
}  // namespace upcast
