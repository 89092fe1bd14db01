// Compares the special functions with mpmath's values, and checks their results at limits and
// poles.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>

#include "impl/math/airy.h"
#include "impl/math/bessel_i.h"
#include "impl/math/bessel_jy.h"
#include "impl/math/bessel_k.h"
#include "impl/math/incomplete_gamma.h"
#include "impl/math/normal_distribution.h"
#include "impl/math/polygamma.h"
#include "impl/math/special_functions_references.h"

namespace upcast {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

double ulp(double value) {
  const double size = std::abs(value);
  return std::nextafter(size, kInfinity) - size;
}

TEST(SpecialFunctions, AreWithinFiveUlp) {
  const std::map<std::string, double (*)(double, double)> functions{
      {"bessel_i0", [](double x, double) { return bessel_i0(x); }},
      {"bessel_i1e", [](double x, double) { return bessel_i1e(x); }},
      {"bessel_k0", [](double x, double) { return bessel_k0(x); }},
      {"scaled_bessel_k1", [](double x, double) { return scaled_bessel_k1(x); }},
      {"airy_ai", [](double x, double) { return airy_ai(x); }},
      {"digamma", [](double x, double) { return digamma(x); }},
      {"erfinv", [](double x, double) { return erfinv(x); }},
      {"erfcx", [](double x, double) { return erfcx(x); }},
      {"ndtr", [](double x, double) { return ndtr(x); }},
      {"log_ndtr", [](double x, double) { return log_ndtr(x); }},
      {"hurwitz_zeta", [](double s, double q) { return hurwitz_zeta(s, q); }},
      {"igamma", [](double a, double x) { return igamma(a, x); }},
      {"igammac", [](double a, double x) { return igammac(a, x); }},
      {"polygamma_of", [](double n, double x) {
         return polygamma(PolygammaOrder(static_cast<std::int64_t>(n)), x);
       }}};
  for (const Reference& row : kReferences) {
    const double value = functions.at(row.function)(row.x, row.y);
    EXPECT_LE(std::abs(value - row.value) / ulp(row.value), 5)
        << row.function << "(" << row.x << ", " << row.y << ") is " << value;
  }
}

TEST(SpecialFunctions, MeetTheirLimits) {
  EXPECT_EQ(bessel_i0(-kInfinity), kInfinity);
  EXPECT_TRUE(std::signbit(bessel_i1(-0.0)));
  EXPECT_EQ(bessel_k0(0), kInfinity);
  EXPECT_TRUE(std::isnan(bessel_k1(-1)));
  EXPECT_EQ(bessel_j0(kInfinity), 0);
  EXPECT_EQ(bessel_y1(0), -kInfinity);
  EXPECT_EQ(airy_ai(-kInfinity), 0);
  EXPECT_EQ(hurwitz_zeta(2, kInfinity), 0);
  EXPECT_EQ(hurwitz_zeta(1e300, 2), 0);
  EXPECT_TRUE(std::isnan(hurwitz_zeta(1, kNaN)));
  EXPECT_EQ(hurwitz_zeta(3, -4), kInfinity);
  EXPECT_TRUE(std::isnan(igamma(kNaN, 0)));
  EXPECT_EQ(igammac(0, 1), 0);
  EXPECT_FALSE(std::signbit(igammac(5e-324, 0.75))) << "found by fuzzing against the truth";
  EXPECT_EQ(polygamma(PolygammaOrder(2), -1), -kInfinity);
  EXPECT_EQ(ndtri(0), -kInfinity);
  EXPECT_EQ(erfinv(1), kInfinity);
  EXPECT_EQ(log_ndtr(-kInfinity), -kInfinity);
}

TEST(SpecialFunctions, InvertEachOther) {
  for (double p : {1e-300, 1e-10, 0.02, 0.3, 0.75, 0.999})
    EXPECT_NEAR(ndtr(ndtri(p)) / p, 1, 3e-13);
  EXPECT_DOUBLE_EQ(erfinv(1 - 0x1p-53), 5.8635847487551676);
}

}  // namespace
}  // namespace upcast
