// Tests of `upcast fuzz`, as a user runs it.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

namespace fs = std::filesystem;

CommandResult run_fuzz(const Words& arguments) { return run_upcast(joined({"fuzz"}, arguments)); }

bool has_engine() { return fs::exists(fs::path(upcast_program()).parent_path() / "fuzz-notation"); }

bool has_libtorch() {
  return fs::exists(fs::path(upcast_program()).parent_path() / "upcast-minimize");
}

#define NEEDS_AN_ENGINE() \
  if (!has_engine()) GTEST_SKIP() << "this build found no libFuzzer (clang, libclang-rt-14-dev)"

Json campaign(const Words& arguments) {
  const CommandResult result = run_fuzz(joined(arguments, {"--json", "-"}));
  EXPECT_LE(result.exit_code, 1) << result.err;
  return result.json();
}

/// Tests with this build's engines. UPCAST_FUZZ_BIN may name those of another build, so the test
/// sets it.
class Fuzz : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("UPCAST_FUZZ_BIN", fs::path(upcast_program()).parent_path().c_str(), 1);
  }
  std::string corpus_ = temporary_folder() + "/corpus-" +
                        ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(Fuzz, AnUnknownTargetIsAMistake) {
  EXPECT_TRUE(complains(run_fuzz({"--target", "elementwize"}), {"did you mean elementwise?"}));
}

TEST_F(Fuzz, EachTargetThatIsListedHasAnEngine) {
  NEEDS_AN_ENGINE();
  std::istringstream list(run_fuzz({"--list"}).out);
  int targets = 0;
  for (std::string line; std::getline(list, line); ++targets) {
    const std::string name = "fuzz-" + line.substr(0, line.find(' '));
    const fs::path engine = fs::path(upcast_program()).parent_path() / name;
    if (!has_libtorch() && name != "fuzz-notation" && name != "fuzz-store") continue;
    EXPECT_TRUE(fs::exists(engine)) << engine;
    EXPECT_TRUE(fs::exists(engine.string() + "-replay")) << engine;
  }
  EXPECT_GE(targets, 7);
}

TEST_F(Fuzz, AFolderWithoutEnginesIsAMistake) {
  setenv("UPCAST_FUZZ_BIN", "/nowhere", 1);
  EXPECT_TRUE(complains(run_fuzz({"--runs", "10", "--corpus", corpus_}), {"UPCAST_FUZZ_BIN"}));
}

TEST_F(Fuzz, TheSameSeedGivesTheSameCampaign) {
  NEEDS_AN_ENGINE();
  const auto run = [&](const std::string& name) {
    return campaign(
        {"--target", "notation", "--runs", "30000", "--seed", "1337", "--corpus", corpus_ + name});
  };
  const Json first = run("-1"), second = run("-2");
  EXPECT_EQ(first.value("cases", 0), second.value("cases", -1));
  EXPECT_EQ(first.value("features", 0), second.value("features", -1));
  EXPECT_EQ(first.value("corpus", 0), second.value("corpus", -1));
  EXPECT_GE(first.value("cases", 0), 30000);
  ASSERT_FALSE(first.at("samples").empty());
  EXPECT_EQ(first.at("samples").back().at("cases"), first.at("cases"));
  EXPECT_EQ(first.at("samples").back().at("features"), first.at("features"));
}

/// Without coverage, as in GCC's build, the engine counts only the domain's features. If the
/// optimiser dropped the array that holds them, no other test would notice.
TEST_F(Fuzz, TheDomainsFeaturesGuideTheEngine) {
  NEEDS_AN_ENGINE();
  if (!fs::exists(fs::path(upcast_program()).parent_path() / "fuzz-kernel"))
    GTEST_SKIP() << "built without LibTorch";
  const auto run = [&](const std::string& runs, const std::string& name) {
    return campaign(
               {"--target", "kernel", "--seed", "7", "--corpus", corpus_ + name, "--runs", runs})
        .value("features", 0);
  };
  const int few = run("1000", "-few");
  const int more = run("20000", "-more");
  EXPECT_GT(few, 500);
  EXPECT_GT(more, few);
}

