// Tests that the catalogue's rows are complete, and that calls answer as the ops are documented.
#include "impl/ops/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "impl/ops/number_cast.h"
#include "impl/ops/op_set.h"

namespace upcast {
namespace {

TEST(Catalogue, EveryOperandIsAParameterOfEveryOverload) {
  for (const Op& op : catalogue())
    for (const Schema& schema : op.schemas)
      for (const std::string_view operand : op.spec->operands)
        if (!operand.empty()) {
          EXPECT_GE(schema.find(operand), 0) << schema.text << ": " << operand;
        }
}

/// Whether a schema of the op has this parameter; true for "", which names none.
bool is_parameter(const Op& op, std::string_view parameter) {
  return parameter.empty() ||
         std::any_of(op.schemas.begin(), op.schemas.end(),
                     [&](const Schema& schema) { return schema.find(parameter) >= 0; });
}

TEST(Catalogue, EveryTraitSpeaksOfAParameterOfItsRow) {
  for (const Op& op : catalogue()) {
    const OpSpec& spec = *op.spec;
    for (const std::string_view parameter :
         {spec.mask, spec.divisor, spec.loop.parameter, spec.written})
      EXPECT_TRUE(is_parameter(op, parameter)) << spec.name << ": " << parameter;
    for (const Samples& samples : spec.samples)
      EXPECT_TRUE(is_parameter(op, samples.parameter)) << spec.name << ": " << samples.parameter;
  }
  EXPECT_FALSE(is_parameter(*find_callable("add.Tensor").op, "mask"));
}

TEST(OpSet, HoldsEveryRowOfANameAndOfAnAlias) {
  const OpSet divisions{"true_divide", "clip"};
  EXPECT_TRUE(divisions.contains(*find_callable("div.Tensor").op));
  EXPECT_TRUE(divisions.contains(*find_callable("clamp").op));
  EXPECT_TRUE(divisions.contains(*find_callable("clamp.Tensor").op));
  EXPECT_FALSE(divisions.contains(*find_callable("div.Tensor_mode").op)) << "it has no such alias";
  EXPECT_FALSE(divisions.contains(*find_callable("add.Tensor").op));
  EXPECT_TRUE((OpSet{"div"}.contains(*find_callable("div.Tensor_mode").op)));
}

TEST(OpSetDeathTest, KnowsNoOtherName) { EXPECT_DEATH(OpSet{"__rdiv__"}, "names an op"); }

TEST(Catalogue, EveryDTypeOfARowHasAKernel) {
  for (const Op& op : catalogue())
    for (int i = 0; i < kDTypeCount; ++i)
      if (op.spec->dtypes.contains(dtype_from_code(i))) {
        EXPECT_TRUE(bool(op.kernels[code(compute_dtype(dtype_from_code(i)))]))
            << op.spec->name << " " << name(dtype_from_code(i));
      }
}

TEST(Catalogue, EveryCallableNamesOneOverloadInOneForm) {
  std::set<std::string_view> seen;
  for (const Op& op : catalogue())
    for (std::size_t i = 0; i < op.schemas.size(); ++i)
      for (const Form form : {Form::kFunctional, Form::kInPlace, Form::kOut}) {
        const std::string_view callable = op.callable(static_cast<int>(i), form);
        if (callable.empty()) continue;
        EXPECT_TRUE(seen.insert(callable).second) << callable;
        EXPECT_EQ(find_callable(callable).op, &op) << callable;
      }
  EXPECT_EQ(find_callable("nonsense.Tensor").op, nullptr);
}

TEST(Schema, IsTakenApart) {
  const Schema schema =
      parse_schema("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  EXPECT_EQ(schema.callable, "add.Tensor");
  EXPECT_EQ(schema.overload, "Tensor");
  EXPECT_EQ(schema.returns, "Tensor");
  ASSERT_EQ(schema.parameters.size(), 3U);
  EXPECT_EQ(schema.parameters[2].name, "alpha");
  EXPECT_EQ(schema.parameters[2].default_text, "1");
  EXPECT_TRUE(schema.parameters[2].keyword_only);
  EXPECT_FALSE(schema.parameters[1].keyword_only);
}

TEST(NumberFits, IsScalarTo) {
  EXPECT_FALSE(number_fits(Number(300), DType::kUInt8));
  EXPECT_TRUE(number_fits(Number(-255), DType::kUInt8)) << "wraps to 1";
  EXPECT_FALSE(number_fits(Number(-256), DType::kUInt8));
  EXPECT_FALSE(number_fits(Number(-129), DType::kInt8));
  EXPECT_TRUE(number_fits(Number(1.9), DType::kInt32));
  EXPECT_FALSE(number_fits(Number(-0.5), DType::kUInt8));
  EXPECT_FALSE(number_fits(Number(1e6), DType::kFloat16));
  EXPECT_TRUE(number_fits(Number(std::numeric_limits<double>::infinity()), DType::kFloat16));
  EXPECT_FALSE(number_fits(Number(Complex<double>{1, 2}), DType::kFloat32));
  EXPECT_TRUE(number_fits(Number(Complex<double>{1, 0}), DType::kFloat32));
  EXPECT_TRUE(number_fits(Number(1e300), DType::kBool));
}

}  // namespace
}  // namespace upcast
