#include "reports/run_diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <tuple>

#include "impl/core/temporary_folder.h"
#include "reports/run_columns.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_list_plan;

constexpr AnswerByte kFloat = answer_byte(DType::kFloat32);
constexpr AnswerByte kDouble = answer_byte(DType::kFloat64);

struct Told {
  VerdictCode verdict = VerdictCode::kAgree;
  AnswerByte subject = kFloat;
  std::string subject_text = "float32[1]{1}";
};

/// Writes a store for a case list of one block. Each case that does not agree has a record.
RunStore write_list(const std::string& path, RunPlan plan, const std::vector<Told>& cases) {
  BlockResult block;
  block.count = static_cast<int64_t>(cases.size());
  block.values_judged = block.count;
  for (const Told& told : cases) {
    const auto index = static_cast<int64_t>(block.verdict.size());
    block.verdict.push_back(told.verdict);
    block.known.push_back(told.verdict == VerdictCode::kKnown ? 1 : 0);
    block.subject.push_back(told.subject);
    block.oracle.push_back(kFloat);
    if (told.verdict != VerdictCode::kAgree)
      block.records.push_back({.case_index = index,
                               .verdict = {.code = told.verdict},
                               .known = told.verdict == VerdictCode::kKnown ? 1 : 0,
                               .line = case_line(row_of(plan.rows, index), 0),
                               .subject = told.subject_text,
                               .oracle = "float32[1]{1}"});
  }
  RunStore store = RunStore::create_or_resume(path, plan);
  store.add_block(block);
  store.finish(1);
  return store;
}

RunPlan list_plan(int lines) {
  RunPlan plan = synthetic_list_plan(lines);
  plan.known.resize(1);
  plan.known[0].id = 1;
  plan.known[0].name = "some";
  return plan;
}

constexpr Told kWrong{VerdictCode::kDifferValue, kFloat, "float32[1]{2}"};

TEST(RunDiff, EachCaseIsCountedOnceUnderWhatBecameOfIt) {
  const TemporaryFolder folder;
  const RunStore before = write_list(folder / "before.db", list_plan(8),
                                     {{},                                      // case 0: same
                                      kWrong,                                  // case 1 still fails
                                      kWrong,                                  // case 2: fixed
                                      {},                                      // case 3: broken
                                      kWrong,                                  // case 4: new value
                                      {},                                      // case 5: new dtype
                                      {VerdictCode::kKnown, kFloat, "known"},  // case 6 agrees now
                                      {VerdictCode::kNotJudged, kFloat, "none"}});  // case 7: same
  const RunStore after = write_list(folder / "after.db", list_plan(8),
                                    {{},
                                     kWrong,
                                     {},
                                     {VerdictCode::kDifferDType, kDouble, "float64[1]{1}"},
                                     {VerdictCode::kDifferValue, kFloat, "float32[1]{3}"},
                                     {VerdictCode::kAgree, kDouble, ""},
                                     {},
                                     {VerdictCode::kNotJudged, kFloat, "none"}});
  const RunDiff diff = diff_runs(before, after, 10);
  EXPECT_EQ(diff.count(Change::kSame), 2);
  EXPECT_EQ(diff.count(Change::kStillFailing), 1);
  EXPECT_EQ(diff.count(Change::kFixed), 1);
  EXPECT_EQ(diff.count(Change::kBroken), 1);
  EXPECT_EQ(diff.count(Change::kChanged), 3);
  EXPECT_EQ(diff.worse(), 1);
  std::int64_t total = 0;
  for (const std::int64_t count : diff.counts) total += count;
  EXPECT_EQ(total, 8);
  ASSERT_EQ(diff.rows.size(), 6u);
  EXPECT_EQ(diff.rows[2].change, Change::kBroken);
  EXPECT_EQ(diff.rows[2].line, before.line(3));
  EXPECT_EQ(diff.rows[2].old_subject, "float32");
  EXPECT_EQ(diff.rows[2].new_subject, "float64[1]{1}");
  EXPECT_EQ(diff.rows[2].new_verdict, "differ(dtype)");
}

constexpr Told kUnable{VerdictCode::kNotJudged, kNotRunByte, "not judged"};

