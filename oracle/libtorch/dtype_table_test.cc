// Compares our dtype table with c10's, row by row.
#include <ATen/OpMathType.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>
#include <c10/core/ScalarTypeToTypeMeta.h>
#include <gtest/gtest.h>

#include "impl/promotion/promotion.h"
#include "oracle/libtorch/convert.h"
#include "oracle/libtorch/settings.h"

namespace upcast::libtorch {
namespace {

/// The dtype that `f` returns; kUndefined if it throws.
template <class F>
DType or_undefined(F f) {
  try {
    return from_c10(f());
  } catch (const std::exception&) {
    return DType::kUndefined;
  }
}

class DTypeTable : public testing::Test {
 protected:
  static void SetUpTestSuite() { configure(Capability::kDefault); }
};

TEST_F(DTypeTable, HasEveryScalarType) {
  if (kDTypesOfLibTorch < 47) GTEST_SKIP() << "this LibTorch is older than our table";
  EXPECT_EQ(static_cast<int>(c10::ScalarType::NumOptions), kDTypeCount);
  EXPECT_EQ(dtypes().size(), static_cast<std::size_t>(kDTypeCount));
}

TEST_F(DTypeTable, HasTheCodesAndNamesOfC10) {
  for (DType dtype : dtypes()) {
    const std::string theirs = c10::toString(to_c10(dtype));
    EXPECT_EQ(dtype == DType::kUndefined ? "UNKNOWN_SCALAR" : info(dtype).c10_name, theirs);
  }
}

TEST_F(DTypeTable, HasThePythonNamesOfC10) {
  for (DType dtype : dtypes()) {
    if (dtype == DType::kUndefined) continue;
    const auto [name_there, legacy] = c10::getDtypeNames(to_c10(dtype));
    // c10 has two names for some dtypes, and our name may be either of them. Of complex64 it is the
    // first one, which Python prints too. bool has only one name.
    EXPECT_TRUE(name(dtype) == name_there || name(dtype) == legacy)
        << name(dtype) << " is " << name_there << " or " << legacy << " there";
  }
}

TEST_F(DTypeTable, HasTheItemSizesOfC10) {
  for (DType dtype : dtypes())
    if (dtype != DType::kUndefined) {
      EXPECT_EQ(static_cast<std::size_t>(itemsize(dtype)), c10::elementSize(to_c10(dtype)))
          << name(dtype);
    }
}

TEST_F(DTypeTable, HasTheCategoriesOfC10) {
  for (DType dtype : dtypes()) {
    const c10::ScalarType type = to_c10(dtype);
    EXPECT_EQ(is_integral(dtype), c10::isIntegralType(type, /*includeBool=*/false)) << name(dtype);
    EXPECT_EQ(is_integral(dtype) || is_bool(dtype), c10::isIntegralType(type, /*includeBool=*/true))
        << name(dtype);
    EXPECT_EQ(is_floating(dtype), c10::isFloatingType(type)) << name(dtype);
    EXPECT_EQ(is_complex(dtype), c10::isComplexType(type)) << name(dtype);
  }
}

TEST_F(DTypeTable, HasTheGroupsOfC10) {
  for (DType dtype : dtypes()) {
    const c10::ScalarType type = to_c10(dtype);
    EXPECT_EQ(group(dtype) == Group::kQuantized, c10::isQIntType(type)) << name(dtype);
    EXPECT_EQ(group(dtype) == Group::kBits, c10::isBitsType(type)) << name(dtype);
    EXPECT_EQ(group(dtype) == Group::kFloat8, c10::isFloat8Type(type)) << name(dtype);
    EXPECT_EQ(group(dtype) == Group::kBarebonesUnsigned, c10::isBarebonesUnsignedType(type))
        << name(dtype);
  }
}

TEST_F(DTypeTable, HasTheRealComplexAndComputeCounterpartsOfC10) {
  for (DType dtype : dtypes()) {
    const c10::ScalarType type = to_c10(dtype);
    EXPECT_EQ(to_real(dtype), from_c10(c10::toRealValueType(type))) << name(dtype);
    EXPECT_EQ(to_complex(dtype), or_undefined([&] { return c10::toComplexType(type); }))
        << name(dtype);
    // at::toOpMathType knows the dtypes that have a C++ type and refuses the others.
    const DType compute = or_undefined([&] { return at::toOpMathType(type); });
    if (compute != DType::kUndefined) {
      EXPECT_EQ(compute_dtype(dtype), compute) << name(dtype);
    }
  }
}

TEST_F(DTypeTable, HasTheDefaultComplexDTypeOfEveryDefault) {
  const c10::ScalarType before = c10::get_default_dtype_as_scalartype();
  int allowed = 0;
  for (DType dtype : dtypes()) {
    const DType complex = or_undefined([&] {
      c10::set_default_dtype(c10::scalarTypeToTypeMeta(to_c10(dtype)));
      return c10::typeMetaToScalarType(c10::get_default_complex_dtype());
    });
    if (complex == DType::kUndefined) continue;
    ++allowed;
    EXPECT_EQ(Defaults{dtype}.complex(), complex) << name(dtype);
  }
  c10::set_default_dtype(c10::scalarTypeToTypeMeta(before));
  EXPECT_GE(allowed, 4);
}

}  // namespace
}  // namespace upcast::libtorch
