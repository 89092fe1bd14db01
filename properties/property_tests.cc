#include "properties/property_tests.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <functional>
#include <iostream>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "properties/coverage.h"
#include "properties/generators.h"
#include "properties/property_table.h"
#include "properties/rulebook_systems.h"

namespace upcast::properties {
namespace {

constexpr const char* kHelp =
    R"(Property tests. Without an argument: every property, 1,000 examples each.
  --examples=N        how many examples each
  --seed=N            other examples; a failure prints its seed
  --reproduce=TEXT    one example, as a failure prints it
  --case=LINE         no random examples: this case line alone
  --list              docs/properties.md, and nothing else
  --gtest_filter=PATTERN   one property: '*PromoteTypesIsCommutative*', one system: '*/impl_cpu'
RC_PARAMS="seed=7 max_success=100000" does as --seed and --examples do, for ctest too.
)";

/// The share of examples, in percent, that a rule book must answer.
constexpr int kBookPercent = 3;

/// How many examples a control is tested with. A mistake in one cell of a table shows in few
/// examples; the first such example ends the test.
constexpr int kControlExamples = 50000;

/// How many examples measure a generator's coverage. They suffice to tell a share of 1 % from one
/// of 1.5 %.
constexpr int kCoverageExamples = 10'000;

struct Options {
  RunSettings settings{};
  std::string line{};
  bool list = false;
  bool help = false;
};

/// A GoogleTest test that runs a function.
class FunctionTest : public testing::Test {
 public:
  explicit FunctionTest(const std::function<void()>& body) : body_(body) {}
  void TestBody() override { body_(); }

 private:
  const std::function<void()>& body_;
};

void add_test(std::string_view suite, const std::string& name, std::function<void()> body) {
  const auto shared = std::make_shared<std::function<void()>>(std::move(body));
  testing::RegisterTest(std::string(suite).c_str(), name.c_str(), nullptr, nullptr, __FILE__,
                        __LINE__,
                        [shared]() -> testing::Test* { return new FunctionTest(*shared); });
}

/// A system's name as part of a test's name, without ':' and '-'. GoogleTest's filter gives these
/// characters a meaning, and would run no test at all.
std::string test_suffix(std::string name) {
  for (const char special : {':', '-'}) std::replace(name.begin(), name.end(), special, '_');
  return name;
}

std::string how_to_reproduce(const Property& property, const System& system, const PropertyRun& run,
                             const RunSettings& settings) {
  std::string text = "\nseed " + std::to_string(settings.seed) +
                     "; to repeat this example: --seed=" + std::to_string(settings.seed) +
                     " --examples=" + std::to_string(settings.examples);
  if (!run.reproduce.empty()) text += " --" + run.reproduce;
  if (run.counterexample) {
    const std::string line = print_case(*run.counterexample);
    text += "\nto run this case alone: --gtest_filter='*" + std::string(property.name) + "/" +
            test_suffix(system.name) + "' --case='" + line + "'\nto explain it: upcast explain '" +
            line + "'";
  }
  return text;
}

void test_property(const Property& property, const System& system, const Options& options) {
  if (!options.line.empty()) {
    const std::optional<std::string> why = breaks(property, system, parse_case(options.line));
    EXPECT_FALSE(why) << property.claim << "\n" << why.value_or("");
    return;
  }
  const PropertyRun run = run_property(property, system, options.settings);
  ASSERT_TRUE(run.failure.empty())
      << property.claim << "\n"
      << run.failure << how_to_reproduce(property, system, run, options.settings);
  if (!options.settings.reproduce.empty()) return;
  std::printf("%-60s %-14s %d examples: %d held, %d vacuous, %d excluded\n",
              std::string(property.name).c_str(), system.name.c_str(), run.examples(), run.held,
              run.vacuous, run.excluded);
  EXPECT_EQ(run.examples(), options.settings.examples);
  if (is_silent(property, system)) {
    EXPECT_EQ(run.held, 0) << "it does say something: delete its row under 'silent'";
    return;
  }
  // A rule book may refuse most pairs of dtypes, and such examples say nothing. So fewer of its
  // examples have to say something.
  const int percent = system.subject == nullptr ? kBookPercent : property.meaningful_percent;
  EXPECT_GE(run.held * 100, run.examples() * percent) << "too few examples say anything";
}

void test_control(const Property& property, const Options& options) {
  const System control = make_control(property.control);
  RunSettings settings = options.settings;
  settings.examples = std::max(settings.examples, kControlExamples);
  const PropertyRun run = run_property(property, control, settings);
  ASSERT_TRUE(run.counterexample) << "not caught: " << property.control.what;
  const std::string line = print_case(*run.counterexample);
  std::printf("%-60s catches '%s' by %s\n", std::string(property.name).c_str(),
              std::string(property.control.what).c_str(), line.c_str());
  EXPECT_TRUE(breaks(property, control, parse_case(line))) << "not by its line: " << line;
  const System right = parse_side(property.control.right).vendor == Vendor::kRuleBook
                           ? rulebook_system(property.control.right)
                           : make_impl_system(property.control.right);
  EXPECT_TRUE(applies(property, right))
      << "the right implementation breaks it: choose another one as right";
  const std::optional<std::string> accused = breaks(property, right, *run.counterexample);
  EXPECT_FALSE(accused) << "the right implementation is accused too: " << line << "\n" << *accused;
}

void test_exclusion(const Property& property, const Exclusion& exclusion, const System& system) {
  const Case c = parse_case(exclusion.counterexample);
  EXPECT_TRUE(exclusion.covers(c));
  EXPECT_TRUE(breaks(property, system, c))
      << exclusion.counterexample << " no longer breaks it: delete the exclusion";
}

void test_break(const Property& property, const Break& broken, const System& system) {
  EXPECT_TRUE(breaks(property, system, parse_case(broken.counterexample)))
      << broken.counterexample << " no longer breaks it: delete the row";
}

void test_coverage(const Generator& generator, const Options& options) {
  const Coverage coverage = measure(generator, kCoverageExamples, options.settings.seed);
  std::printf("%-30s %d examples\n", std::string(generator.name).c_str(), coverage.examples);
  for (const Demand& demand : generator.demands) {
    const double share = coverage.smallest_share(demand);
    std::printf("  %-10s %3d of %3d in at least %.1f %% of the examples (%.1f %% demanded)\n",
                std::string(demand.feature).c_str(), demand.distinct,
                coverage.distinct(demand.feature), share, demand.percent);
    EXPECT_GE(share, demand.percent) << demand.feature;
  }
  EXPECT_FALSE(generator.demands.empty());
}

template <class T>
T parse_number(std::string_view name, std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 1)
    throw UsageError(std::string(name) + " must be a number from 1 up, not '" + std::string(text) +
                     "'");
  return value;
}