TEST(RunDiff, WhatIsNoLongerJudgedGotWorseWhateverItWas) {
  const TemporaryFolder folder;
  const RunStore before = write_list(folder / "before.db", list_plan(5),
                                     {{},                                      // 0 agreed
                                      {VerdictCode::kKnown, kFloat, "known"},  // 1
                                      kWrong,     // case 2 failed: not judged later, so not fixed
                                      kUnable,    // case 3 is judged in neither run
                                      kUnable});  // case 4 is judged in the new run only
  const RunStore after =
      write_list(folder / "after.db", list_plan(5), {kUnable, kUnable, kUnable, kUnable, {}});
  const RunDiff diff = diff_runs(before, after, 10);
  EXPECT_EQ(diff.count(Change::kNoLongerJudged), 3);
  EXPECT_EQ(diff.count(Change::kFixed), 0);
  EXPECT_EQ(diff.count(Change::kSame), 1);
  EXPECT_EQ(diff.count(Change::kNewlyJudged), 1);
  EXPECT_EQ(diff.count(Change::kChanged), 0);
  EXPECT_EQ(diff.worse(), 3);
  EXPECT_EQ(diff.outlook(), Outlook::kUnexpected);
  ASSERT_EQ(diff.rows.size(), 3u) << "what is newly judged is counted, not listed";
  EXPECT_EQ(diff.rows[0].change, Change::kNoLongerJudged);
  EXPECT_EQ(diff.rows[0].new_verdict, "not_judged");
  const RunDiff back = diff_runs(after, before, 10);
  EXPECT_EQ(back.count(Change::kNewlyJudged), 2);
  EXPECT_EQ(back.count(Change::kBroken), 1) << "newly judged, and wrong";
  EXPECT_EQ(back.count(Change::kNoLongerJudged), 1);
}

TEST(RunDiff, AFailingCaseOfWhichASideDiesNowIsBroken) {
  const Told crash{VerdictCode::kCrash, kCrashByte, "crash(SIGFPE)"};
  const Told timeout{VerdictCode::kTimeout, kTimeoutByte, "timeout"};
  const TemporaryFolder folder;
  const RunStore before = write_list(folder / "before.db", list_plan(6),
                                     {kWrong, kWrong, crash, crash, timeout, crash});
  const RunStore after =
      write_list(folder / "after.db", list_plan(6), {crash, timeout, crash, timeout, kWrong, {}});
  const RunDiff diff = diff_runs(before, after, 10);
  EXPECT_EQ(diff.count(Change::kBroken), 2);
  EXPECT_EQ(diff.count(Change::kStillFailing), 1);
  EXPECT_EQ(diff.count(Change::kChanged), 2) << "another way to die, and one that answers again";
  EXPECT_EQ(diff.count(Change::kFixed), 1);
  EXPECT_EQ(diff.worse(), 2);
}

TEST(RunDiff, AnIncompleteNewRunIsNoPass) {
  const TemporaryFolder folder;
  RunPlan plan = synthetic_list_plan(2);
  plan.block_size = 1;
  const auto write = [&](const std::string& name, int blocks) {
    RunStore store = RunStore::create_or_resume(folder / name, plan);
    for (int id = 0; id < blocks; ++id) {
      BlockResult block;
      block.id = block.first = id;
      block.count = block.values_judged = 1;
      block.verdict = {VerdictCode::kAgree};
      block.known = {0};
      block.subject = block.oracle = {kFloat};
      store.add_block(block);
    }
    if (blocks == 2) store.finish(1);
    return store;
  };
  const RunStore whole = write("whole.db", 2);
  const RunStore half = write("half.db", 1);
  const RunDiff diff = diff_runs(whole, half, 10);
  EXPECT_EQ(diff.count(Change::kRemoved), 1);
  EXPECT_EQ(diff.outlook(), Outlook::kIncomplete);
  EXPECT_EQ(diff_headline(diff), "Nothing that ran got worse, but the new run is incomplete.");
  EXPECT_FALSE(nlohmann::json::parse(diff_json(diff)).at("complete"));
  EXPECT_EQ(diff_runs(half, whole, 10).outlook(), Outlook::kAsExpected);
  EXPECT_EQ(diff_headline(diff_runs(half, whole, 10)), "Nothing got worse.");
}

