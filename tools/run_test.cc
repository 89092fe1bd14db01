// Tests of `upcast run` with workers whose subjects fail on purpose; they need no LibTorch.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "oracle/process/child.h"
#include "reports/run_store.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

class RunCommand : public ::testing::Test {
 protected:
  void SetUp() override { use_test_worker(); }

  /// Runs `upcast run` over `cases` cases that differ in their seed, with `more` arguments.
  static CommandResult run(const std::string& subject, const std::string& oracle, int cases,
                           Words more = {}) {
    // --known replaces the built-in known differences by an empty file, because they often change.
    return run_upcast(joined({"run", "--cases", write_file("seeded.cases", seeded_cases(cases)),
                              "--known", no_known(), "--subject", subject, "--oracle", oracle},
                             more));
  }

  static Json json_of(const std::string& subject, const std::string& oracle, int cases,
                      const Words& more = {}) {
    return run(subject, oracle, cases, joined(more, {"--json", "-"})).json();
  }

  static std::string no_known() { return write_file("none.toml", ""); }

  static std::string new_store(const std::string& name) {
    std::string path = temporary_folder() + "/" + name;
    for (const char* end : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(path + end);
    return path;
  }
};

TEST_F(RunCommand, AgreementIsAsExpected) {
  EXPECT_TRUE(prints(run("test:right", "test:right", 10000), 0, {"10,000 planned, 10,000 ran"}));
}

TEST_F(RunCommand, JsonHoldsWhatTheDesignAsksFor) {
  const Json json = json_of("test:wrong?9000", "test:crash?3,4", 10000);
  for (const char* key : {"planned", "ran", "agree", "known", "unexplained", "not_judged", "crash",
                          "timeout", "values_judged", "seconds", "cases_per_second", "versions"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_TRUE(includes(json, {{"planned", 10000},
                              {"ran", 10000},
                              {"agree", 9997},
                              {"unexplained", 3},
                              {"crash", 2},
                              {"exit_code", 1},
                              {"worker_deaths", 2}}));
  for (const char* key : {"upcast", "compiler", "cpu", "os", "test"}) {
    EXPECT_TRUE(json.at("versions").contains(key)) << key;
  }
}

TEST_F(RunCommand, DifferenceIsUnexpectedAndItsLineIsShown) {
  EXPECT_TRUE(prints(run("test:wrong?9000", "test:right", 10000), 1,
                     {"add.Tensor(float32[1], float32[1], seed=9000)"}));
}

TEST_F(RunCommand, TimeoutIsAVerdict) {
  const Json json = json_of("test:hang?5", "test:right", 5000, {"--time-limit", "0.3"});
  EXPECT_TRUE(includes(json, {{"timeout", 1}, {"agree", 4999}}));
}

/// A finished run that is given again runs nothing. It says so, because its subject may be another
/// one by now.
TEST_F(RunCommand, GivenAgainItSaysThatNothingWasRun) {
  const std::string store = new_store("finished.db");
  const auto once_more = [&] { return run("test:right", "test:right", 9000, {"--out", store}); };
  const CommandResult first = once_more(), second = once_more();
  EXPECT_FALSE(holds(first.out, "resumed:")) << first.out;
  EXPECT_TRUE(prints(second, 0, {"resumed: 9,000 cases of an earlier session were not run again"}));
  EXPECT_EQ(json_of("test:right", "test:right", 9000, {"--out", store}).at("earlier_cases"), 9000);
  EXPECT_EQ(json_of("test:right", "test:right", 9000, {}).at("earlier_cases"), 0);
}

// If a finished run is given again, cases that timed out are asked once more: the load of the
// machine may have been the cause.
TEST_F(RunCommand, GivenAgainItAsksOnceMoreWhatTimedOut) {
  const std::string store = new_store("again.db"), gate = new_store("gate");
  const std::string side = "test:hang-until?" + gate;
  const auto go_on = [&] {
    return run(side, "test:right", 9000, {"--time-limit", "0.3", "--out", store});
  };
  CommandResult result = go_on();
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_FALSE(holds(result.out, "asked again"));
  result = go_on();
  EXPECT_EQ(result.exit_code, 1) << "control: it hangs as before";
  EXPECT_TRUE(holds(result.out, "timeout 1,"));
  EXPECT_TRUE(holds(result.out, "asked again: 1 block of an earlier session"));
  write_file("gate", "");
  result = go_on();
  EXPECT_TRUE(prints(result, 0, {"asked again: 1 block of an earlier session"}));
  EXPECT_FALSE(holds(go_on().out, "asked again")) << "nothing is left to ask";
  const reports::RunStore left = reports::RunStore::open(store);
  EXPECT_TRUE(left.complete());
  left.for_each_record([](const CaseRecord& row) { ADD_FAILURE() << row.line; });
}

TEST_F(RunCommand, FewCasesAreShownOneByOne) {
  EXPECT_TRUE(prints(run_upcast({"run", "add(float32[1], float32[1], seed=7) -> float32[1]{7}",
                                 "add(float32[1], float32[1], seed=8) -> refuses", "--subject",
                                 "test:right", "--oracle", "test:right"}),
                     1,
                     {"agree           add.Tensor(float32[1], float32[1], seed=7)",
                      "expectation     add.Tensor(float32[1], float32[1], seed=8)"}));
}

// The test worker has no truth, so the truth decides no value, and witnesses are asked.
TEST_F(RunCommand, WitnessesSayWhoStandsAlone) {
  const auto asked = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run",       "add(float32[1], float32[1], seed=7)",
                                       "--known",   no_known(),
                                       "--subject", "test:wrong?7",
                                       "--oracle",  "test:right"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_upcast(arguments);
  };
  const CommandResult result =
      asked({"--witness", "test:right", "--witness", "test:crash", "--witness", "test:hang",
             "--witness", "test:refuse", "--witness", "test:unable", "--witness",
             "planted?bug=none", "--time-limit", "0.5"});
  EXPECT_EQ(result.exit_code, 2) << "a witness that cannot be made is a fault of the command";
  const CommandResult told =
      asked({"--witness", "test:right", "--witness", "test:crash", "--witness", "test:hang",
             "--witness", "test:unable", "--time-limit", "0.5"});
  EXPECT_EQ(told.exit_code, 1) << told.err;
  for (const char* line :
       {"  witness       test:right  float32[1]{7}  (with the oracle)",
        "  witness       test:crash  crash(SIGFPE)  (says nothing about it)",
        "  witness       test:hang  timeout  (says nothing about it)",
        "  witness       test:unable  not_judged()  (says nothing about it)",
        "the subject stands alone: 1 of 1 witnesses are with the oracle",
        "asked about 1 recorded case; the subject stands alone in 1, the oracle in 0"})
    EXPECT_NE(told.out.find(line), std::string::npos) << line << "\n" << told.out;
  EXPECT_EQ(asked({}).exit_code, told.exit_code) << "witnesses change no exit code";
}

TEST_F(RunCommand, AWitnessMayBeASideWithAMistakeInIt) {
  const CommandResult result =
      run_upcast({"run", "mul(uint8[1]{5}, uint8[1]{3})", "--known", no_known(), "--subject",
                  "impl:cpu", "--oracle", "impl:cpu", "--witness",
                  "planted?bug=mul-of-uint8-is-xor", "--witness", "impl:cpu", "--doubt"});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  for (const char* line : {"planted?bug=mul-of-uint8-is-xor  uint8[1]{6}  (with neither)",
                           "impl:cpu  uint8[1]{15}  (with both)"})
    EXPECT_NE(result.out.find(line), std::string::npos) << line << "\n" << result.out;
}

TEST_F(RunCommand, DoubtAsksAboutAgreementAndKeepsWhatIsDisputed) {
  const std::string store = new_store("doubt.db");
  const std::vector<std::string> doubt{"--witness", "test:wrong?5,4999", "--doubt", "--out", store};
  const CommandResult result = run("test:right", "test:right", 5000, doubt);
  EXPECT_EQ(result.exit_code, 0) << result.out;
  EXPECT_NE(result.out.find("doubt: witnesses were also asked about 5,000 cases"),
            std::string::npos);
  std::vector<std::int64_t> disputed;
  const reports::RunStore stored = reports::RunStore::open(store);
  stored.for_each_record([&](const CaseRecord& row) {
    disputed.push_back(row.case_index);
    EXPECT_EQ(row.verdict.code, VerdictCode::kAgree);
    EXPECT_EQ(row.verdict.alone, Alone::kBoth);
  });
  EXPECT_EQ(disputed, (std::vector<std::int64_t>{5, 4999}));
  const Json json =
      json_of("test:right", "test:right", 5000, {"--witness", "test:wrong?5", "--doubt"});
  EXPECT_EQ(json.at("alone").at("both"), 1);
  EXPECT_EQ(json.at("doubted"), 5000);
  const CommandResult other = run("test:right", "test:right", 5000, {"--out", store});
  EXPECT_EQ(other.exit_code, 2) << "a store goes on with its own witnesses only";
  EXPECT_NE(other.err.find("witness test:wrong"), std::string::npos) << other.err;
  EXPECT_EQ(run("test:right", "test:right", 5, {"--doubt"}).exit_code, 2) << "doubt asks witnesses";
}

TEST_F(RunCommand, StandardInputAndSeveralFilesAreOneRun) {
  const std::string a = write_file("a.cases", "add(float32[1], float32[1], seed=1)\n");
  const std::string b = write_file("b.cases", "# two\nadd(float32[1], float32[1], seed=2)\n");
  const CommandResult result =
      run_upcast({"run", "--cases", a, "--cases", b, "-", "--known", no_known(), "--subject",
                  "test:right", "--oracle", "test:right", "--json", "-"},
                 "add(float32[1], float32[1], seed=3)\nadd(float32[1], float32[1], seed=4)\n");
  EXPECT_EQ(Json::parse(result.out).at("ran"), 4) << result.err;
}

TEST_F(RunCommand, NoValueJudgedIsNoPass) {
  EXPECT_TRUE(prints(run("test:refuse", "test:refuse", 100), 3, {"not a pass"}));
}

TEST_F(RunCommand, ExpectedRefusalsAreAPass) {
  const CommandResult result =
      run_upcast({"run", "add(float32[1], float32[1]) -> refuses", "--known", no_known(),
                  "--subject", "test:refuse", "--oracle", "test:refuse"});
  EXPECT_EQ(result.exit_code, 0) << result.out;
}

TEST_F(RunCommand, ShardsHoldEachBlockOnce) {
  std::int64_t ran = 0;
  std::string shards;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const Json json = json_of("test:wrong?0,5000,20000", "test:right", 30000, {"--shard", shard});
    EXPECT_EQ(json.at("planned"), json.at("ran"));
    ran += json.at("ran").get<std::int64_t>();
    shards += std::to_string(json.at("unexplained").get<int>());
  }
  EXPECT_EQ(ran, 30000);
  EXPECT_EQ(shards, "120") << "cases 0, 5000, 20000 are in blocks 0, 1, 4";
}

TEST_F(RunCommand, ShardsGoByTheBlocksThatAreAskedFor) {
  std::string shards;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    const Json json = json_of("test:wrong?0,5000,20000", "test:right", 30000,
                              {"--shard", shard, "--block", "1000"});
    EXPECT_EQ(json.at("ran"), 10000);
    shards += std::to_string(json.at("unexplained").get<int>());
  }
  EXPECT_EQ(shards, "102") << "cases 0, 5000, 20000 are in blocks 0, 5, 20";
}

