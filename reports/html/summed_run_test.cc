// Runs of so many cases that a report lists a few of them only, with a limit that small runs
// exceed.

#include <gtest/gtest.h>
#include <zlib.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cases/counted.h"
#include "impl/core/temporary_folder.h"
#include "reports/html/html_report.h"
#include "reports/html/markup.h"
#include "reports/html/packed_rows.h"
#include "reports/run_data.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_plan;
using testing::SyntheticOptions;
using testing::write_synthetic_store;

const SyntheticOptions kOptions{.binary_ops = 9, .unary_ops = 5, .ternary_ops = 1, .dtypes = 8};
constexpr int64_t kLimit = 9000;  // two blocks

class SummedRun : public ::testing::Test {
 protected:
  SummedRun() { write_synthetic_store(path(), synthetic_plan(kOptions), kOptions); }
  std::string path() const { return folder_ / "run.db"; }

  const TemporaryFolder folder_;
};

std::string inflated(const std::string& text) {
  std::string bytes;
  int letters = 0;
  uint32_t group = 0;
  for (const char c : text) {
    const size_t value =
        std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
            .find(c);
    if (value == std::string_view::npos) break;
    group = group << 6 | static_cast<uint32_t>(value);
    if (++letters % 4 != 1)
      bytes += static_cast<char>(group >> (letters % 4 == 0 ? 0 : 8 - 2 * (letters % 4)));
  }
  std::string out(100'000'000, '\0');
  uLongf size = out.size();
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                       reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()),
            Z_OK);
  out.resize(size);
  return out;
}

void expect_equal(const OpData& sum, const OpData& full) {
  EXPECT_EQ(sum.counts.by_verdict, full.counts.by_verdict) << full.name;
  EXPECT_EQ(sum.truth.with_oracle, full.truth.with_oracle) << full.name;
  EXPECT_EQ(sum.truth.undecided, full.truth.undecided) << full.name;
  ASSERT_EQ(sum.rows.size(), full.rows.size());
  for (size_t i = 0; i < full.rows.size(); ++i) {
    EXPECT_EQ(sum.rows[i].counts.by_verdict, full.rows[i].counts.by_verdict);
    EXPECT_EQ(sum.rows[i].counts.ran, full.rows[i].counts.ran);
  }
  ASSERT_EQ(sum.dtypes.size(), full.dtypes.size());
  for (const auto& [dtype, cell] : full.dtypes) {
    const DTypeCell& other = sum.dtypes.at(dtype);
    EXPECT_EQ(other.cases, cell.cases);
    EXPECT_EQ(other.known, cell.known);
    EXPECT_EQ(other.unexplained, cell.unexplained);
    EXPECT_EQ(other.not_judged, cell.not_judged);
    EXPECT_EQ(other.worst, cell.worst);
    EXPECT_EQ(other.subject, cell.subject) << full.name << " of dtype " << dtype;
    EXPECT_EQ(other.oracle, cell.oracle) << full.name << " of dtype " << dtype;
  }
}

void expect_equal(const KindMatrix& sum, const KindMatrix& full) {
  EXPECT_EQ(sum.verdict, full.verdict);
  EXPECT_EQ(sum.counts.unexplained, full.counts.unexplained);
  EXPECT_EQ(sum.counts.known, full.counts.known);
  ASSERT_EQ(sum.rows.size(), full.rows.size());
  for (size_t i = 0; i < full.rows.size(); ++i) {
    EXPECT_EQ(sum.rows[i].op, full.rows[i].op);
    EXPECT_EQ(sum.rows[i].first_case, full.rows[i].first_case);
    ASSERT_EQ(sum.rows[i].dtypes.size(), full.rows[i].dtypes.size());
    for (const auto& [dtype, counts] : full.rows[i].dtypes) {
      EXPECT_EQ(sum.rows[i].dtypes.at(dtype).unexplained, counts.unexplained);
      EXPECT_EQ(sum.rows[i].dtypes.at(dtype).known, counts.known);
    }
  }
}

