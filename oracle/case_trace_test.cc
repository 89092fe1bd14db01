#include "oracle/case_trace.h"

#include <gtest/gtest.h>

#include "cases/grid.h"
#include "cases/notation.h"
#include "oracle/case_call.h"
#include "oracle/planted/broken_rules.h"

namespace upcast {
namespace {

using enum Rule;

PromotionTrace of(const char* line) { return trace_promotion(parse_case(line)); }

TEST(PromotionTrace, NamesTheBranchThatIsTaken) {
  struct Row {
    const char* line;
    Rule rule;
    bool decides = true;
  };
  constexpr Row kRows[] = {
      {"add.Tensor(int32[2], 2.5)", kFloatingNumbersTakeTheDefault},
      {"add.Tensor(int32[2], 2.5)", kLowerFloatingPromotes},
      {"add.Tensor(float32[2], 2.5)", kHigherFloatingStays},
      {"add.Tensor(float32[2], 2.5)", kLowerFloatingPromotes, false},
      // the number 2.5 is float64, as the tensor is: with one dtype, promotion fills no slot
      {"add.Tensor(float64[2], 2.5)", kHigherFloatingStays, false},
      {"add.Tensor(float64[2], 1j)", kLowerComplexKeepsHigherPrecision},
      {"add.Tensor(int8[2], int64[])", kHigherIntegralStays},
      {"add.Tensor(bool[2], int64[])", kHigherBoolPromotes},
      {"add.Tensor(int8[2], int64[2])", kOperandsOfASlotPromote},
      {"add.Tensor(int8[2], int64[])", kOperandsOfASlotPromote, false},
      {"sqrt(int32[2])", kIntegralBecomesDefault},
      {"sqrt(bool[2])", kBoolBecomesDefault},
      {"sqrt(uint16[2])", kBarebonesUnsignedBecomesDefault},
      {"sqrt(float32[2])", kIntegralBecomesDefault, false},
      {"add.out(float32[2], float32[2], out=int32[2])", kFloatingNeverCastsToIntegral},
      {"lt.Tensor(int32[2], int32[2])", kComparisonAllocatesBool},
      {"lt.Tensor_out(int32[2], int32[2], out=int8[2])", kComparisonOutputKeepsItsDType},
      {"abs(complex64[2])", kComplexToRealTakesRealCounterpart},
  };
  for (const Row& row : kRows)
    EXPECT_EQ(of(row.line).holds(row.rule), row.decides) << row.line << ": " << describe(row.rule);
}

TEST(PromotionTrace, BothCombinationsAreTold) {
  const auto rules = [](const char* line) {
    std::vector<Rule> found;
    for (const auto& step : of(line).combinations()) found.push_back(step.rule);
    return found;
  };
  EXPECT_EQ(rules("addcmul(bool[2], int8[], float16[])"),
            (std::vector{kCount, kHigherBoolPromotes}))
      << "no number";
  EXPECT_EQ(rules("add.Tensor(int8[], 2.5)"), (std::vector{kLowerFloatingPromotes, kCount}))
      << "no tensor of dimensions";
}

/// Breaks each rule in turn. If that changes a case's dtypes, the rule is among the case's rules.
TEST(PromotionTrace, NoRuleThatMattersIsLeftOut) {
  constexpr std::int64_t kEvery = 997;
  const Plan plan = make_grid("promotion");
  std::array<int, kRuleCount> mattered{};
  CaseCall maker;
  for (const GridRow& row : plan.rows) {
    if (row.prototype.op->spec->promotion == PromotionKind::kOwn) continue;
    Case c = row.prototype;
    for (std::int64_t i = (kEvery - row.first % kEvery) % kEvery; i < row.count; i += kEvery) {
      row.decode(i, c);
      if (c.op->spec->operands[0].empty()) continue;
      const PromotionTrace found = trace_promotion(c);
      const auto right = promote_call(*c.op, maker.make(c, kPyTorchRules, nullptr));
      for (int rule = 0; rule < kRuleCount; ++rule) {
        const Rules broken = rules_without(static_cast<Rule>(rule));
        const auto other = promote_call(*c.op, maker.make(c, broken, nullptr));
        const bool same =
            right.ok() == other.ok() && (!right.ok() || right.value() == other.value());
        if (same) continue;
        ++mattered[rule];
        ASSERT_TRUE(found.holds(static_cast<Rule>(rule)))
            << print_case(c) << ": " << describe(static_cast<Rule>(rule));
      }
    }
  }
  EXPECT_GT(std::count_if(mattered.begin(), mattered.end(), [](int n) { return n > 0; }), 20);
}

}  // namespace
}  // namespace upcast
