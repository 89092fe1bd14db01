// Tests what campaigns find, survive and write to files, with subjects that are wrong or die on
// purpose.
#include "tools/fuzz/campaign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "cases/text_file.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlanted = "planted?bug=comparison-keeps-its-dtype";
// a case of a committed seed of the target kernel
constexpr const char* kSeed = "divide.Scalar(float32[7,1], nan, values=consecutive, seed=41992)";

std::vector<fs::path> files_of(const fs::path& folder, const std::string& start,
                               const std::string& extension = "") {
  std::vector<fs::path> found;
  if (!fs::exists(folder)) return found;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(start) &&
        (extension.empty() || entry.path().extension() == extension))
      found.push_back(entry.path());
  return found;
}

struct Ended {
  int exit_code = -1;
  Json json;
  std::vector<Json> rows;  // of findings.ndjson
};

class Campaigns : public ::testing::Test {
 protected:
  void SetUp() override {
    const fs::path programs = fs::path(upcast_program()).parent_path();
    setenv("UPCAST_FUZZ_BIN", programs.c_str(), 1);
    if (!fs::exists(programs / "fuzz-kernel"))
      GTEST_SKIP() << "this build has no engine that asks two sides (libFuzzer, LibTorch)";
  }
  void TearDown() override { unsetenv("UPCAST_FUZZ_ESCAPES"); }

  /// Runs `upcast fuzz`, always from seed 7. Without --follow-up among the arguments there is no
  /// follow-up.
  Ended run(Words arguments) {
    arguments.insert(arguments.begin(),
                     {"fuzz", "--json", "-", "--corpus", corpus_, "--seed", "7"});
    if (std::find(arguments.begin(), arguments.end(), "--follow-up") == arguments.end())
      arguments.insert(arguments.end(), {"--follow-up", "0"});
    const CommandResult result = run_upcast(arguments);
    Ended ended{result.exit_code, Json::parse(result.out, nullptr, false), {}};
    EXPECT_TRUE(ended.json.is_object()) << result.out << result.err;
    std::ifstream file(log_ + "/findings.ndjson");
    for (std::string line; std::getline(file, line);) ended.rows.push_back(Json::parse(line));
    return ended;
  }
  /// Expects that the command in a finding's row, with the sides that it names, shows the
  /// difference again.
  static void expect_shown_by_run(const Json& row) {
    const std::string line = row.at("line"), subject = row.at("subject_side"),
                      oracle = row.at("oracle_side");
    EXPECT_EQ(row.at("command"),
              "upcast run '" + line + "' --subject '" + subject + "' --oracle '" + oracle + "'");
    const CommandResult again =
        run_upcast({"run", line, "--subject", subject, "--oracle", oracle, "--jobs", "1"});
    // the output, not the exit code, which is another one if no value is judged
    EXPECT_TRUE(holds(again.out, "differs from " + oracle + " without explanation in 1 of 1 case"))
        << line << again.err;
  }

  std::string corpus_ =
      temporary_folder() + "/" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::string log_ = corpus_ + ".log";
};

TEST_F(Campaigns, TwoJobsWriteASignatureOnce) {
  const Ended ended =
      run({"--target", "kernel", "--subject", kPlanted, "--runs", "3000", "--jobs", "2"});
  EXPECT_EQ(ended.exit_code, 1);
  std::set<std::uint32_t> hashes;
  for (const Json& row : ended.rows)
    EXPECT_TRUE(hashes.insert(row.at("hash").get<std::uint32_t>()).second) << row;
  EXPECT_GT(hashes.size(), 2U);
  EXPECT_EQ(ended.json.at("findings"), hashes.size());
  EXPECT_GT(ended.json.at("finding_cases"), hashes.size());
}

TEST_F(Campaigns, ASecondOneReportsNothingTwice) {
  const Words arguments{"--target", "kernel", "--subject", kPlanted, "--runs", "2000"};
  const Ended first = run(arguments), second = run(arguments);
  EXPECT_EQ(first.exit_code, 1);
  EXPECT_EQ(second.exit_code, 1);  // the bug is still there
  EXPECT_EQ(first.rows.size(), first.json.at("findings"));
  EXPECT_EQ(second.rows.size(), first.rows.size() + second.json.at("findings").get<std::size_t>());
  std::set<std::string> signatures;
  for (const Json& row : second.rows)
    EXPECT_TRUE(signatures.insert(row.at("signature").get<std::string>()).second);
}