void expect_equal_sums(const RunData& sum, const RunData& full) {
  EXPECT_EQ(sum.summary.verdict_sentence(), full.summary.verdict_sentence());
  EXPECT_EQ(sum.known_ops, full.known_ops);
  ASSERT_EQ(sum.ops.size(), full.ops.size());
  for (size_t i = 0; i < full.ops.size(); ++i) expect_equal(sum.ops[i], full.ops[i]);
  ASSERT_EQ(sum.failures.size(), full.failures.size());
  for (size_t i = 0; i < full.failures.size(); ++i) {
    EXPECT_EQ(sum.failures[i].line, full.failures[i].line);
    EXPECT_EQ(sum.failures[i].count, full.failures[i].count);
    EXPECT_EQ(sum.failures[i].first_case, full.failures[i].first_case);
    EXPECT_EQ(sum.failures[i].subject, full.failures[i].subject);
    EXPECT_EQ(sum.failures[i].oracle, full.failures[i].oracle);
    EXPECT_EQ(sum.failures[i].record.subject, full.failures[i].record.subject);
  }
  ASSERT_EQ(sum.not_judged.size(), full.not_judged.size());
  for (size_t i = 0; i < full.not_judged.size(); ++i) {
    EXPECT_EQ(sum.not_judged[i].reason, full.not_judged[i].reason);
    EXPECT_EQ(sum.not_judged[i].ops, full.not_judged[i].ops);
  }
  ASSERT_EQ(sum.kinds.size(), full.kinds.size());
  for (size_t i = 0; i < full.kinds.size(); ++i) expect_equal(sum.kinds[i], full.kinds[i]);
}

TEST_F(SummedRun, ItsSumsAreThoseOfTheFullReport) {
  const RunStore store = RunStore::open(path());
  const RunData full = fold_run({&store});
  ASSERT_FALSE(full.is_summed);
  ASSERT_GT(full.failures.size(), 5u);
  ASSERT_GT(full.kinds.size(), 3u);
  const RunData sum = fold_run({&store}, kLimit);
  ASSERT_TRUE(sum.is_summed);
  expect_equal_sums(sum, full);
  expect_equal_sums(fold_run({&store}, 1), full);  // a block at a time
}

TEST_F(SummedRun, ARunOfAsManyCasesAsTheLimitListsAll) {
  const RunStore store = RunStore::open(path());
  const int64_t planned = store.plan().planned;
  EXPECT_FALSE(fold_run({&store}, planned).is_summed);
  EXPECT_EQ(fold_run({&store}, planned).unlisted(), 0);
  EXPECT_TRUE(fold_run({&store}, planned - 1).is_summed);
}

TEST_F(SummedRun, ListsTheFirstCasesOfEachKindAndNoneThatAgree) {
  const RunStore store = RunStore::open(path());
  const RunData full = fold_run({&store});
  const RunData sum = fold_run({&store}, kLimit);
  EXPECT_EQ(sum.unlisted() + std::ssize(sum.listed), store.plan().planned);
  EXPECT_GT(sum.unlisted(), store.plan().planned / 2);
  EXPECT_TRUE(sum.columns.verdict.empty()) << "memory must not grow with cases";
  using Kind = std::tuple<std::string, uint8_t, uint8_t>;  // op, verdict, known difference
  std::map<Kind, int64_t> all, listed;
  for (int64_t index = 0; index < store.plan().planned; ++index) {
    const CaseBytes bytes = full.columns.at(index);
    const Kind kind{row_of(store.rows(), index).op, bytes.verdict, bytes.known};
    const auto verdict = static_cast<VerdictCode>(bytes.verdict);
    if (verdict == VerdictCode::kAgree || verdict == VerdictCode::kWithinChoice) {
      EXPECT_FALSE(sum.lists(index)) << index;
      continue;
    }
    const bool is_early = all[kind]++ < kListedOfEach;
    EXPECT_TRUE(!is_early || sum.lists(index)) << index;
    if (!sum.lists(index)) continue;
    ++listed[kind];
    EXPECT_EQ(sum.bytes(index).verdict, bytes.verdict);
    EXPECT_EQ(sum.bytes(index).subject, bytes.subject);
    EXPECT_EQ(sum.bytes(index).oracle, bytes.oracle);
    EXPECT_EQ(blame_of_case(sum, index), blame_of_case(full, index));
  }
  ASSERT_GT(std::max_element(all.begin(), all.end(),
                             [](const auto& a, const auto& b) { return a.second < b.second; })
                ->second,
            2 * kListedOfEach)
      << "control: some kind has more cases than are listed";
  for (const auto& [kind, count] : listed)
    EXPECT_LE(count, kListedOfEach + std::ssize(sum.failures));
  for (const FailureGroup& group : sum.failures) EXPECT_TRUE(sum.lists(group.first_case));
  for (const CaseRecord& row : sum.records) EXPECT_TRUE(sum.lists(row.case_index));
}