TEST(RunDiff, ARunIsEqualToItself) {
  const TemporaryFolder folder;
  const testing::SyntheticOptions options;
  testing::write_synthetic_store(folder / "run.db", testing::synthetic_plan(options), options);
  const RunStore store = RunStore::open(folder / "run.db");
  const RunDiff diff = diff_runs(store, store, 3);
  EXPECT_EQ(diff.count(Change::kSame) + diff.count(Change::kStillFailing), store.plan().planned);
  EXPECT_GT(diff.count(Change::kStillFailing), 0);
  EXPECT_EQ(diff.rows.size(), 3u);
}

/// A comparison holds a part of each run in memory. Cases may be asked for in any order.
TEST(RunDiff, ColumnsInPartsAreThoseOfTheWholeRun) {
  const TemporaryFolder folder;
  const testing::SyntheticOptions options{
      .binary_ops = 1, .unary_ops = 1, .dtypes = 6, .block_size = 64};
  testing::write_synthetic_store(folder / "run.db", testing::synthetic_plan(options), options);
  const RunStore store = RunStore::open(folder / "run.db");
  const RunColumns whole = load_columns({&store}, 0, store.plan().blocks());
  const int64_t planned = store.plan().planned;
  ASSERT_GT(planned, 1000);
  std::vector<int64_t> order;
  for (int64_t i = 0; i < planned; ++i) order.push_back(i);
  for (int64_t i = planned - 1; i >= 0; i -= 7) order.push_back(i);
  for (const int64_t cases : {1, 100, 1 << 20}) {
    ColumnsInParts parts(store, cases);
    for (const int64_t i : order) {
      const CaseBytes found = parts.at(i), expected = whole.at(i);
      ASSERT_EQ(std::tie(found.verdict, found.known, found.subject, found.oracle),
                std::tie(expected.verdict, expected.known, expected.subject, expected.oracle))
          << i << " in parts of " << cases;
    }
  }
}

TEST(RunDiff, CasesAreMatchedByTheirLinesWhereTheGridChanged) {
  const TemporaryFolder folder;
  RunPlan shorter = list_plan(4);
  RunPlan longer = list_plan(5);
  // The new run has one more line at its start, and lacks the old run's last line.
  longer.rows[0].line_template = "neg(float32[1])";
  for (int i = 1; i < 5; ++i) longer.rows[i].line_template = shorter.rows[i - 1].line_template;
  longer.rows[4].line_template = "neg(float64[1])";
  longer.plan_digest = "another";
  const RunStore before = write_list(folder / "before.db", shorter, {{}, kWrong, {}, {}});
  const RunStore after = write_list(folder / "after.db", longer, {{}, {}, kWrong, kWrong, kWrong});
  const RunDiff diff = diff_runs(before, after, 10);
  EXPECT_EQ(diff.count(Change::kAdded), 1);
  EXPECT_EQ(diff.count(Change::kAddedFailing), 1);
  EXPECT_EQ(diff.count(Change::kRemoved), 1);
  EXPECT_EQ(diff.count(Change::kSame), 1);
  EXPECT_EQ(diff.count(Change::kStillFailing), 1);
  EXPECT_EQ(diff.count(Change::kBroken), 1);
  EXPECT_EQ(diff.worse(), 2);
  ASSERT_EQ(diff.rows.size(), 4u);
  for (const DiffRow& row : diff.rows) {
    EXPECT_EQ(row.new_case < 0, row.change == Change::kRemoved) << row.line;
    if (row.change != Change::kRemoved) {
      EXPECT_EQ(after.line(row.new_case), row.line);
    }
  }
}

TEST(RunDiff, TheJsonHasTheCountsAndTheCases) {
  const TemporaryFolder folder;
  const RunStore before = write_list(folder / "before.db", list_plan(2), {{}, {}});
  const RunStore after = write_list(folder / "after.db", list_plan(2), {{}, kWrong});
  const auto json = nlohmann::json::parse(diff_json(diff_runs(before, after, 10)));
  EXPECT_EQ(json.at("broken"), 1);
  EXPECT_EQ(json.at("worse"), 1);
  EXPECT_EQ(json.at("same"), 1);
  ASSERT_EQ(json.at("rows").size(), 1u);
  EXPECT_EQ(json.at("rows")[0].at("change"), "broken");
  EXPECT_EQ(json.at("rows")[0].at("new").at("subject"), "float32[1]{2}");
  EXPECT_EQ(json.at("by_schema").at(before.rows()[1].schema).at("broken"), 1);
}

}  // namespace
}  // namespace upcast::reports
