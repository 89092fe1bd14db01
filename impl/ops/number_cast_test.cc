#include "impl/ops/number_cast.h"

#include <gtest/gtest.h>

#include <limits>

namespace upcast {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

bool fits(std::int64_t value, DType dtype) { return number_fits(Number(value), dtype); }

TEST(NumberFits, TheLargestAndTheSmallestValueOfADType) {
  EXPECT_TRUE(fits(127, DType::kInt8));
  EXPECT_FALSE(fits(128, DType::kInt8));
  EXPECT_TRUE(fits(-128, DType::kInt8));
  EXPECT_FALSE(fits(-129, DType::kInt8));
  EXPECT_TRUE(number_fits(Number(127.5), DType::kInt8));
  EXPECT_FALSE(number_fits(Number(128.0), DType::kInt8));
  EXPECT_TRUE(number_fits(Number(-128.0), DType::kInt8));
  EXPECT_TRUE(fits(255, DType::kUInt8));
  EXPECT_FALSE(fits(256, DType::kUInt8));
  EXPECT_TRUE(fits(65504, DType::kFloat16));
  EXPECT_FALSE(fits(65505, DType::kFloat16));
  EXPECT_FALSE(fits(-65505, DType::kFloat16));
}

TEST(NumberFits, ANegativeNumberWrapsIntoAnUnsignedDTypeThatHoldsItsMagnitude) {
  EXPECT_TRUE(fits(-255, DType::kUInt8));
  EXPECT_FALSE(fits(-256, DType::kUInt8));
}

TEST(NumberFits, NaNAndInfinityFitFloatingAndComplexDTypesOnly) {
  for (const double value : {kNaN, kInf, -kInf}) {
    for (const DType dtype : {DType::kFloat16, DType::kFloat32, DType::kComplex64}) {
      EXPECT_TRUE(number_fits(Number(value), dtype));
      EXPECT_EQ(number_fits(Number(Complex<double>{value, 1}), dtype), is_complex(dtype));
      EXPECT_EQ(number_fits(Number(Complex<double>{1, value}), dtype), is_complex(dtype));
    }
    EXPECT_FALSE(number_fits(Number(value), DType::kInt64));
  }
}

TEST(NumberFits, BothPartsOfAComplexNumberMustFit) {
  EXPECT_TRUE(number_fits(Number(Complex<double>{1e38, -1e38}), DType::kComplex64));
  EXPECT_FALSE(number_fits(Number(Complex<double>{1e39, 0}), DType::kComplex64));
  EXPECT_FALSE(number_fits(Number(Complex<double>{0, -1e39}), DType::kComplex64));
  EXPECT_TRUE(number_fits(Number(Complex<double>{3, 0}), DType::kInt8));
  EXPECT_FALSE(number_fits(Number(Complex<double>{3, 1}), DType::kInt8));
}

}  // namespace
}  // namespace upcast
