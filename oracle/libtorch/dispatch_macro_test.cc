// Compares our table of dispatch macros with ATen's own macros.
#include "impl/ops/dispatch_macro.h"

#include <ATen/Dispatch.h>
#include <gtest/gtest.h>

#include <array>

#include "oracle/libtorch/convert.h"

namespace upcast::libtorch {
namespace {

/// The dtypes that a dispatch macro covers, for which `dispatch` does not throw.
template <class Dispatch>
DTypeSet covered(Dispatch dispatch) {
  DTypeSet dtypes;
  for (int code = 0; code < kDTypeCount; ++code) {
    const DType dtype = dtype_from_code(code);
    if (dtype == DType::kUndefined) continue;
    try {
      dispatch(to_c10(dtype));
      dtypes = dtypes | dtype;
    } catch (const c10::Error&) {
    }
  }
  return dtypes;
}

struct Macro {
  std::string_view name;
  DTypeSet dtypes;
};

/// ATen's macros: first those of our table, in its order, then some that take additional dtypes.
std::vector<Macro> atens_macros() {
  using c10::ScalarType;
  return {
      {"AT_DISPATCH_COMPLEX_TYPES",
       covered([](ScalarType t) { AT_DISPATCH_COMPLEX_TYPES(t, "", [] {}); })},
      {"AT_DISPATCH_FLOATING_TYPES",
       covered([](ScalarType t) { AT_DISPATCH_FLOATING_TYPES(t, "", [] {}); })},
      {"AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES",
       covered([](ScalarType t) { AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES(t, "", [] {}); })},
      {"AT_DISPATCH_INTEGRAL_TYPES",
       covered([](ScalarType t) { AT_DISPATCH_INTEGRAL_TYPES(t, "", [] {}); })},
      {"AT_DISPATCH_ALL_TYPES", covered([](ScalarType t) { AT_DISPATCH_ALL_TYPES(t, "", [] {}); })},
      {"AT_DISPATCH_ALL_TYPES_AND_COMPLEX",
       covered([](ScalarType t) { AT_DISPATCH_ALL_TYPES_AND_COMPLEX(t, "", [] {}); })},
      {"AT_DISPATCH_COMPLEX_TYPES_AND(kComplexHalf)", covered([](ScalarType t) {
         AT_DISPATCH_COMPLEX_TYPES_AND(at::kComplexHalf, t, "", [] {});
       })},
      {"AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(kHalf)", covered([](ScalarType t) {
         AT_DISPATCH_FLOATING_AND_COMPLEX_TYPES_AND1(at::kHalf, t, "", [] {});
       })},
      {"AT_DISPATCH_FLOATING_TYPES_AND2(kHalf, kBFloat16)", covered([](ScalarType t) {
         AT_DISPATCH_FLOATING_TYPES_AND2(at::kHalf, at::kBFloat16, t, "", [] {});
       })},
      {"AT_DISPATCH_INTEGRAL_TYPES_AND(kBool)",
       covered([](ScalarType t) { AT_DISPATCH_INTEGRAL_TYPES_AND(at::kBool, t, "", [] {}); })},
      {"AT_DISPATCH_ALL_TYPES_AND3(kHalf, kBool, kBFloat16)", covered([](ScalarType t) {
         AT_DISPATCH_ALL_TYPES_AND3(at::kHalf, at::kBool, at::kBFloat16, t, "", [] {});
       })},
  };
}

TEST(DispatchMacros, AreAtens) {
  const std::vector<Macro> theirs = atens_macros();
  ASSERT_GE(theirs.size(), dispatch_macros().size());
  for (std::size_t i = 0; i < dispatch_macros().size(); ++i) {
    EXPECT_EQ(dispatch_macros()[i].name, theirs[i].name);
    EXPECT_EQ(dispatch_macros()[i].dtypes, theirs[i].dtypes) << theirs[i].name;
  }
}

TEST(DispatchMacros, WhatOneCoversHasItsName) {
  for (const Macro& macro : atens_macros()) EXPECT_EQ(dispatch_macro(macro.dtypes), macro.name);
}

}  // namespace
}  // namespace upcast::libtorch