Options parse_options(int argc, char** argv) {
  Options options{.settings = settings_from_environment()};
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const std::string_view name = argument.substr(0, argument.find('='));
    const std::string_view value = argument.substr(std::min(argument.size(), name.size() + 1));
    if (name == "--examples")
      options.settings.examples = parse_number<int>(name, value);
    else if (name == "--seed")
      options.settings.seed = parse_number<std::uint64_t>(name, value);
    else if (name == "--reproduce")
      options.settings.reproduce = value;
    else if (name == "--case")
      options.line = value;
    else if (name == "--list")
      options.list = true;
    else if (name == "--help")
      options.help = true;
    else
      throw UsageError("unknown argument '" + std::string(argument) + "'; see --help");
  }
  if (!options.line.empty()) static_cast<void>(parse_case(options.line));
  return options;
}

void add_tests(const TestPlan& plan, const Options& options) {
  for (const Topic& topic : topics()) {
    for (const Property& property : topic.properties) {
      const std::string name(property.name);
      for (const System& system : plan.systems) {
        if (applies(property, system))
          add_test(topic.name, name + "/" + test_suffix(system.name),
                   [&property, &system, &options] { test_property(property, system, options); });
        for (const Break& broken : rulebook_breaks())
          if (broken.property == property.name && broken.system == system.name)
            add_test(topic.name, name + "/" + test_suffix(system.name) + "_counterexample",
                     [&] { test_break(property, broken, system); });
        int declared = 0;
        for (const Exclusion& exclusion : property.exclusions)
          // PyTorch's rule book asks our engine, and shares its exclusions. Only the engine's are
          // tested here.
          if (concerns(exclusion, system) && system.subject != nullptr &&
              answers(property, system) && !exclusion.counterexample.empty())
            add_test(topic.name,
                     name + "/" + test_suffix(system.name) + "_counterexample" +
                         std::to_string(++declared),
                     [&] { test_exclusion(property, exclusion, system); });
      }
      if (plan.controls && options.line.empty())
        add_test(topic.name, name + "/control",
                 [&property, &options] { test_control(property, options); });
    }
  }
  if (!plan.controls || !options.line.empty()) return;
  for (const Generator* generator : generators()) {
    std::string name(generator->name);
    std::replace(name.begin(), name.end(), ' ', '_');
    add_test("Coverage", name, [generator, &options] { test_coverage(*generator, options); });
  }
}

}  // namespace

int run_property_tests(int argc, char** argv, TestPlan (*make_plan)()) {
  try {
    // With --help, GoogleTest prints its own help after ours.
    const bool help = std::any_of(argv + 1, argv + argc,
                                  [](std::string_view argument) { return argument == "--help"; });
    if (help) {
      std::cout << kHelp;
      return 0;
    }
    testing::InitGoogleTest(&argc, argv);
    const Options options = parse_options(argc, argv);
    if (options.list) {
      std::cout << property_table();
      return 0;
    }
    const TestPlan plan = make_plan();
    add_tests(plan, options);
    return RUN_ALL_TESTS();
  } catch (const UsageError& e) {
    std::cerr << e.what() << "\n";
    return 2;
  }
}

}  // namespace upcast::properties