TEST_F(Campaigns, ARowOfKernelNamesItsSides) {
  const Ended ended = run({"--target", "kernel", "--subject", kPlanted, "--runs", "500"});
  ASSERT_FALSE(ended.rows.empty());
  EXPECT_EQ(ended.rows[0].at("oracle_side"), "impl:cpu");
  expect_shown_by_run(ended.rows[0]);
}

TEST_F(Campaigns, ARowOfIteratorNamesItsSides) {
  const Ended ended = run({"--target", "iterator", "--subject", kPlanted, "--runs", "500"});
  ASSERT_FALSE(ended.rows.empty());
  EXPECT_EQ(ended.rows[0].at("oracle_side"), "libtorch:meta");
  expect_shown_by_run(ended.rows[0]);
}

TEST_F(Campaigns, SidesThatAreNoneAreAMistakeBeforeAnyJob) {
  for (const auto& [option, name] :
       {std::pair("--oracle", "nonsense"), std::pair("--subject", "impl:none"),
        std::pair("--subject", "planted?bug=none")}) {
    EXPECT_TRUE(complains(run_upcast(
        {"fuzz", "--target", "kernel", option, name, "--runs", "10", "--corpus", corpus_})));
    EXPECT_FALSE(fs::exists(log_ + "/job-0.out"));
  }
  EXPECT_TRUE(complains(run_upcast({"fuzz", "--target", "promotion", "--oracle", "impl:cpu",
                                    "--runs", "10", "--corpus", corpus_}),
                        {"has no sides to choose"}));
  EXPECT_TRUE(complains(run_upcast({"fuzz", "--target", "elementwise", "--subject", "process:it",
                                    "--runs", "10", "--corpus", corpus_}),
                        {"another process", "--target chain can"}));
}

