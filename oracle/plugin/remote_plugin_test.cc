// Tests of a plug-in in a process of its own. The plug-in dies, hangs and prints.
#include "oracle/plugin/remote_plugin.h"

#include <gtest/gtest.h>

#include <map>

#include "cases/grid.h"
#include "cases/notation.h"
#include "oracle/testing/usage_error.h"

namespace upcast {
namespace {

std::string broken(const std::string& deed) {
  return "plugin:" UPCAST_BINARY_DIR "/plugins/libbroken_" + deed + ".so";
}

/// A plan of `count` cases, with 1, 2, 3, ... elements. Broken plug-ins fail at the case of 4
/// elements.
Plan plan_of_lengths(int count) {
  std::vector<Case> cases;
  for (int n = 1; n <= count; ++n)
    cases.push_back(parse_case("add.Tensor(float32[" + std::to_string(n) + "], float32[" +
                               std::to_string(n) + "])"));
  return plan_of_cases(std::move(cases), "cases");
}

/// What a plan's cases end with, as texts: "3" for a tensor of three elements, SideDied::how for a
/// death.
std::vector<std::string> answers(RemotePlugin& subject, const Plan& plan,
                                 std::vector<std::int64_t> skipped = {}) {
  std::vector<std::string> texts;
  subject.expect(plan, 0, plan.planned, skipped);
  for (std::int64_t index = 0; index < plan.planned; ++index) {
    if (std::find(skipped.begin(), skipped.end(), index) != skipped.end()) continue;
    Answer answer;
    try {
      subject.answer(plan.rows[index].prototype, answer);
      texts.push_back(answer.sizes.empty() ? to_text(answer) : std::to_string(answer.sizes[0]));
    } catch (const SideDied& death) {
      texts.push_back(death.how);
    }
  }
  return texts;
}

using Texts = std::vector<std::string>;

TEST(RemotePlugin, AnswersInOrder) {
  RemotePlugin subject(broken("none"));
  const Plan plan = plan_of_lengths(5);
  EXPECT_EQ(answers(subject, plan), (Texts{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(answers(subject, plan, {0, 3}), (Texts{"2", "3", "5"}));
  EXPECT_EQ(subject.versions(),
            (std::map<std::string, std::string>{{"plugin", "tiny"}, {"plugin.version", "1"}}));
}

TEST(RemotePlugin, ACaseThatWasNotAnnouncedIsABlockOfItsOwn) {
  RemotePlugin subject(broken("none"));
  for (const int n : {2, 5, 4}) {
    const std::string length = std::to_string(n);
    const Case c = parse_case("add(float32[" + length + "], float32[" + length + "])");
    EXPECT_EQ(answer_of(subject, c).sizes, Dims{n});
  }
}

TEST(RemotePlugin, AnAnswerMayBeLargerThanTheRing) {
  RemotePlugin subject(broken("none"));
  const Case c = parse_case("add(float32[1000000], float32[1000000])");
  EXPECT_EQ(answer_of(subject, c).bytes.size(), 4'000'000U);
}

/// A reply that cannot be sent is a broken answer. Otherwise it would count as a damaged ring and
/// as the plug-in's death, and the case would get another verdict.
TEST(RemotePlugin, AnImpossibleShapeIsABrokenAnswerAndNoDeath) {
  for (const auto& [deed, says] : {std::pair{"negative_shape", "a size of -3"},
                                   std::pair{"huge_shape", "more elements than memory can hold"}}) {
    RemotePlugin subject(broken(deed));
    const Texts texts = answers(subject, plan_of_lengths(5));
    EXPECT_TRUE(texts[3].starts_with("broken(")) << texts[3];
    EXPECT_NE(texts[3].find(says), std::string::npos) << texts[3];
    EXPECT_EQ(texts[4], "5");
  }
}

struct Death {
  const char* deed;
  const char* how;
  const char* why;
};
class RemotePluginDies : public testing::TestWithParam<Death> {};

TEST_P(RemotePluginDies, AtOneCaseAndGoesOn) {
  RemotePlugin subject(broken(GetParam().deed));
  int signs = 0;
  subject.watched_by({.time_limit = 0.5, .alive = [&signs] { ++signs; }});
  EXPECT_EQ(answers(subject, plan_of_lengths(5)), (Texts{"1", "2", "3", GetParam().how, "5"}));
  try {
    answer_of(subject, parse_case("add(float32[4], float32[4])"));
    FAIL() << "it lived";
  } catch (const SideDied& death) {
    EXPECT_NE(death.why.find(GetParam().why), std::string::npos) << death.why;
    EXPECT_EQ(death.timed_out, std::string(GetParam().how) == "timeout");
  }
}

INSTANTIATE_TEST_SUITE_P(Controls, RemotePluginDies,
                         testing::Values(Death{"segfault", "crash(SIGSEGV)", ""},
                                         Death{"abort", "crash(SIGABRT)", "the plug-in gives up"},
                                         Death{"exit", "crash(exit 3)", ""},
                                         Death{"exit_with_success", "crash(exit 0)", ""},
                                         Death{"endless_loop", "timeout", ""}),
                         [](const auto& death) { return death.param.deed; });

TEST(RemotePlugin, MayPrintAndRead) {
  for (const char* deed : {"garbage_on_stdout", "reads_stdin", "leaks"}) {
    RemotePlugin subject(broken(deed));
    EXPECT_EQ(answers(subject, plan_of_lengths(5)), (Texts{"1", "2", "3", "4", "5"})) << deed;
  }
}

TEST(RemotePlugin, ThatHoldsTooMuchMemoryIsReplacedBetweenBlocks) {
  RemotePlugin subject(broken("hoards"));
  const Plan plan = plan_of_lengths(5);
  constexpr std::int64_t kGigabyte = std::int64_t{1} << 30;
  EXPECT_EQ(answers(subject, plan), (Texts{"1", "2", "3", "4", "5"}));
  EXPECT_GT(subject.bytes_in_use(), kGigabyte / 2);
  // Now the process holds more than allowed, and ends after the block.
  EXPECT_EQ(answers(subject, plan), (Texts{"1", "2", "3", "4", "5"}));
  EXPECT_EQ(subject.bytes_in_use(), std::nullopt) << "it has ended";
  EXPECT_EQ(answers(subject, plan), (Texts{"1", "2", "3", "4", "5"}));
  EXPECT_LT(subject.bytes_in_use(), kGigabyte) << "a new process, which holds one block's";
}

TEST(RemotePlugin, ThatIsKilledWhileItMakesItsPlanBlamesNoCase) {
  RemotePlugin subject(broken("is_killed_soon"));
  const Plan plan = make_grid("full");
  const std::string said = usage_error_of([&] { subject.expect(plan, 0, 1, {}); });
  EXPECT_NE(said.find("ended from outside 3 times before its first case: crash(SIGKILL)"),
            std::string::npos)
      << said;
}

TEST(RemotePlugin, ThatCannotBeLoadedIsTold) {
  for (const char* deed : {"no_symbol", "wrong_abi", "no_json"})
    EXPECT_THROW(RemotePlugin subject(broken(deed)), UsageError) << deed;
  const std::string said =
      usage_error_of([] { RemotePlugin subject(broken("dies_when_described")); });
  EXPECT_NE(said.find("died (crash(SIGABRT)) while it was loaded"), std::string::npos) << said;
}

}  // namespace
}  // namespace upcast
