// Tests of the framework for properties itself: shrinking, reproduction, and the message about a
// failure.
#include "properties/run_property.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iterator>
#include <set>

#include "cases/notation.h"
#include "cases/simplify.h"
#include "cases/text_file.h"
#include "impl/core/error.h"
#include "properties/coverage.h"
#include "properties/generators.h"
#include "properties/property_table.h"
#include "properties/rulebook_systems.h"

namespace upcast::properties {
namespace {

/// A check that fails for every list of operands with a floating zero-dim tensor.
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
    // The simplest case has few operands, the default dtype float32, the commonest dtype, and an
    // integer for a number.
    EXPECT_EQ(run.counterexample->arguments[1].tag == Operand::Tag::kNone ||
                  run.counterexample->arguments[2].tag == Operand::Tag::kNone,
              true)
        << line;
    EXPECT_EQ(run.counterexample->defaults.floating, DType::kFloat32) << line;
    EXPECT_NE(line.find("float32[]"), std::string::npos) << line;
    for (const TypedOperand& operand : typed_operands(*run.counterexample))
      EXPECT_TRUE(operand.dtype == DType::kFloat32 || operand.dtype == DType::kUndefined ||
                  (operand.kind == Kind::kWrapped && operand.dtype == DType::kInt64))
          << line;
    EXPECT_NE(run.failure.find(line), std::string::npos) << run.failure;
  }
}

/// A check that fails for every call with a tensor of int16.
Finding check_no_int16(const System&, const Case& c) {
  for (const Operand& operand : c.arguments)
    RC_ASSERT(!(operand.tag == Operand::Tag::kTensor && operand.dtype == DType::kInt16));
  return Finding::kHolds;
}

/// A check that fails for every call with a column-major tensor of two dimensions.
Finding check_no_columns(const System&, const Case& c) {
  for (const Operand& operand : c.arguments)
    RC_ASSERT(!(operand.sizes.size() >= 2 && operand.strides.size() >= 2 &&
                operand.sizes.front() >= 2 && operand.sizes.back() >= 2 &&
                operand.strides.front() < operand.strides.back()));
  return Finding::kHolds;
}

/// The generator with this name. It is one of the properties' generators.
const Generator& generator_named(std::string_view name) {
  for (const Generator* generator : generators())
    if (generator->name == name) return *generator;
  throw UsageError("no generator '" + std::string(name) + "'");
}

PropertyRun run_broken(Finding (*check)(const System&, const Case&), const Generator& generator,
                       std::uint64_t seed) {
  Property property = broken_property();
  property.check = check;
  property.generator = &generator;
  return run_property(property, no_system(), {.seed = seed});
}

TEST(RunProperty, ShrinksCallsToTheSimplestOperandsAndForm) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const PropertyRun run =
        run_broken(&check_no_int16, generator_named("calls of mixed dtypes"), seed);
    ASSERT_TRUE(run.counterexample);
    const Case& c = *run.counterexample;
    const std::string line = print_case(c);
    EXPECT_TRUE(c.form == Form::kFunctional ||
                c.op->callable(c.overload, Form::kFunctional).empty())
        << line;
    EXPECT_EQ(c.defaults.floating, DType::kFloat32) << line;
    int wanted = 0;
    for (const Operand& operand : c.arguments) {
      if (operand.tag != Operand::Tag::kTensor) continue;
      wanted += operand.dtype == DType::kInt16;
      EXPECT_TRUE(operand.dtype == DType::kInt16 || operand.dtype == DType::kFloat32) << line;
      EXPECT_LE(element_count(operand), 1) << line;
    }
    EXPECT_GE(wanted, 1) << line;
    if (seed == 1) {
      EXPECT_EQ(line, "special_psi(int16[1]{1})");
    }
  }
}

TEST(RunProperty, ShrinksLayoutsToTwoByTwoWithoutGaps) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const PropertyRun run =
        run_broken(&check_no_columns, generator_named("calls with permuted operands"), seed);
    ASSERT_TRUE(run.counterexample);
    const Case& c = *run.counterexample;
    const std::string line = print_case(c);
    int by_columns = 0;
    for (const Operand& operand : c.arguments) {
      if (operand.tag != Operand::Tag::kTensor || operand.strides.empty()) continue;
      ++by_columns;
      EXPECT_EQ(operand.sizes, (Dims{2, 2})) << line;
      EXPECT_EQ(operand.strides, (Dims{1, 2})) << line;
      EXPECT_EQ(operand.offset, 0) << line;
    }
    EXPECT_EQ(by_columns, 1) << line;
    if (seed == 1) {
      EXPECT_EQ(line, "where.ScalarOther(float32[2,2], float32[2,2]:strides(1,2), 1)");
    }
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