/// How many inputs of the folder `others` a merge into a copy of `folder` takes: those with a
/// feature that no input of `folder` has.
std::size_t missing_in(const std::string& folder, const std::string& others) {
  const std::string copy = folder + ".copy";
  fs::remove_all(copy);
  fs::copy(folder, copy);
  const auto count = [&copy] {
    return std::distance(fs::directory_iterator(copy), fs::directory_iterator());
  };
  const auto before = count();
  const CommandResult merged = run_program("fuzz-notation", {"-merge=1", copy, others});
  EXPECT_EQ(merged.exit_code, 0) << merged.err;
  return static_cast<std::size_t>(count() - before);
}

/// Waits until the engine of a campaign has written 50 inputs, sends it the signal, and copies the
/// inputs to `copy`.
void signal_engine(const std::string& log, const fs::path& copy, int signal) {
  constexpr auto kInputs = 50;
  for (int i = 0; i < 400; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const fs::path inputs = log + "/job-0";
    if (!fs::exists(inputs) ||
        std::distance(fs::directory_iterator(inputs), fs::directory_iterator()) < kInputs)
      continue;
    for (const auto& entry : fs::directory_iterator(log)) {
      const std::string name = entry.path().filename();
      if (!name.starts_with("progress.") || name.ends_with(".new")) continue;
      kill(std::stoi(name.substr(name.find('.') + 1)), signal);
      fs::create_directories(copy);
      std::error_code gone;  // the next engine may have replaced an input by a smaller one
      for (const auto& input : fs::directory_iterator(inputs))
        fs::copy_file(input.path(), copy / input.path().filename(), gone);
      return;
    }
  }
}

TEST_F(Fuzz, AKilledEngineIsStartedAgainAndLosesNothing) {
  NEEDS_AN_ENGINE();
  const std::string before = corpus_ + ".before", seeds = corpus_ + ".seeds";
  std::thread killer(&signal_engine, corpus_ + ".log", before, SIGKILL);
  const Json json = campaign({"--target", "notation", "--time", "8", "--corpus", corpus_});
  killer.join();
  EXPECT_EQ(json.value("restarts", 0), 1);
  EXPECT_TRUE(json.value("complete", false));
  EXPECT_GT(json.value("cases", 0), 1000);
  ASSERT_TRUE(fs::exists(before));
  EXPECT_EQ(missing_in(corpus_, before), 0U);
  // the control: the engine had found features that the seeds lack
  run_program("fuzz-notation-replay", {"-seeds", "-write=" + seeds});
  EXPECT_GT(missing_in(seeds, before), 0U);
}

TEST_F(Fuzz, AnEngineThatStandsStillIsReplacedAndLosesNothing) {
  NEEDS_AN_ENGINE();
  const std::string before = corpus_ + ".before";
  std::thread stopper(&signal_engine, corpus_ + ".log", before, SIGSTOP);
  const Json json =
      campaign({"--target", "notation", "--time", "10", "--stuck", "3", "--corpus", corpus_});
  stopper.join();
  EXPECT_EQ(json.value("restarts", 0), 1);
  EXPECT_TRUE(json.value("complete", false));
  ASSERT_TRUE(fs::exists(before));
  EXPECT_EQ(missing_in(corpus_, before), 0U);
}

/// Tests with two campaigns, `one` and `two`, that exchange inputs through the folder `all`.
class SharedFuzz : public Fuzz {
 protected:
  void SetUp() override {
    Fuzz::SetUp();
    NEEDS_AN_ENGINE();
    one_ = campaign(arguments("one", "7", "10000"));
    two_ = campaign(arguments("two", "8", "10000"));
  }
  std::string path(const std::string& name) const { return corpus_ + "-" + name; }
  Words arguments(const std::string& name, const std::string& seed, const std::string& runs) const {
    return {"--target",   "notation",  "--runs",   runs,       "--seed",      seed,
            "--exchange", path("all"), "--corpus", path(name), "--follow-up", "0"};
  }
  CommandResult merge(const Words& corpora, const std::string& into) const {
    return run_fuzz(joined(joined({"--merge"}, corpora),
                           {"--exchange", path("all"), "--corpus", path(into), "--json", "-"}));
  }
  Json one_, two_;
};

