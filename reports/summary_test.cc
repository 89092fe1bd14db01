#include "reports/summary.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "impl/core/error.h"
#include "impl/core/temporary_folder.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_block;
using testing::synthetic_plan;
using testing::SyntheticOptions;
using testing::write_synthetic_store;

/// Base of tests with a store of twelve cases in three blocks. All of them agree, unless a test
/// changes some.
class SummaryTest : public ::testing::Test {
 protected:
  SummaryTest() {
    plan_.subject = "impl:cpu";
    plan_.oracle = "libtorch:cpu";
    plan_.source = "cases";
    plan_.upcast_version = "0.1.0";
    plan_.environment = {{"cpu", "x"}};
    plan_.planned = 12;
    plan_.block_size = 4;
    plan_.rows = {{.id = 0,
                   .op = "add",
                   .family = "f",
                   .schema = "add.Tensor",
                   .form = "functional",
                   .default_dtype = "float32",
                   .first = 0,
                   .count = 12,
                   .line_template = "add.Tensor({0}, {1})",
                   .axes = {{"int8[4]", "int8[]", "True"}, {"1", "2", "3", "4"}}}};
    plan_.known.resize(2);
    plan_.known[0].id = 1;
    plan_.known[0].name = "first";
    plan_.known[1].id = 2;
    plan_.known[1].name = "second";
    for (int64_t id = 0; id < 3; ++id) {
      BlockResult block;
      block.id = id;
      block.first = 4 * id;
      block.count = 4;
      block.values_judged = 16;
      block.verdict.assign(4, VerdictCode::kAgree);
      block.known.assign(4, 0);
      block.subject.assign(4, answer_byte(DType::kInt8));
      block.oracle = block.subject;
      blocks_.push_back(block);
    }
  }

  Summary summary(size_t stored = 3) const {
    const TemporaryFolder folder;
    RunStore store = RunStore::create_or_resume(folder / "run.db", plan_);
    for (size_t id = 0; id < stored; ++id) store.add_block(blocks_[id]);
    if (stored == 3) store.finish(2);
    return summarize(store);
  }

  RunPlan plan_;
  std::vector<BlockResult> blocks_;
};

TEST_F(SummaryTest, AllAgree) {
  const Summary result = summary();
  EXPECT_EQ(result.counts.planned, 12);
  EXPECT_EQ(result.counts.ran, 12);
  EXPECT_EQ(result.counts.agree, 12);
  EXPECT_EQ(result.counts.values_judged, 48);
  EXPECT_EQ(result.outlook(), Outlook::kAsExpected);
  EXPECT_EQ(result.verdict_sentence(), "impl:cpu behaves as libtorch:cpu in all 12 cases.");
  EXPECT_DOUBLE_EQ(result.cases_per_second(), 6);
}

TEST_F(SummaryTest, EveryFailingVerdictIsUnexplained) {
  for (size_t verdict = 3; verdict < kVerdictNames.size(); ++verdict) {
    if (is_agreement(static_cast<VerdictCode>(verdict))) continue;
    blocks_[1].verdict[2] = static_cast<VerdictCode>(verdict);
    const Summary result = summary();
    EXPECT_EQ(result.counts.unexplained, 1) << verdict;
    EXPECT_EQ(result.counts.agree, 11) << verdict;
    EXPECT_EQ(result.counts.by_verdict[verdict], 1) << verdict;
    EXPECT_EQ(result.outlook(), Outlook::kUnexpected) << verdict;
    const std::string sentence =
        verdict == static_cast<int>(VerdictCode::kExpectation)
            ? "impl:cpu agrees with libtorch:cpu, but 1 of 12 answers is not what its line expects."
        : verdict == static_cast<int>(VerdictCode::kTimeout)
            ? "impl:cpu behaves as libtorch:cpu in all 11 judged cases; 1 of 12 ran out of time."
            : "impl:cpu differs from libtorch:cpu without explanation in 1 of 12 cases.";
    EXPECT_EQ(result.verdict_sentence(), sentence);
  }
}