TEST(RunProperty, TheEnvironmentSaysHowManyExamples) {
  setenv("RC_PARAMS", "seed=7 max_success=20", 1);
  EXPECT_EQ(settings_from_environment().seed, 7U);
  EXPECT_EQ(settings_from_environment().examples, 20);
  for (const char* wrong : {"max_succes=20", "seed", "seed=x", "max_success=", "max_success=-3"}) {
    setenv("RC_PARAMS", wrong, 1);
    EXPECT_THROW(settings_from_environment(), UsageError) << wrong;
  }
  unsetenv("RC_PARAMS");
  EXPECT_EQ(settings_from_environment().examples, 1000);
}

/// Runs properties.impl with these arguments, and returns its exit code.
int exit_code_of(const std::string& arguments) {
  const std::string command = std::string(UPCAST_BINARY_DIR "/bin/properties.impl ") + arguments +
                              " > /dev/null 2> /dev/null";
  return WEXITSTATUS(std::system(command.c_str()));
}

TEST(Command, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(exit_code_of("--exampels=3"), 2);
  EXPECT_EQ(exit_code_of("--examples=0"), 2);
  EXPECT_EQ(exit_code_of("--case='ad(int32[1])'"), 2);
  EXPECT_EQ(exit_code_of("--help"), 0);
}

TEST(Command, AsksForOneLine) {
  const std::string one = "--gtest_filter='*WhereChooses*/impl_cpu' --case=";
  EXPECT_EQ(exit_code_of(one + "'where.self(bool[1]{True}, int8[1]{1}, int8[1]{2})'"), 0);
  EXPECT_EQ(exit_code_of("--gtest_filter='*IsAssociative/impl_cpu_counterexample*'"), 0);
  EXPECT_EQ(exit_code_of("--gtest_filter='*IgnoresTheOrder*/impl_cpu' "
                         "--case='clamp.Tensor(uint16[1], int8[1], float16[1])'"),
            1);
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

/// A rule book that never answers.
class SilentPromotion : public Promotion {
 public:
  std::optional<DType> promote_types(DType, DType) const override { return std::nullopt; }
  std::optional<DType> result_type(std::span<const TypedOperand>, Defaults) const override {
    return std::nullopt;
  }
  std::optional<bool> can_cast(DType, DType) const override { return std::nullopt; }
};

TEST(RuleBooks, OneThatSaysNothingHoldsNothing) {
  const System silent{"rulebook:silent", std::make_shared<SilentPromotion>()};
  for (const std::size_t topic : {0, 1})
    for (const Property& property : topics()[topic].properties) {
      if (property.asks == Asks::kCasts) continue;
      EXPECT_EQ(run_property(property, silent, {.examples = 200}).held, 0) << property.name;
    }
}

TEST(RuleBooks, AreAskedOfTheirDTypesAndEveryFourthTimeOfOne) {
  static int alike;
  alike = 0;
  Property property = broken_property();
  property.generator = &kDTypePairs;
  property.check = [](const System& system, const Case& c) {
    for (const Operand& operand : c.arguments) RC_ASSERT(system.promotion->knows(operand.dtype));
    alike += c.arguments[0].dtype == c.arguments[1].dtype;
    return Finding::kHolds;
  };
  EXPECT_TRUE(
      run_property(property, rulebook_system("rulebook:paddle-document"), {}).failure.empty());
  EXPECT_GT(alike, 250);
  EXPECT_LT(alike, 450);
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
    for (int i = 0; i < 40; ++i) {
      Draw draw(random.split(), 5 * i % 100);
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
    for (int i = 0; i < 10; ++i) {
      Draw draw(random.split(), 99);
      Case c = generator->draw(draw);
      int steps = 0;
      while (steps < 1000) {  // always takes the smallest step, which makes the longest chain
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

TEST(Properties, AreAtLeastEighty) {
  std::size_t count = 0;
  for (const Topic& topic : topics()) count += topic.properties.size();
  EXPECT_GE(count, 80U);
}

TEST(Properties, PageIsUpToDate) {
  EXPECT_TRUE(file_text(UPCAST_SOURCE_DIR "/docs/properties.md") == property_table())
      << "run: build/bin/properties.impl --list > docs/properties.md";
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