TEST_F(RunCommand, MergedShardsAreOneRun) {
  const std::string whole = new_store("undivided.db"), merged = new_store("merged.db");
  const std::string one = new_store("one.db"), two = new_store("two.db");
  ASSERT_EQ(run("test:wrong?9000", "test:right", 20000, {"--out", whole}).exit_code, 1);
  ASSERT_NE(run("test:wrong?9000", "test:right", 20000, {"--shard", "1/2", "--out", one}).exit_code,
            2);
  CommandResult result = run_upcast({"merge", one, "-o", new_store("half.db")});
  EXPECT_TRUE(prints(result, 3, {"missing: shard 2/2"}));
  ASSERT_NE(run("test:wrong?9000", "test:right", 20000, {"--shard", "2/2", "--out", two}).exit_code,
            2);
  result = run_upcast({"merge", two, one, "-o", merged});
  EXPECT_TRUE(prints(result, 1, {"20,000 planned, 20,000 ran"}));
  EXPECT_EQ(reports::RunStore::open(merged).content_digest(),
            reports::RunStore::open(whole).content_digest());
  EXPECT_EQ(run_upcast({"merge", two, one, "-o", merged}).exit_code, 2) << "it is there already";
}

TEST_F(RunCommand, ADiffAndABaselineFailOnWhatGotWorse) {
  const std::string before = new_store("before.db"), after = new_store("after.db");
  ASSERT_EQ(run("test:wrong?10,20", "test:right", 100, {"--out", before}).exit_code, 1);
  // The run has the failures of the baseline and no new one, so it is as expected.
  EXPECT_EQ(run("test:wrong?10,20", "test:right", 100, {"--baseline", before}).exit_code, 0);
  EXPECT_EQ(run("test:wrong?10", "test:right", 100, {"--baseline", before}).exit_code, 0);
  const CommandResult worse =
      run("test:wrong?20,30", "test:right", 100, {"--baseline", before, "--out", after});
  EXPECT_TRUE(prints(worse, 1, {"1 case got worse"}));
  const CommandResult diff = run_upcast({"diff", before, after, "--json", "-"});
  const Json json = diff.json(1);
  EXPECT_TRUE(includes(json, {{"broken", 1}, {"fixed", 1}, {"still_failing", 1}, {"same", 97}}));
  EXPECT_EQ(run_upcast({"diff", after, after}).exit_code, 0);
  // Worse than a difference: the subject cannot answer any more, or it crashes.
  EXPECT_EQ(run("test:unable?10,20,30", "test:right", 100, {"--baseline", before}).exit_code, 1);
  EXPECT_EQ(run("test:crash?10", "test:right", 100, {"--baseline", before}).exit_code, 1);
  // A baseline that does not exist is reported before the run starts.
  EXPECT_TRUE(
      complains(run("test:right", "test:right", 10, {"--baseline", "no/such.db"}), {"no/such.db"}));
}

