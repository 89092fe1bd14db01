#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "impl/core/temporary_folder.h"
#include "reports/html/html_report.h"
#include "reports/run_data.h"
#include "reports/summary.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_block;
using testing::synthetic_plan;
using testing::SyntheticOptions;
using testing::write_synthetic_store;

const SyntheticOptions kSmall{.binary_ops = 9, .unary_ops = 5, .ternary_ops = 1, .dtypes = 8};

size_t count(const std::string& text, std::string_view part) {
  size_t found = 0;
  for (size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(KnownSection, KnownDifferencesHaveTheirThreadAndTheirAge) {
  const TemporaryFolder folder;
  RunPlan plan = synthetic_plan(kSmall);
  write_synthetic_store(folder / "run.db", plan, kSmall);
  const std::string whole = render_html({.stores = {folder / "run.db"}});
  const std::string page = whole.substr(whole.find("<section id=\"known\""));
  EXPECT_EQ(count(page,
                  "<dd><a href=\"https://github.com/pytorch/pytorch/issues/1\" "
                  "rel=\"noreferrer\">pytorch#1</a></dd>"),
            1u);
  EXPECT_EQ(count(page,
                  "pytorch.org: torch.pow</a>, <a href=\"https://github.com/pytorch/pytorch/"
                  "pull/2\" rel=\"noreferrer\">pytorch#2</a></dd>"),
            1u);
  EXPECT_EQ(count(page, "<dd><span class=\"quiet\">no upstream thread known</span></dd>"), 1u);
  for (const char* cell : {"2026-11-21 <span class=\"quiet\">1 day old</span>",
                           "2026-11-22 <span class=\"quiet\">0 days old</span>",
                           "2025-11-22 <span class=\"quiet\">365 days old</span>"})
    EXPECT_EQ(count(page, cell), 1u) << cell;
  EXPECT_EQ(count(page, ", 1 linked upstream</small>"), 2u);
  EXPECT_EQ(count(page, ", 0 linked upstream</small>"), 1u);
  EXPECT_EQ(count(whole, "<th scope=\"row\">date</th><td>2026-11-22</td>"), 1u);
  // An entry's age is that on the day of the run. If the store does not have that day, no age is
  // shown.
  plan.date = "2026-12-01";
  write_synthetic_store(folder / "later.db", plan, kSmall);
  EXPECT_EQ(count(render_html({.stores = {folder / "later.db"}}), "10 days old"), 1u);
  plan.date = "";
  write_synthetic_store(folder / "before.db", plan, kSmall);
  EXPECT_EQ(count(render_html({.stores = {folder / "before.db"}}), "old</span>"), 0u);
}

TEST(KnownSection, KnownDifferencesThatOccurComeFirstTheMostSevereOnTop) {
  const TemporaryFolder folder;
  SyntheticOptions options = kSmall;
  options.binary_ops = 38;  // 38 ops, so that special_zeta is in the run
  options.dtypes = 3;
  RunPlan ran = synthetic_plan(options);
  for (KnownEntry& entry : ran.known) entry.difference_class = "bug";
  RunPlan plan = ran;  // has one more entry, in the first place, without a case
  plan.known.insert(plan.known.begin(), ran.known[0]);
  plan.known[0].name = "never-occurs";
  for (size_t i = 0; i < plan.known.size(); ++i) plan.known[i].id = static_cast<int>(i) + 1;
  RunStore store = RunStore::create_or_resume(folder / "run.db", plan);
  for (const int64_t id : store.blocks_pending()) {
    BlockResult block = synthetic_block(ran, options, id);
    for (uint8_t& known : block.known) known = static_cast<uint8_t>(known + (known > 0));
    for (auto& [known, cases] : block.matched) ++known;
    for (CaseRecord& record : block.records) record.known += record.known > 0;
    store.add_block(block);
  }
  store.finish(1);
  const RunData data = fold_run({&store});
  std::vector<KnownEntry> entries = data.summary.known;
  ASSERT_EQ(entries[0].hits, 0) << "declared first";
  ASSERT_NE(entries[1].hits, entries[2].hits);
  // The expected order: a refusal is more severe than a wrong value, whatever their counts. Among
  // equal kinds the more frequent one comes first.
  const auto rank = [](const KnownEntry& entry) {
    return std::tuple(entry.hits == 0, entry.kind != "refusal", -entry.hits);
  };
  std::stable_sort(entries.begin(), entries.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
  ASSERT_EQ(entries[0].kind, "refusal");
  ASSERT_LT(entries[0].hits, entries[1].hits) << "control: not by their counts alone";
  const std::string page = render_html({.stores = {folder / "run.db"}});
  EXPECT_EQ(count(page, "<details class=\"entry\""), entries.size()) << "collapsed";
  size_t index = page.find("<dl class=\"known-index\"");
  for (const KnownEntry& entry : entries) {
    if (entry.hits == 0) continue;
    const size_t at = page.find("<a href=\"#known/" + entry.name + "\">", index);
    ASSERT_NE(at, std::string::npos) << "in the index, in the same order: " << entry.name;
    index = at;
  }
  size_t last = page.find("<h1>Known differences</h1>");
  for (const KnownEntry& entry : entries) {
    const size_t at = page.find("id=\"known-" + entry.name + "\"");
    EXPECT_GT(at, last) << entry.name;
    last = at;
  }
  const size_t heading = page.find("<h2>Without a case in this run</h2>");
  EXPECT_LT(heading, last);
  EXPECT_GT(heading, page.find("id=\"known-" + entries[2].name + "\""));
}

// In a run of a case list, the store counts only an entry's own case among the cases that its
// selector names.
TEST(KnownSection, AnEntryOfAListTellsItsCases) {
  const TemporaryFolder folder;
  RunStore store = RunStore::create_or_resume(folder / "run.db", synthetic_plan(kSmall));
  for (const int64_t id : store.blocks_pending()) {
    BlockResult block = synthetic_block(store.plan(), kSmall, id);
    block.matched.clear();
    store.add_block(block);
  }
  store.finish(1);
  const std::string page = render_html({.stores = {folder / "run.db"}});
  EXPECT_EQ(count(page, "named cases</span>"), 0u);
  EXPECT_EQ(count(page, ">no case of this run<"), 2u) << "the two without a case";
  EXPECT_EQ(count(page, "data-known=\"pow-refuses-negative-integer\">" +
                            grouped(summarize(store).known[2].hits) + " cases</span>"),
            1u);
}

TEST(KnownSection, OnlyTheWholeRunSaysThatAKnownDifferenceNoLongerOccurs) {
  const TemporaryFolder folder;
  constexpr std::string_view kStale = "warning\">no longer occurs: delete its row";
  constexpr std::string_view kUntold = "only a whole run can find them";
  RunPlan plan = synthetic_plan(kSmall);
  for (int index = 0; index < 2; ++index) {
    plan.shard = {.index = index, .count = 2};
    RunStore store = RunStore::create_or_resume(folder / std::to_string(index), plan);
    for (const int64_t id : store.blocks_pending()) {
      BlockResult block = synthetic_block(plan, kSmall, id);
      block.matched = {{1, 1}};  // the entry's selector names a case, but the entry explains none
      block.known.assign(block.known.size(), 0);
      for (VerdictCode& verdict : block.verdict)
        if (verdict == VerdictCode::kKnown) verdict = VerdictCode::kAgree;
      store.add_block(block);
    }
    store.finish(1);
  }
  const std::string part = render_html({.stores = {folder / "0"}});
  EXPECT_EQ(count(part, kStale), 0u);
  EXPECT_EQ(count(part, "no longer occur"), 0u);
  EXPECT_NE(part.find(std::string(kUntold) + ": 1 of its 2 shards are here"), std::string::npos);
  const std::string whole = render_html({.stores = {folder / "0", folder / "1"}});
  EXPECT_EQ(count(whole, kStale), 1u);
  EXPECT_EQ(count(whole, kUntold), 0u);
}

}  // namespace
}  // namespace upcast::reports
