// Tests which dispatch macro covers a set of dtypes. oracle/libtorch/dispatch_macro_test.cc checks
// the names and dtypes against ATen's own.
#include "impl/ops/dispatch_macro.h"

#include <gtest/gtest.h>

#include "impl/ops/catalogue.h"

namespace upcast {
namespace {

TEST(DispatchMacro, NamesWhatItAdds) {
  EXPECT_EQ(dispatch_macro(kFullFloats), "AT_DISPATCH_FLOATING_TYPES");
  EXPECT_EQ(dispatch_macro(kFloats), "AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16)");
  EXPECT_EQ(dispatch_macro(kFullFloats | kFullComplex | DTypeSet{DType::kFloat16}),
            "AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(kHalf)")
      << "the thesis, figure 1.6";
  EXPECT_EQ(dispatch_macro(kBools | kIntegers), "AT_DISPATCH_INTEGRAL_TYPES_AND(kBool)");
  EXPECT_EQ(dispatch_macro({}), "");
}

TEST(DispatchMacro, IsV2WhereNoneAddsSoMany) {
  EXPECT_EQ(dispatch_macro(kIntegers | kUnsigned),
            "AT_DISPATCH_V2(AT_EXPAND(AT_INTEGRAL_TYPES), kUInt16, kUInt32, kUInt64)");
  EXPECT_EQ(dispatch_macro({DType::kFloat64, DType::kComplex128}),
            "AT_DISPATCH_V2(kDouble, kComplexDouble)");
}

TEST(DispatchMacro, OfSinHasComplexHalfOnCudaAlone) {
  const OpSpec& sin = *find_callable("sin").op->spec;
  EXPECT_EQ(dispatch_macro(kernel_dtypes(sin, Device::kCpu)),
            "AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND2(kHalf, kBFloat16)");
  EXPECT_EQ(dispatch_macro(kernel_dtypes(sin, Device::kCuda)),
            "AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND3(kHalf, kComplexHalf, kBFloat16)");
}

TEST(DispatchMacro, EveryOpWithKernelsHasOne) {
  int with_kernels = 0;
  int differ = 0;
  for (const Op& op : catalogue()) {
    const DTypeSet on_cpu = kernel_dtypes(*op.spec, Device::kCpu);
    EXPECT_EQ(on_cpu, op.spec->dtypes) << op.spec->name;
    EXPECT_EQ(dispatch_macro(on_cpu).empty(), on_cpu.empty()) << op.spec->name;
    with_kernels += !on_cpu.empty();
    differ += !(kernel_dtypes(*op.spec, Device::kCuda) == on_cpu);
  }
  EXPECT_GT(with_kernels, 180);
  EXPECT_GT(differ, 20) << "complex32 in CUDA's unary floating functions";
}

}  // namespace
}  // namespace upcast
