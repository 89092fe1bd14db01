// Tests single rows of the dtype table. oracle/libtorch compares every row with c10's dtypes.
#include "impl/core/dtype.h"

#include <gtest/gtest.h>

namespace upcast {
namespace {

TEST(DType, BoolAndIntegersAreTwoCategories) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const DType dtype = dtype_from_code(i);
    EXPECT_LE(is_bool(dtype) + is_integral(dtype) + is_floating(dtype) + is_complex(dtype), 1)
        << name(dtype);
  }
  EXPECT_TRUE(is_integral(DType::kUInt64));
  EXPECT_TRUE(is_floating(DType::kFloat8E8M0FNU));
}

TEST(DType, ComplexDTypesHaveRealCounterpartsOfHalfTheirSize) {
  for (int i = 0; i < kDTypeCount; ++i) {
    const DType dtype = dtype_from_code(i);
    if (!is_complex(dtype)) continue;
    EXPECT_EQ(itemsize(dtype), 2 * itemsize(to_real(dtype))) << name(dtype);
    EXPECT_EQ(to_complex(to_real(dtype)), dtype) << name(dtype);
    EXPECT_EQ(to_real(compute_dtype(dtype)), compute_dtype(to_real(dtype))) << name(dtype);
  }
}

}  // namespace
}  // namespace upcast