TEST_F(SummaryTest, AnAgreementWithinAChoiceIsToldApart) {
  EXPECT_EQ(summary_text(summary()).find("within the choice"), std::string::npos);
  blocks_[1].verdict[2] = VerdictCode::kWithinChoice;
  const Summary result = summary();
  EXPECT_EQ(result.counts.agree, 12);
  EXPECT_EQ(result.counts.unexplained, 0);
  EXPECT_EQ(result.outlook(), Outlook::kAsExpected);
  EXPECT_NE(summary_text(result).find("12 (1 within the choice of docs/decisions/0003)"),
            std::string::npos);
}

TEST_F(SummaryTest, AnUnmetExpectationIsNoDifferenceBetweenTheSides) {
  blocks_[0].verdict[0] = VerdictCode::kExpectation;
  blocks_[0].verdict[1] = VerdictCode::kDifferValue;
  EXPECT_EQ(
      summary().verdict_sentence(),
      "impl:cpu differs from libtorch:cpu without explanation in 1 of 12 cases. 1 more answer "
      "is not what its line expects.");
}

TEST_F(SummaryTest, KnownAndNotJudgedAreNeither) {
  blocks_[0].verdict[0] = VerdictCode::kKnown;
  blocks_[0].known[0] = 2;
  blocks_[0].oracle[0] = kCrashByte;
  blocks_[0].matched = {{2, 3}};
  blocks_[2].verdict[1] = VerdictCode::kNotJudged;
  const Summary result = summary();
  EXPECT_EQ(result.counts.known, 1);
  EXPECT_EQ(result.counts.crash, 0);
  EXPECT_EQ(result.counts.side_died, 1);
  EXPECT_EQ(result.counts.not_judged, 1);
  EXPECT_EQ(result.counts.unexplained, 0);
  EXPECT_EQ(result.known[1].hits, 1);
  EXPECT_EQ(result.known[1].matched, 3);
  EXPECT_EQ(result.outlook(), Outlook::kAsExpected);
  EXPECT_EQ(result.verdict_sentence(),
            "impl:cpu behaves as libtorch:cpu in all 11 judged cases except for 1 known "
            "difference; 1 of 12 was not judged.");
}

TEST_F(SummaryTest, TheSentenceTellsHowManyCasesItIsAbout) {
  for (BlockResult& block : blocks_) block.verdict.assign(4, VerdictCode::kNotJudged);
  blocks_[0].verdict[0] = VerdictCode::kAgree;
  EXPECT_EQ(summary().verdict_sentence(),
            "impl:cpu agrees with libtorch:cpu in the one judged case; 11 of 12 were not judged.");
  blocks_[0].verdict[1] = VerdictCode::kDifferValue;
  blocks_[0].verdict[2] = VerdictCode::kTimeout;
  EXPECT_EQ(
      summary().verdict_sentence(),
      "impl:cpu differs from libtorch:cpu without explanation in 1 of 2 judged cases; 9 of 12 "
      "were not judged, and 1 ran out of time.");
  blocks_[0].verdict.assign(4, VerdictCode::kTimeout);
  EXPECT_EQ(summary().verdict_sentence(),
            "No case was judged: this is not a pass; 8 of 12 were not judged, and 4 ran out of "
            "time.");
  EXPECT_EQ(summary().outlook(), Outlook::kUnexpected);
}

TEST_F(SummaryTest, BelowTheFloorItIsNeitherAPassNorAFailure) {
  const auto outlook_of = [this](int judged) {
    for (int i = 0; i < 12; ++i)
      blocks_[i / 4].verdict[i % 4] = i < judged ? VerdictCode::kAgree : VerdictCode::kNotJudged;
    return summary().outlook();
  };
  EXPECT_EQ(outlook_of(6), Outlook::kAsExpected) << "half of all";
  EXPECT_EQ(outlook_of(5), Outlook::kIncomplete);
  EXPECT_EQ(summary().outlook_of_judged(), Outlook::kAsExpected);
  EXPECT_TRUE(summary().covers_too_little());
  EXPECT_EQ(summary().verdict_sentence(),
            "impl:cpu agrees with libtorch:cpu in all 5 judged cases; 7 of 12 were not judged.");
  blocks_[0].verdict[0] = VerdictCode::kDifferValue;
  EXPECT_EQ(summary().outlook(), Outlook::kUnexpected) << "what differs, differs";
  EXPECT_FALSE(summary().covers_too_little());
}