TEST_F(RunCommand, FinishedRunIsNotRunAgain) {
  const std::string store = new_store("finished.db");
  EXPECT_EQ(run("test:right", "test:right", 20000, {"--out", store}).exit_code, 0);
  const auto digest = reports::RunStore::open(store).content_digest();
  const CommandResult again = run("test:right", "test:right", 20000, {"--out", store});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(reports::RunStore::open(store).content_digest(), digest);
}

TEST_F(RunCommand, StoreOfAnotherPlanIsAUsageError) {
  const std::string store = new_store("other.db");
  EXPECT_EQ(run("test:right", "test:right", 100, {"--out", store}).exit_code, 0);
  EXPECT_TRUE(complains(run("test:right", "test:right", 101, {"--out", store}), {"another"}));
}

/// A digest of a run store's contents. It leaves out times and how often workers died.
std::string digest_of(const std::string& store) {
  return reports::RunStore::open(store).content_digest();
}

TEST_F(RunCommand, KilledAnywhereAndRunAgainEndsWithTheSameStore) {
  constexpr int kCases = 24000;
  const Words sides{"test:wrong?1,9000,13333", "test:crash?2,20000,23999"};
  const std::string undisturbed = new_store("undisturbed.db");
  EXPECT_EQ(run(sides[0], sides[1], kCases, {"--out", undisturbed}).exit_code, 1);
  const std::string digest = digest_of(undisturbed);

  std::srand(4);
  int kills = 0;
  for (int round = 0; round < 3; ++round) {
    const std::string store = new_store("killed.db");
    CommandResult result;
    // Each attempt is killed later than the one before, so that a run also finishes on a busy
    // machine.
    for (int attempt = 0; attempt < 60; ++attempt) {
      const double moment = 0.01 * std::pow(1.25, attempt) * (0.1 + std::rand() / double{RAND_MAX});
      result = run_upcast({"run", "--cases", temporary_folder() + "/seeded.cases", "--subject",
                           sides[0], "--oracle", sides[1], "--out", store, "--known", no_known()},
                          "", moment);
      if (result.exit_code != 128 + SIGKILL) break;
      ++kills;
    }
    EXPECT_EQ(result.exit_code, 1) << result.err;
    EXPECT_EQ(digest_of(store), digest);
  }
  EXPECT_GT(kills, 5) << "the runs were too short to be killed";
  RecordProperty("kills", kills);
  std::printf("killed %d times in 3 runs of %d cases\n", kills, kCases);
}