TEST_F(SummedRun, TheRowsOfItsPageAddUp) {
  const RunStore store = RunStore::open(path());
  const RunData full = fold_run({&store});
  const nlohmann::ordered_json page = packed_rows(fold_run({&store}, kLimit));
  EXPECT_EQ(page["summed"], fold_run({&store}, kLimit).unlisted());
  const auto rows = nlohmann::json::parse(inflated(page["rows"]));
  ASSERT_EQ(rows["summed"].size(), rows["n"].size());
  size_t number = 0;
  int64_t unlisted = 0;
  for (const OpData& op : full.ops) {
    for (const ReportRow& row : op.rows) {
      const auto& entry = rows["summed"][number];
      EXPECT_EQ(entry["row"], number++);
      std::map<int, int64_t> counts;
      for (const auto& sum : entry["sums"]) {
        EXPECT_GT(sum["n"], 0);
        counts[sum["verdict"]] += sum["n"].get<int64_t>();
        unlisted += sum["n"].get<int64_t>();
      }
      int64_t place = 0;
      for (const auto& step : entry["steps"]) {
        place += step.get<int64_t>();
        ++counts[full.columns.at(row.case_at(place)).verdict];
      }
      for (size_t verdict = 0; verdict < row.counts.by_verdict.size(); ++verdict)
        EXPECT_EQ(counts[static_cast<int>(verdict)], row.counts.by_verdict[verdict]);
    }
  }
  EXPECT_EQ(unlisted, page["summed"].get<int64_t>());
}

TEST_F(SummedRun, ThePageSaysHowManyCasesAreNotListed) {
  const RunStore store = RunStore::open(path());
  const std::string page = render_html({.stores = {path()}, .most_cases = kLimit});
  const std::string words = counted(fold_run({&store}, kLimit).unlisted(), "case is", "cases are") +
                            " summed, not listed";
  EXPECT_NE(page.find(words), std::string::npos) << words;
  EXPECT_NE(page.find(escaped(fold_run({&store}).summary.verdict_sentence())), std::string::npos);
  const std::string whole = render_html({.stores = {path()}});
  EXPECT_EQ(whole.find("<p class=\"who summed\">"), std::string::npos);
  EXPECT_LT(page.size(), whole.size());
}

// Negative control: a case that did not run must not be counted as one that agrees.
TEST_F(SummedRun, AMissingBlockIsNotRun) {
  const RunPlan plan = synthetic_plan(kOptions);
  {
    RunStore store = RunStore::create_or_resume(folder_ / "part.db", plan);
    for (const int64_t id : store.blocks_pending())
      if (id != 1) store.add_block(testing::synthetic_block(plan, kOptions, id));
  }
  const RunStore store = RunStore::open(folder_ / "part.db");
  const RunData sum = fold_run({&store}, kLimit);
  expect_equal_sums(sum, fold_run({&store}));
  EXPECT_TRUE(sum.lists(plan.block_size));
  EXPECT_EQ(sum.bytes(plan.block_size).verdict, kNotStored);
  int64_t missing = 0;
  for (const auto& [index, bytes] : sum.listed) missing += bytes.verdict == kNotStored;
  const nlohmann::ordered_json page = packed_rows(sum);
  const auto rows = nlohmann::json::parse(inflated(page["rows"]));
  for (const auto& entry : rows["summed"])
    for (const auto& each : entry["sums"])
      if (each["verdict"] == kNotStored) missing += each["n"].get<int64_t>();
  EXPECT_EQ(missing, plan.block_size);
}

TEST_F(SummedRun, ShardsAreSummedAsTheWhole) {
  RunPlan plan = synthetic_plan(kOptions);
  for (int index = 0; index < 3; ++index) {
    plan.shard = {.index = index, .count = 3};
    write_synthetic_store(folder_ / std::to_string(index), plan, kOptions);
  }
  const RunStore a = RunStore::open(folder_ / "0");
  const RunStore b = RunStore::open(folder_ / "1");
  const RunStore c = RunStore::open(folder_ / "2");
  const RunStore whole = RunStore::open(path());
  const RunData sum = fold_run({&c, &a, &b}, kLimit);
  expect_equal_sums(sum, fold_run({&whole}, kLimit));
  EXPECT_TRUE(std::ranges::equal(sum.listed, fold_run({&whole}, kLimit).listed,
                                 [](const auto& x, const auto& y) { return x.first == y.first; }));
}

}  // namespace
}  // namespace upcast::reports