TEST_F(SharedFuzz, AreOneCampaignWhenMerged) {
  const CommandResult result = merge({path("one"), path("two")}, "merged");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const Json merged = result.json();
  EXPECT_EQ(merged.at("cases"), one_.value("cases", 0) + two_.value("cases", 0));
  EXPECT_EQ(merged.at("campaigns"), 2);
  EXPECT_EQ(merged.at("cut_off"), Json::array());
  EXPECT_GE(merged.at("features"), std::max(one_.value("features", 0), two_.value("features", 0)));
  for (const char* name : {"one", "two"}) EXPECT_EQ(missing_in(path("merged"), path(name)), 0U);
  EXPECT_EQ(missing_in(path("merged"), path("all") + "/inputs"), 0U);
}

/// The second campaign begins with the inputs of the first, so it reaches more features than it
/// would alone.
TEST_F(SharedFuzz, TakeWhatOthersFound) {
  const Json alone = campaign({"--target", "notation", "--runs", "10000", "--seed", "8", "--corpus",
                               path("alone"), "--follow-up", "0"});
  EXPECT_GT(two_.value("features", 0), alone.value("features", 0));
}

TEST_F(SharedFuzz, ThatAreGivenTwiceOrAreNoneAreRefused) {
  EXPECT_TRUE(complains(merge({path("one"), path("one") + "/"}, "twice"), {"is given twice"}));
  EXPECT_TRUE(
      complains(merge({path("one"), path("none")}, "none"), {"campaign.json is not there"}));
  EXPECT_TRUE(complains(merge({path("one")}, "two"), {"exists already"}));
  campaign({"--target", "store", "--runs", "100", "--corpus", path("store"), "--follow-up", "0"});
  EXPECT_TRUE(complains(merge({path("one"), path("store")}, "mixed"),
                        {"is a campaign of store, not of notation"}));
}

/// Pruning moves inputs that add no feature to `pruned/`, and deletes no input.
TEST_F(SharedFuzz, PruneWhatTheyShare) {
  const auto count = [this](const std::string& folder) {
    const fs::path all = path("all") + folder;
    return std::distance(fs::directory_iterator(all), fs::directory_iterator());
  };
  const auto given = count("/inputs");
  ASSERT_GT(given, 0);
  EXPECT_EQ(count("/pruned"), 0);
  const Words pruning{"--target",   "notation",    "--time",        "10",
                      "--exchange", path("all"),   "--prune-every", "1",
                      "--corpus",   path("three"), "--follow-up",   "0"};
  campaign(pruning);
  EXPECT_GT(count("/pruned"), 0);
  EXPECT_GE(count("/inputs") + count("/pruned"), given);
  EXPECT_EQ(merge({path("one"), path("two"), path("three")}, "merged").exit_code, 0);
  EXPECT_EQ(missing_in(path("merged"), path("all") + "/pruned"), 0U);
}

/// A campaign that was killed can be merged with others, and its counts, findings and inputs count.
TEST_F(SharedFuzz, AKilledOneIsMergedToo) {
  const std::string killed = path("killed");
  run_upcast({"fuzz", "--target", "notation", "--time", "600", "--corpus", killed}, "", 5);
  const CommandResult result = merge({path("one"), killed}, "merged");
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.json().at("cut_off"), Json::array({killed}));
  EXPECT_GT(result.json().at("cases"), one_.at("cases"));
  EXPECT_EQ(missing_in(path("merged"), killed + ".log/job-0"), 0U);
}

}  // namespace
}  // namespace upcast::tools::testing