TEST_F(RunCommand, InterruptLeavesAStoreThatGoesOn) {
  const std::string store = new_store("interrupted.db");
  const std::string file = write_file("seeded.cases", seeded_cases(20000));
  Child child({.command = {upcast_program(), "run", "--cases", file, "--known", no_known(),
                           "--subject", "test:right", "--oracle", "test:hang?17000", "--time-limit",
                           "60", "--out", store},
               .output = "/dev/null",
               .errors = "/dev/null",
               .interrupt = Interrupt::kShared});
  usleep(1'000'000);
  child.interrupt();
  const ExitStatus status = child.wait();
  ASSERT_EQ(status.signal, 0) << "it ends in order";
  EXPECT_EQ(status.code, 3);
  EXPECT_FALSE(reports::RunStore::open(store).complete());
  EXPECT_FALSE(reports::RunStore::open(store).blocks_pending().empty());
  // The new run is incomplete: cases that did not run may have become worse.
  EXPECT_TRUE(prints(run_upcast({"diff", store, store}), 3, {"the new run is incomplete"}));
  EXPECT_TRUE(prints(run_upcast({"merge", store, "-o", new_store("partial.db")}), 3,
                     {"partial: " + store + " lacks "}));
}

}  // namespace
}  // namespace upcast::tools::testing
