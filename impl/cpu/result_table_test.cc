// Tests that a look-up in a table gives the same bits as the computation, for every op and every
// value.
#include "impl/cpu/result_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"

namespace upcast {
namespace {

constexpr int kRepeats = 4;  // how often each value occurs: often enough for a table

/// A tensor with every value of the dtype. The whole sequence of values occurs `repeats` times.
Argument all_values(DType dtype, int repeats) {
  const int size = itemsize(dtype);
  const std::int64_t values = std::int64_t{1} << (8 * size);
  Tensor made = make_tensor(dtype, {values * repeats});
  for (std::int64_t i = 0; i < values * repeats; ++i) std::memcpy(made.data() + i * size, &i, size);
  return {.tag = Argument::Tag::kTensor, .tensor = made};
}

/// Whether a call of the op needs exactly one tensor and no other argument.
bool is_unary(const Schema& schema) {
  const auto may_be_left_out = [](const Parameter& p) { return !p.default_text.empty(); };
  return !schema.parameters.empty() && schema.parameters[0].type == ParameterType::kTensor &&
         std::all_of(schema.parameters.begin() + 1, schema.parameters.end(), may_be_left_out);
}

/// The bytes of the result; empty if the call is refused, or if its result is not a tensor of the
/// operand's shape.
std::vector<std::byte> run(const Op& op, const Schema& schema, const Argument& self,
                           Capability capability) {
  std::vector<Argument> arguments(schema.parameters.size());
  arguments[0] = self;
  Call call;
  call.schema = &schema;
  call.arguments = arguments;
  CpuEngine cpu({.capability = capability});
  const auto result = call_op(op, call, cpu);
  if (!result.ok() || result.value().tensor.sizes != self.tensor.sizes) return {};
  return logical_bytes(result.value().tensor);
}

class ResultTables : public ::testing::TestWithParam<DType> {};

TEST_P(ResultTables, HoldWhatIsComputed) {
  const Argument once = all_values(GetParam(), 1), often = all_values(GetParam(), kRepeats);
  int compared = 0;
  for (const Op& op : catalogue()) {
    // A composition has no kernel, and testing a recurrence over all values would take years.
    if (op.compose != nullptr || op.spec->steps_from_below()) continue;
    for (const Schema& schema : op.schemas) {
      if (!is_unary(schema)) continue;
      const std::vector<std::byte> computed = run(op, schema, once, best_capability());
      const std::vector<std::byte> looked_up = run(op, schema, often, best_capability());
      ASSERT_EQ(looked_up.size(), computed.size() * kRepeats) << schema.callable;
      for (std::size_t at = 0; at < looked_up.size() && !computed.empty(); at += computed.size())
        ASSERT_EQ(std::memcmp(looked_up.data() + at, computed.data(), computed.size()), 0)
            << schema.callable;
      compared += computed.empty() ? 0 : 1;
    }
  }
  EXPECT_GT(compared, kFloat8s.contains(GetParam()) ? 4 : 40);
}

INSTANTIATE_TEST_SUITE_P(All, ResultTables,
                         ::testing::ValuesIn(dtypes_where([](const DTypeInfo& row) {
                                               return kElementwise.contains(row.dtype) &&
                                                      row.bytes <= 2;
                                             }).dtypes()),
                         [](const auto& instance) { return std::string(name(instance.param)); });

/// Whether a call of the op over n elements makes a table.
bool makes_a_table(std::string_view callable, DType dtype, std::int64_t n,
                   std::int64_t stride = 2) {
  std::vector<std::byte> memory(1);
  IteratorPlan plan{.sizes = {n}, .output_count = 1, .input_count = 1};
  plan.inputs[0] = {.dtype = dtype, .data = memory.data(), .through = dtype, .strides = {stride}};
  plan.outputs[0] = {.dtype = dtype, .data = memory.data(), .strides = {itemsize(dtype)}};
  const Op& op = *find_callable(callable).op;
  return internal::ResultTable::make(op, Call{}, dtype, plan, Capability::kBaseline).has_value();
}

TEST(ResultTable, IsMadeWhereItPays) {
  EXPECT_TRUE(makes_a_table("exp", DType::kFloat16, 1 << 18));
  EXPECT_FALSE(makes_a_table("exp", DType::kFloat16, (1 << 18) - 1));
  EXPECT_FALSE(
      makes_a_table("exp", DType::kFloat16, 1 << 18, 0));  // one repeated element gives no table
  EXPECT_FALSE(makes_a_table("exp", DType::kFloat32, 1 << 24));
  EXPECT_FALSE(
      makes_a_table("neg", DType::kFloat16, 1 << 24));  // computing is quicker than looking up
}

/// A further operand, which is a number or a zero-dim tensor, has one value for all elements. The
/// table's results must include its effect, whichever of the operands it is.
TEST(ResultTable, HoldsWhatAFurtherOperandOfOneElementGives) {
  const auto answers = [](const char* callable, std::vector<Argument> arguments) {
    const FoundOp found = find_callable(callable);
    Call call;
    call.schema = &found.op->schemas[found.overload];
    call.arguments = arguments;
    CpuEngine cpu;
    const auto result = call_op(*found.op, call, cpu);
    return result.ok() ? logical_bytes(result.value().tensor) : std::vector<std::byte>();
  };
  Argument one{.tag = Argument::Tag::kTensor, .tensor = make_tensor(DType::kFloat16, {})};
  const std::uint16_t bits = 0x4100;  // 2.5
  std::memcpy(one.tensor.data(), &bits, sizeof bits);
  const Argument once = all_values(DType::kFloat16, 1);
  const Argument often = all_values(DType::kFloat16, kRepeats);
  for (const char* callable : {"atan2", "pow.Tensor_Tensor", "hypot"})
    for (const bool one_stands_first : {false, true}) {
      const auto with = [&](const Argument& many) {
        return one_stands_first ? answers(callable, {one, many}) : answers(callable, {many, one});
      };
      const std::vector<std::byte> computed = with(once), looked_up = with(often);
      ASSERT_FALSE(computed.empty()) << callable;
      ASSERT_EQ(looked_up.size(), computed.size() * kRepeats) << callable;
      for (std::size_t at = 0; at < looked_up.size(); at += computed.size())
        ASSERT_EQ(std::memcmp(looked_up.data() + at, computed.data(), computed.size()), 0)
            << callable;
    }
}

/// In place, a result is written over the value by which it was looked up. A narrower result covers
/// only half of that value.
TEST(ResultTable, WritesOverItsOperand) {
  const Argument self = all_values(DType::kBFloat16, kRepeats);
  const FoundOp found = find_callable("exp_");
  const Schema& schema = found.op->schemas[found.overload];
  const std::vector<std::byte> apart = run(*found.op, schema, self, best_capability());
  Call call;
  call.schema = &schema;
  call.form = found.form;
  call.arguments = std::span(&self, 1);
  CpuEngine cpu({.threads = 2});
  ASSERT_TRUE(call_op(*found.op, call, cpu).ok());
  EXPECT_EQ(logical_bytes(self.tensor), apart);
}

}  // namespace
}  // namespace upcast