TEST_F(SummaryTest, WhatIsNotClaimedWasNotJudged) {
  plan_.claim = Claim{.whole = {1000, 5}, .claimed = {12, 1}, .selection = "{}"};
  const Summary result = summary();
  EXPECT_EQ(
      result.verdict_sentence(),
      "impl:cpu agrees with libtorch:cpu in all 12 judged cases; 988 of 1,000 were not judged.");
  EXPECT_EQ(result.outlook(), Outlook::kIncomplete);
  EXPECT_DOUBLE_EQ(result.coverage.share, 0.012);
  EXPECT_NE(
      summary_text(result).find(
          "12 cases judged of 12 claimed and 1,000 in all (1.20 %); 1 op answered of 1 "
          "claimed and 5 in all\n                outside of its manifest: 988 of 1,000 cases, 4 "
          "of 5 ops\n"),
      std::string::npos)
      << summary_text(result);
  plan_.claim->whole = {12, 1};
  EXPECT_EQ(summary().verdict_sentence(), "impl:cpu behaves as libtorch:cpu in all 12 cases.")
      << "control";
}

TEST_F(SummaryTest, AnOpIsAnsweredWhereAnAnswerOfItIsJudged) {
  EXPECT_EQ(summary().coverage.answered, 1);
  for (BlockResult& block : blocks_) block.subject.assign(4, kCrashByte);
  EXPECT_EQ(summary().coverage.answered, 0) << "a death is no answer";
  for (BlockResult& block : blocks_) {
    block.subject = block.oracle;
    block.verdict.assign(4, VerdictCode::kNotJudged);
  }
  EXPECT_EQ(summary().coverage.answered, 0);
  EXPECT_EQ(summary().coverage.claimed.ops, 1);
  EXPECT_EQ(summary().coverage.judged, 0);
}

TEST_F(SummaryTest, AShardsShareIsThatOfItsOwnCases) {
  const TemporaryFolder folder;
  plan_.claim = Claim{.whole = {24, 2}, .claimed = {12, 1}, .selection = "{}"};
  plan_.shard = {.index = 1, .count = 2};
  RunStore store = RunStore::create_or_resume(folder / "1.db", plan_);
  store.add_block(blocks_[1]);
  store.finish(1);
  const Summary part = summarize(store);
  EXPECT_DOUBLE_EQ(part.coverage.share, 0.5) << "each case of it, of a plan that is half of all";
  EXPECT_EQ(part.verdict_sentence(),
            "impl:cpu behaves as libtorch:cpu in all 4 judged cases; the subject claims 12 of the "
            "grid's 24 cases.");
}

TEST_F(SummaryTest, AClaimIsKeptInTheStore) {
  plan_.claim = Claim{.whole = {24, 2}, .claimed = {12, 1}, .selection = R"({"dtypes":["int8"]})"};
  const TemporaryFolder folder;
  RunStore::create_or_resume(folder / "run.db", plan_);
  EXPECT_EQ(RunStore::open(folder / "run.db").plan().claim, plan_.claim);
  plan_.claim->claimed.cases = 11;
  EXPECT_THROW(RunStore::create_or_resume(folder / "run.db", plan_), UsageError);
}

TEST(LeastJudged, IsACountOrAShare) {
  const Coverage coverage{.whole = {1000, 9}, .claimed = {500, 4}, .judged = 250, .share = 0.25};
  for (const char* met : {"0", "250", "25%", "0%", "12.5%"})
    EXPECT_TRUE(LeastJudged::parse(met).is_met(coverage)) << met;
  for (const char* unmet : {"251", "25.1%", "100%"})
    EXPECT_FALSE(LeastJudged::parse(unmet).is_met(coverage)) << unmet;
  EXPECT_EQ(LeastJudged::parse("80%").complaint(coverage),
            "--min-judged 80%: 250 cases were judged, 25.00 % of 1,000");
  const Coverage odd{.whole = {100, 9}, .claimed = {100, 9}, .judged = 29, .share = 29 / 100.0};
  EXPECT_TRUE(LeastJudged::parse("29%").is_met(odd)) << "0.29 * 100 is less than 29";
  for (const char* wrong : {"", "%", "x", "1x", "-3", "101%", "2.5", "nan", "inf"})
    EXPECT_THROW(LeastJudged::parse(wrong), UsageError) << wrong;
}

