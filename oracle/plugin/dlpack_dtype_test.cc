#include "oracle/plugin/dlpack_dtype.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace upcast {
namespace {

TEST(DLPackDType, EveryDTypeComesBack) {
  std::set<std::tuple<int, int, int>> types;
  for (int code = 0; code < kDTypeCount; ++code) {
    const DLDataType type = to_dlpack(dtype_from_code(code));
    EXPECT_EQ(from_dlpack(type), dtype_from_code(code)) << name(dtype_from_code(code));
    EXPECT_TRUE(types.emplace(type.code, type.bits, type.lanes).second)
        << name(dtype_from_code(code)) << " has another's type";
  }
}

TEST(DLPackDType, WhatIsNoneIsNone) {
  EXPECT_FALSE(from_dlpack({99, 32, 1}));
  EXPECT_FALSE(from_dlpack({kDLFloat, 32, 4})) << "vectors are no elements";
  EXPECT_FALSE(from_dlpack({kDLInt, 7, 1}));
  EXPECT_FALSE(from_dlpack({UPCAST_TYPE_C10, 200, 1}));
}

}  // namespace
}  // namespace upcast