TEST_F(Campaigns, WhatLiesInTheLogIsNoCrashOfThisOne) {
  fs::create_directories(log_ + "/job-7");
  fs::create_directories(corpus_);
  std::ofstream(log_ + "/crash-before") << "x";
  std::ofstream(log_ + "/slow-unit-before") << "x";
  std::ofstream(corpus_ + "/one") << "neg(int8[2])";
  std::ofstream(log_ + "/job-7/other") << "abs(float32[3])";
  const Ended ended = run({"--target", "notation", "--runs", "1"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_EQ(ended.json.at("crashes"), Json::array());
  // a folder that was left by a campaign with more jobs, which was killed
  EXPECT_FALSE(fs::exists(log_ + "/job-7"));
  std::set<std::string> inputs;
  for (const fs::path& path : files_of(corpus_, "")) inputs.insert(file_text(path));
  EXPECT_TRUE(inputs.contains("abs(float32[3])"));
  EXPECT_TRUE(inputs.contains("neg(int8[2])"));
}

TEST_F(Campaigns, AnEngineThatIsWornOutIsStartedAfreshAndHasNotDied) {
  setenv("UPCAST_FUZZ_ESCAPES", "60", 1);
  const Ended ended =
      run({"--target", "kernel", "--subject", "dying?SIGFPE=neg", "--runs", "40000"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(includes(ended.json, {{"restarts", 0}, {"crashes", Json::array()}}));
  EXPECT_TRUE(ended.json.at("complete"));
  EXPECT_GT(ended.json.at("escapes"), 60);
  EXPECT_GE(files_of(log_, "progress.").size(), 2U);
}

TEST_F(Campaigns, WhatKillsAnEngineBecomesAFindingAndTheCampaignGoesOn) {
  const Ended ended = run(
      {"--target", "kernel", "--subject", std::string("dying?SIGABRT=") + kSeed, "--runs", "2000"});
  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(ended.json.at("complete"));
  EXPECT_EQ(ended.json.at("restarts"), 1);
  EXPECT_GT(ended.json.at("cases"), 1000);
  ASSERT_EQ(ended.json.at("crashes").size(), 1U);
  ASSERT_EQ(ended.rows.size(), 1U);
  EXPECT_EQ(ended.rows[0].at("line"), kSeed);
  EXPECT_EQ(ended.rows[0].at("signature"),
            "crash divide.Scalar(f32@dim,float@number) SIGABRT->answer");
  expect_shown_by_run(ended.rows[0]);
  const std::string input = file_text(ended.json.at("crashes")[0].get<std::string>());
  for (const fs::path& path : files_of(corpus_, "")) EXPECT_NE(file_text(path), input) << path;
}

TEST_F(Campaigns, ACrashThatAKnownDifferenceExplainsIsNone) {
  const std::string line =
      "div.Tensor_mode(int32[2]{-2147483648,1}, int32[2]{-1,1}, "
      "rounding_mode=\"trunc\")";
  ASSERT_EQ(
      run_program("fuzz-elementwise-replay", {"-line=" + line, "-write=" + corpus_}).exit_code, 0);
  const Ended ended = run({"--target", "elementwise", "--no-guard", "--runs", "20"});
  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_GE(ended.json.at("restarts"), 1);
  EXPECT_EQ(ended.json.at("crashes"), Json::array());
  EXPECT_TRUE(files_of(log_, "crash-").empty());
  EXPECT_TRUE(ended.rows.empty());
}

TEST_F(Campaigns, EnginesThatDieAtOnceEndItIncomplete) {
  const Ended ended = run({"--target", "kernel", "--subject", "dying?SIGABRT=a", "--runs", "2000"});
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_FALSE(ended.json.at("complete"));
}

TEST_F(Campaigns, FindingsBecomeSimpleWithProgramsAndARunStore) {
  const Ended ended = run(
      {"--target", "elementwise", "--subject", kPlanted, "--runs", "200", "--follow-up", "600"});
  ASSERT_FALSE(ended.rows.empty());
  const std::vector<fs::path> simple = files_of(log_ + "/findings", "", ".json");
  ASSERT_FALSE(simple.empty());
  EXPECT_LE(simple.size(), ended.rows.size());
  std::set<std::string> signatures;
  int without_program = 0;
  for (const fs::path& path : simple) {
    const Json finding = Json::parse(file_text(path));
    EXPECT_TRUE(signatures.insert(finding.at("signature").get<std::string>()).second);
    EXPECT_EQ(path.stem(), finding.at("hash").get<std::string>());
    const bool is_simple = finding.at("why_not_simpler") == "";
    if (is_simple) {
      EXPECT_LE(finding.at("case").get<std::string>().size(),
                finding.at("found").get<std::string>().size() + 20);
      // Only upcast has the side that is wrong, a planted bug, so no program can call it. The test
      // tools.findings tests programs that are written.
      if (!finding.contains("no_program")) continue;
      EXPECT_TRUE(holds(finding.at("no_program").get<std::string>(), kPlanted)) << finding;
      ++without_program;
    }
  }
  EXPECT_GE(without_program, 1);
  ASSERT_EQ(ended.json.at("stores"), Json::array({log_ + "/findings.db"}));
  const std::string page = log_ + "/report.html";
  EXPECT_EQ(run_upcast({"report", log_ + "/findings.db", "-o", page}).exit_code, 0);
  EXPECT_TRUE(fs::exists(page));
}

TEST(CampaignState, WhatIsMostlyNotJudgedIsNoPass) {
  CampaignState state;
  state.cases = 100;
  EXPECT_EQ(state.exit_code(), 0);
  state.not_judged = 50;
  EXPECT_EQ(state.exit_code(), 0);
  state.not_judged = 51;
  EXPECT_EQ(state.exit_code(), 3);
  state.findings = 1;
  EXPECT_EQ(state.exit_code(), 1) << "what was found is found";
  state.interrupted = true;
  EXPECT_EQ(state.exit_code(), 3);
}

}  // namespace
}  // namespace upcast::tools::testing