TEST(CutPercent, NeverRoundsUpOrAway) {
  EXPECT_EQ(cut_percent(1), "100 %");
  EXPECT_EQ(cut_percent(0.99999), "99.99 %");
  EXPECT_EQ(cut_percent(0.00001), "under 0.01 %");
  EXPECT_EQ(cut_percent(0), "0.00 %");
}

// Negative controls: runs that look good but must not pass.
TEST_F(SummaryTest, AMissingBlockIsNotComplete) {
  const Summary result = summary(2);
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(result.counts.planned, 12);
  EXPECT_EQ(result.counts.ran, 8);
  EXPECT_EQ(result.outlook(), Outlook::kIncomplete);
  EXPECT_EQ(result.verdict_sentence().find("Incomplete: 8 of 12 planned cases ran."), 0u);
}

TEST_F(SummaryTest, ARunThatNeverBeganIsNoPass) {
  EXPECT_EQ(summary(0).outlook(), Outlook::kIncomplete);
  EXPECT_NE(summary(0).verdict_sentence().find("not a pass"), std::string::npos);
}

TEST_F(SummaryTest, ZeroJudgedIsNoPass) {
  for (BlockResult& block : blocks_) block.verdict.assign(4, VerdictCode::kNotJudged);
  EXPECT_EQ(summary().outlook(), Outlook::kIncomplete);
  EXPECT_EQ(summary().verdict_sentence(), "No case was judged: this is not a pass.");
}

TEST_F(SummaryTest, ZeroValuesJudgedIsNoPassUnlessThereAreNone) {
  for (BlockResult& block : blocks_) block.values_judged = 0;
  EXPECT_EQ(summary().outlook(), Outlook::kIncomplete);
  EXPECT_EQ(summary().verdict_sentence().find("No value was judged: this is not a pass."), 0u);
  plan_.judges_values = false;
  EXPECT_EQ(summary().outlook(), Outlook::kAsExpected);
}

TEST_F(SummaryTest, AnEmptyPlanIsNoPass) {
  const TemporaryFolder folder;
  plan_.planned = 0;
  plan_.rows.clear();
  RunStore store = RunStore::create_or_resume(folder / "run.db", plan_);
  store.finish(0);
  EXPECT_EQ(summarize(store).outlook(), Outlook::kIncomplete);
}

TEST_F(SummaryTest, AKnownDifferenceThatNoLongerOccursFails) {
  blocks_[0].matched = {{1, 4}};
  const Summary result = summary();
  ASSERT_EQ(result.stale.size(), 1u);
  EXPECT_EQ(result.stale[0].name, "first");
  EXPECT_EQ(result.outlook(), Outlook::kUnexpected);
  EXPECT_NE(result.verdict_sentence().find("1 known difference no longer occurs: delete its row."),
            std::string::npos);
  EXPECT_TRUE(summary(2).stale.empty()) << "only a complete run can say so";
}

TEST_F(SummaryTest, AShardDoesNotSayThatAKnownDifferenceNoLongerOccurs) {
  blocks_[0].matched = {{1, 4}};
  const TemporaryFolder folder;
  plan_.shard = {.index = 0, .count = 2};
  RunStore first = RunStore::create_or_resume(folder / "0.db", plan_);
  first.add_block(blocks_[0]);
  first.add_block(blocks_[2]);
  first.finish(1);
  plan_.shard = {.index = 1, .count = 2};
  RunStore second = RunStore::create_or_resume(folder / "1.db", plan_);
  second.add_block(blocks_[1]);
  EXPECT_TRUE(summarize({&first, &second}).stale.empty()) << "one shard is not through";
  second.finish(1);
  const Summary part = summarize(first);
  EXPECT_TRUE(part.complete);
  EXPECT_FALSE(part.tells_stale());
  EXPECT_TRUE(part.stale.empty());
  EXPECT_EQ(part.outlook(), Outlook::kAsExpected);
  const Summary whole = summarize({&first, &second});
  EXPECT_TRUE(whole.tells_stale());
  ASSERT_EQ(whole.stale.size(), 1u);
  EXPECT_EQ(whole.stale[0].name, "first");
}

