// The framework itself: shrinking, reproduction, and what it says of a failure.
#include "properties/run_property.h"

#include <gtest/gtest.h>

#include <set>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "properties/coverage.h"
#include "properties/generators.h"
#include "properties/property_table.h"
#include "properties/simplify.h"

namespace upcast::properties {
namespace {

/// Broken by every operand list with a floating zero-dim tensor.
Finding check_no_floating_zero_dim(const System&, const Case& c) {
  for (const TypedOperand& operand : typed_operands(c))
    RC_ASSERT(!(operand.kind == Kind::kZeroDim && is_floating(operand.dtype)));
  return Finding::kHolds;
}

Property broken_property() {
  return {.name = "NoFloatingZeroDimTensor",
          .claim = "No operand is a floating zero-dim tensor.",
          .asks = Asks::kPromotion,
          .generator = &kOperandLists,
          .check = &check_no_floating_zero_dim,
          .control = {.what = "none"}};
}

System no_system() { return {"none", make_promotion(kPyTorchRules)}; }

TEST(RunProperty, ShrinksToTheSimplestCase) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const PropertyRun run = run_property(broken_property(), no_system(), {.seed = seed});
    ASSERT_TRUE(run.counterexample);
    const std::string line = print_case(*run.counterexample);
    // few operands, the default dtype float32, the simplest floating dtype, bool beside it
    EXPECT_EQ(run.counterexample->arguments[1].tag == Operand::Tag::kNone ||
                  run.counterexample->arguments[2].tag == Operand::Tag::kNone,
              true)
        << line;
    EXPECT_EQ(run.counterexample->defaults.floating, DType::kFloat32) << line;
    EXPECT_NE(line.find("float32[]"), std::string::npos) << line;
    for (const TypedOperand& operand : typed_operands(*run.counterexample))
      EXPECT_TRUE(operand.dtype == DType::kFloat32 || operand.dtype == DType::kBool ||
                  operand.dtype == DType::kUndefined)
          << line;
    EXPECT_NE(run.failure.find(line), std::string::npos) << run.failure;
  }
}

TEST(RunProperty, TheSeedReproducesTheRun) {
  const PropertyRun first = run_property(broken_property(), no_system(), {.seed = 5});
  const PropertyRun again = run_property(broken_property(), no_system(), {.seed = 5});
  const PropertyRun other = run_property(broken_property(), no_system(), {.seed = 6});
  EXPECT_EQ(first.failure, again.failure);
  EXPECT_EQ(first.reproduce, again.reproduce);
  EXPECT_NE(first.reproduce, other.reproduce);
}

TEST(RunProperty, ThePrintedTextReplaysTheExampleAlone) {
  const PropertyRun run = run_property(broken_property(), no_system(), {.seed = 5});
  constexpr std::string_view kKey = "reproduce=";
  ASSERT_TRUE(run.reproduce.starts_with(kKey)) << run.reproduce;
  const PropertyRun replay = run_property(
      broken_property(), no_system(), {.seed = 99, .reproduce = run.reproduce.substr(kKey.size())});
  ASSERT_TRUE(replay.counterexample);
  EXPECT_EQ(*replay.counterexample, *run.counterexample);
}

TEST(RunProperty, CountsWhatTheExamplesWere) {
  Property property = broken_property();
  property.check = [](const System&, const Case& c) {
    return c.arguments[1].tag == Operand::Tag::kNone ? Finding::kVacuous : Finding::kHolds;
  };
  property.exclusions = {
      {.system = "none", .reason = "", .counterexample = "", .matches = [](const Case& c) {
         return c.defaults.floating == DType::kFloat64;
       }}};
  const PropertyRun run = run_property(property, no_system(), {.examples = 500});
  EXPECT_EQ(run.examples(), 500);
  EXPECT_GT(run.held, 200);
  EXPECT_GT(run.vacuous, 5);
  EXPECT_GT(run.excluded, 30);
  EXPECT_TRUE(run.failure.empty());
}

TEST(RunProperty, AnExceptionBreaksTheProperty) {
  Property property = broken_property();
  property.check = [](const System&, const Case&) -> Finding { throw UsageError("no"); };
  EXPECT_TRUE(run_property(property, no_system(), {}).counterexample);
  EXPECT_TRUE(breaks(property, no_system(), parse_case("neg(int32[1])")));
}

TEST(Generators, DrawCasesThatRoundTripAndShrinkToSuch) {
  for (const Generator* generator : generators()) {
    rc::Random random(3);
    for (int i = 0; i < 200; ++i) {
      Draw draw(random.split(), i % 100);
      const Case c = generator->draw(draw);
      EXPECT_EQ(parse_case(print_case(c)), c) << generator->name << ": " << print_case(c);
      if (generator->admits != nullptr) {
        EXPECT_TRUE(generator->admits(c)) << generator->name << ": " << print_case(c);
      }
      for (const Case& simpler : simpler_cases(c, generator->admits)) {
        EXPECT_EQ(parse_case(print_case(simpler)), simpler)
            << generator->name << ": " << print_case(c) << " -> " << print_case(simpler);
        EXPECT_NE(simpler, c);
      }
    }
  }
}

TEST(Generators, ShrinkingEnds) {
  for (const Generator* generator : generators()) {
    rc::Random random(7);
    for (int i = 0; i < 50; ++i) {
      Draw draw(random.split(), 99);
      Case c = generator->draw(draw);
      int steps = 0;
      while (steps < 1000) {  // the most timid step each time: the longest chain
        const std::vector<Case> simpler = simpler_cases(c, generator->admits);
        if (simpler.empty()) break;
        c = simpler.back();
        ++steps;
      }
      EXPECT_LT(steps, 1000) << generator->name << ": " << print_case(c);
    }
  }
}

TEST(Coverage, ADemandThatIsNotMetIsSeen) {
  const Coverage coverage = measure(kDTypePairs, 1000, 1);
  EXPECT_GT(coverage.smallest_share({"dtype", 22, 0}), 1);
  EXPECT_EQ(coverage.smallest_share({"dtype", 48, 0}), 0);
  EXPECT_EQ(coverage.smallest_share({"layout", 1, 0}), 0);
}

TEST(Properties, HaveUniqueNamesClaimsAndControls) {
  std::set<std::string_view> names;
  for (const Topic& topic : topics())
    for (const Property& property : topic.properties) {
      EXPECT_TRUE(names.insert(property.name).second) << property.name;
      EXPECT_TRUE(property.claim.ends_with(".")) << property.claim;
      EXPECT_FALSE(property.control.what.empty()) << property.name;
      EXPECT_NE(property_table().find(property.name), std::string::npos);
      for (const Exclusion& exclusion : property.exclusions)
        EXPECT_FALSE(exclusion.reason.empty()) << property.name;
    }
}

}  // namespace
}  // namespace upcast::properties
