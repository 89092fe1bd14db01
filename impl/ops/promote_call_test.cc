// Tests the dtypes of calls that are not executed, as `upcast explain` asks for them.
#include "impl/ops/promote_call.h"

#include <gtest/gtest.h>

#include <vector>

#include "impl/tensor/tensor.h"

namespace upcast {
namespace {

Outcome<Promoted> promote(std::string_view callable, DType self, DType out) {
  const FoundOp found = find_callable(callable);
  std::vector<Argument> arguments(found.op->schemas[found.overload].parameters.size());
  const auto tensor = [](DType dtype) {
    return Argument{.tag = Argument::Tag::kTensor, .tensor = make_tensor(dtype, {3})};
  };
  arguments[0] = tensor(self);
  if (arguments.size() > 1) arguments[1] = tensor(DType::kBool);
  if (arguments.size() > 2) arguments[2] = {.tag = Argument::Tag::kNumber, .number = Number(1.5)};
  const Tensor given = make_tensor(out, {3});
  const Call call{.schema = &found.op->schemas[found.overload],
                  .form = found.form,
                  .arguments = arguments,
                  .out = &given};
  return promote_call(*found.op, call);
}

TEST(PromoteCall, AnOutThatLibTorchGeneratesHasExactlyTheResultDType) {
  const auto same = promote("masked_fill.Scalar_out", DType::kFloat32, DType::kFloat32);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(same.value().result, DType::kFloat32);
  const auto wider = promote("masked_fill.Scalar_out", DType::kFloat32, DType::kFloat64);
  ASSERT_FALSE(wider.ok());
  EXPECT_EQ(wider.rejection().code, RejectionCode::kDTypeMismatch);
}

TEST(PromoteCall, AnOutThatLibTorchGeneratesIsNotCastTo) {
  const auto narrower = promote("add.Scalar_out", DType::kFloat32, DType::kInt64);
  ASSERT_FALSE(narrower.ok());
  EXPECT_EQ(narrower.rejection().code, RejectionCode::kDTypeMismatch);
}

TEST(PromoteCall, AConditionIsBoolOrUInt8) {
  EXPECT_TRUE(promote("where.ScalarOther", DType::kBool, DType::kUndefined).ok());
  EXPECT_TRUE(promote("where.ScalarOther", DType::kUInt8, DType::kUndefined).ok());
  EXPECT_FALSE(promote("where.ScalarOther", DType::kInt8, DType::kUndefined).ok());
}

TEST(PromoteCall, APowerOfOneHasTheOperandsCommonDTypeWhateverOutIs) {
  const FoundOp found = find_callable("pow.Scalar_out");
  const Tensor out = make_tensor(DType::kBool, {3});
  const auto common = [&](Number base) {
    const std::vector<Argument> arguments{
        {.tag = Argument::Tag::kNumber, .number = base},
        {.tag = Argument::Tag::kTensor, .tensor = make_tensor(DType::kComplex64, {3})}};
    return promote_call(*found.op, {.schema = &found.op->schemas[found.overload],
                                    .form = found.form,
                                    .arguments = arguments,
                                    .out = &out});
  };
  ASSERT_TRUE(common(1).ok());
  EXPECT_EQ(common(1).value(), (Promoted{DType::kComplex64, DType::kBool}));
  EXPECT_FALSE(common(2).ok()) << "no other power is cast from complex to bool";
}

TEST(PromoteCall, AValueThatFillsIsZeroDim) {
  const FoundOp found = find_callable("masked_fill.Tensor");
  const auto fill = [&found](const Dims& sizes) {
    const auto tensor = [](DType dtype, const Dims& of) {
      return Argument{.tag = Argument::Tag::kTensor, .tensor = make_tensor(dtype, of)};
    };
    const std::vector<Argument> arguments{tensor(DType::kFloat32, {3}), tensor(DType::kBool, {3}),
                                          tensor(DType::kInt64, sizes)};
    const Call call{
        .schema = &found.op->schemas[found.overload], .form = found.form, .arguments = arguments};
    return promote_call(*found.op, call);
  };
  ASSERT_TRUE(fill({}).ok());
  EXPECT_EQ(fill({}).value().result, DType::kFloat32);
  EXPECT_FALSE(fill({1}).ok());
}

TEST(PromoteCall, AnyOtherOutMayBeCastTo) {
  const auto wider = promote("exp.out", DType::kFloat32, DType::kFloat64);
  ASSERT_TRUE(wider.ok());
  EXPECT_EQ(wider.value().common, DType::kFloat32);
  EXPECT_EQ(wider.value().result, DType::kFloat64);
  EXPECT_FALSE(promote("exp.out", DType::kFloat32, DType::kInt64).ok());
}

}  // namespace
}  // namespace upcast