TEST_F(SummaryTest, JsonHoldsTheKeysOfTheCommand) {
  blocks_[1].verdict[2] = VerdictCode::kCrash;
  const auto json = nlohmann::json::parse(summary_json(summary()));
  for (const char* key : {"planned", "ran", "agree", "known", "unexplained", "not_judged", "crash",
                          "timeout", "values_judged", "seconds", "cases_per_second", "versions"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_EQ(json["crash"], 1);
  EXPECT_EQ(json["by_verdict"]["crash"], 1);
  std::int64_t ran = 0;
  for (const auto& [verdict, count] : json["by_verdict"].items()) ran += count.get<std::int64_t>();
  EXPECT_EQ(json["ran"], ran);
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["versions"]["upcast"], "0.1.0");
  EXPECT_EQ(json["versions"]["cpu"], "x");
}

TEST_F(SummaryTest, JsonSurvivesBytesThatAreNoUtf8) {
  plan_.environment["cpu"] = "\xff\xfe";
  EXPECT_NO_THROW(nlohmann::json::parse(summary_json(summary())));
}

TEST_F(SummaryTest, TextHasTwelveLines) {
  const std::string text = summary_text(summary());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 11) << text;
}

TEST_F(SummaryTest, BothSidesSayWhichBoundsTheyAreHeldTo) {
  plan_.subject = "python:jax==0.10.2?via=run";
  const Summary foreign = summary();
  EXPECT_NE(
      summary_text(foreign).find("foreign sides, the larger of ours and LibTorch's (subject); "
                                 "LibTorch's bounds (oracle)"),
      std::string::npos)
      << summary_text(foreign);
  const auto sides = nlohmann::json::parse(summary_json(foreign)).at("sides");
  EXPECT_EQ(sides.at("subject").at("bounds"), "foreign");
  EXPECT_EQ(sides.at("subject").at("vendor"), "python");
  EXPECT_EQ(sides.at("subject").at("target"), "jax");
  EXPECT_EQ(sides.at("subject").at("version"), "0.10.2");
  EXPECT_EQ(sides.at("subject").at("settings").at("via"), "run");
  EXPECT_EQ(sides.at("oracle").at("bounds"), "libtorch");
  EXPECT_EQ(sides.at("oracle").at("capability"), "default");
  plan_.subject = "impl:cpu";
  EXPECT_NE(summary_text(summary()).find("held to       our bounds (subject)"), std::string::npos);
}

TEST(SummaryOfShards, AddsUpToTheWhole) {
  const TemporaryFolder folder;
  const SyntheticOptions options{.binary_ops = 1, .unary_ops = 1};
  RunPlan plan = synthetic_plan(options);
  write_synthetic_store(folder / "whole.db", plan, options);
  const Summary whole = summarize(RunStore::open(folder / "whole.db"));
  plan.shard = {.index = 0, .count = 2};
  write_synthetic_store(folder / "0.db", plan, options);
  plan.shard = {.index = 1, .count = 2};
  write_synthetic_store(folder / "1.db", plan, options);
  const RunStore first = RunStore::open(folder / "0.db");
  const RunStore second = RunStore::open(folder / "1.db");
  const Summary both = summarize({&first, &second});
  EXPECT_EQ(both.counts.planned, whole.counts.planned);
  EXPECT_EQ(both.counts.by_verdict, whole.counts.by_verdict);
  EXPECT_EQ(both.known, whole.known);
  EXPECT_LT(summarize(first).counts.planned, whole.counts.planned);
  EXPECT_TRUE(summarize(first).complete);
  EXPECT_THROW(summarize({&first, &first}), UsageError);
  plan = synthetic_plan({.binary_ops = 2, .unary_ops = 1});
  plan.shard = {.index = 1, .count = 2};
  write_synthetic_store(folder / "other.db", plan, options);
  const RunStore other = RunStore::open(folder / "other.db");
  EXPECT_THROW(summarize({&first, &other}), UsageError);
}

}  // namespace
}  // namespace upcast::reports
