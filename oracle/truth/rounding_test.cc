#include "oracle/truth/rounding.h"

#include <gtest/gtest.h>
#include <mpfr.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "oracle/ulp.h"

namespace upcast::truth {
namespace {

struct Format {
  DType dtype;
  int digits, min_exponent, max_exponent;  // exponents are those of the leading digit
};

constexpr Format kFormats[] = {
    {DType::kFloat64, 53, -1022, 1023}, {DType::kFloat32, 24, -126, 127},
    {DType::kFloat16, 11, -14, 15},     {DType::kBFloat16, 8, -126, 127},
    {DType::kFloat8E5M2, 3, -14, 15},
};

using Mpfr = Owned<mpfr_t, mpfr_init2, mpfr_clear>;

/// Rounds in another way, by MPFR: with a narrow exponent range, then mpfr_subnormalize().
double by_mpfr(const Format& format, mpfr_srcptr exact) {
  const mpfr_exp_t min = mpfr_get_emin();
  const mpfr_exp_t max = mpfr_get_emax();
  Mpfr owner(format.digits);
  const mpfr_ptr rounded = owner.get();
  mpfr_set_emin(format.min_exponent - format.digits + 2);
  mpfr_set_emax(format.max_exponent + 1);
  int inexact = mpfr_set(rounded, exact, MPFR_RNDN);
  inexact = mpfr_check_range(rounded, inexact, MPFR_RNDN);
  mpfr_subnormalize(rounded, inexact, MPFR_RNDN);
  const double value = mpfr_get_d(rounded, MPFR_RNDN);
  mpfr_set_emin(min);
  mpfr_set_emax(max);
  return value;
}

TEST(Rounding, IsMpfrsForNumbersOfManyDigits) {
  std::mt19937_64 random(7);
  std::int64_t subnormal = 0;
  for (const Format& format : kFormats) {
    for (int i = 0; i < 20000; ++i) {
      // Numbers with more digits than the format, near both ends of its range and in the middle.
      const int exponent = i % 3 == 0   ? format.min_exponent - static_cast<int>(random() % 30)
                           : i % 3 == 1 ? format.max_exponent - static_cast<int>(random() % 3)
                                        : static_cast<int>(random() % 8) - 4;
      Mpfr exact_owner(200), little_owner(64);
      const mpfr_ptr exact = exact_owner.get(), little = little_owner.get();
      mpfr_set_ui(exact, random() >> (random() % 60), MPFR_RNDN);
      if (i % 2 == 0) {  // a little more or less than a number of few digits, which often is a tie
        mpfr_set_si_2exp(little, i % 4 == 0 ? 1 : -1, -100, MPFR_RNDN);
        mpfr_add(exact, exact, little, MPFR_RNDN);
      }
      if (mpfr_zero_p(exact)) mpfr_set_ui(exact, 1, MPFR_RNDN);
      mpfr_set_exp(exact, exponent + 1);
      if (random() % 2 == 0) mpfr_neg(exact, exact, MPFR_RNDN);
      Arf number;
      arf_set_mpfr(number.get(), exact);
      const double expected = by_mpfr(format, exact);
      EXPECT_EQ(std::bit_cast<std::uint64_t>(round_once(format.dtype, number.get())),
                std::bit_cast<std::uint64_t>(expected))
          << name(format.dtype) << " " << mpfr_get_d(exact, MPFR_RNDN);
      subnormal += std::abs(expected) < std::ldexp(1.0, format.min_exponent) ? 1 : 0;
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(subnormal, 10000);
}

TEST(Rounding, OfADTypeWithoutInfinityIsItsCasts) {
  EXPECT_EQ(round_once(DType::kFloat8E4M3FN, 448), 448);
  // Above 448, LibTorch 2.15 converts a number to 448, because float8_e4m3fn has no infinity.
  EXPECT_EQ(round_once(DType::kFloat8E4M3FN, 1e300), 448);
  EXPECT_TRUE(std::isnan(round_once(DType::kFloat8E4M3FNUZ, 1e300)));
  EXPECT_TRUE(std::isinf(round_once(DType::kFloat16, 65520)));
  EXPECT_EQ(round_once(DType::kFloat16, 65519), 65504);
  EXPECT_TRUE(std::signbit(round_once(DType::kFloat16, -0.0)));
  EXPECT_TRUE(std::signbit(round_once(DType::kFloat16, -1e-300)));
}

/// 1 + 2^-11 + 2^-60 lies just above a tie of float16. Rounded to float32 first, it would be the
/// tie.
TEST(Rounding, HappensOnce) {
  Arf number, little;
  arf_set_d(number.get(), 1 + 0x1p-11);
  arf_set_si_2exp_si(little.get(), 1, -60);
  EXPECT_EQ(round_once(DType::kFloat16, number.get()), 1);
  arf_add(number.get(), number.get(), little.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
  EXPECT_EQ(round_once(DType::kFloat16, number.get()), 1 + 0x1p-10);
}

/// A random value: near a tie, a value of the dtype, a subnormal value, or near the end of the
/// range.
double random_value(DType dtype, std::mt19937_64& random) {
  const double largest = dtype == DType::kFloat16 ? 65504 : 0x1.fep127;
  double value = std::ldexp(1 + static_cast<double>(random() % 4096) / 4096,
                            static_cast<int>(random() % 300) - 150);
  if (random() % 8 == 0) value = largest * (1 + static_cast<double>(random() % 32) / 4096);
  if (random() % 2 == 0) value *= 1 + std::ldexp(static_cast<double>(random() % 64) - 32, -52);
  return random() % 2 == 0 ? value : -value;
}

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(SafeRounding, IsTheLongWayWhereItSaysAnything) {
  std::mt19937_64 random(30);
  for (const DType dtype : {DType::kFloat16, DType::kBFloat16}) {
    std::int64_t told = 0, open = 0, ends_differ = 0;
    for (int i = 0; i < 300000; ++i) {
      const double value = random_value(dtype, random);
      EXPECT_TRUE(same_bits(round_once(dtype, value), round_with_cast(dtype, value))) << value;
      const double error = std::abs(value) * std::ldexp(1.0, -static_cast<int>(random() % 60));
      const double below = round_with_cast(dtype, value - error);
      const double above = round_with_cast(dtype, value + error);
      ends_differ += same_bits(below, above) ? 0 : 1;
      const auto found = safe_rounding(dtype)(value, error);
      ++(found ? told : open);
      if (!found) continue;
      EXPECT_TRUE(same_bits(*found, below) && same_bits(*found, above)) << value << " " << error;
      if (HasFailure()) return;
    }
    EXPECT_GT(told, 50000);
    EXPECT_GT(ends_differ, 5000) << "the control: one that ignores errors would be wrong there";
    EXPECT_GE(open, ends_differ);
  }
}

TEST(SafeRounding, TellsNothingBeyondTheRangeOrOfOtherDTypes) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const SafeRounding& half = safe_rounding(DType::kFloat16);
  EXPECT_EQ(half(65519, 0), 65504);
  for (const double value : {65520.0, 1e300, kInfinity, -kInfinity, std::nan("")})
    EXPECT_EQ(half(value, 0), std::nullopt) << value;
  for (const double error : {0x1p-11, kInfinity, std::nan("")})
    EXPECT_EQ(half(1, error), std::nullopt) << error;
  EXPECT_EQ(half(1 + 0x1p-11, 0), 1) << "a tie";
  EXPECT_EQ(half(1 + 0x1p-11, 1e-300), std::nullopt) << "perhaps a tie";
  for (const DType dtype : {DType::kFloat32, DType::kFloat8E5M2, DType::kInt32})
    EXPECT_EQ(safe_rounding(dtype)(1, 0), std::nullopt) << name(dtype);
}

}  // namespace
}  // namespace upcast::truth
