#include "reports/merge_runs.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "impl/core/temporary_folder.h"
#include "reports/summary.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_block;
using testing::synthetic_plan;
using testing::SyntheticOptions;
using testing::write_synthetic_store;

const SyntheticOptions kOptions{.out_forms = false, .four_defaults = false, .block_size = 100};

RunPlan shard_plan(int index, int count) {
  RunPlan plan = synthetic_plan(kOptions);
  plan.shard = {.index = index, .count = count};
  return plan;
}

/// Runs the synthetic plan in `count` shards, and writes a store for each to the folder.
std::vector<std::string> write_shards(const TemporaryFolder& folder, int count) {
  std::vector<std::string> paths;
  for (int i = 0; i < count; ++i) {
    paths.push_back(folder / ("shard" + std::to_string(i) + ".db"));
    const RunPlan plan = shard_plan(i, count);
    RunStore store = RunStore::create_or_resume(paths.back(), plan);
    for (const int64_t id : store.blocks_pending())
      store.add_block(synthetic_block(plan, kOptions, id));
    store.finish(1);
  }
  return paths;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

TEST(MergeRuns, ShardsMakeTheStoreOfAnUndividedRun) {
  const TemporaryFolder folder;
  write_synthetic_store(folder / "whole.db", synthetic_plan(kOptions), kOptions);
  const std::vector<std::string> shards = write_shards(folder, 3);
  // The merged store must not depend on the order of the stores.
  const MergeGaps gaps = merge_runs({shards[2], shards[0], shards[1]}, folder / "merged.db");
  EXPECT_TRUE(gaps.empty());
  const RunStore whole = RunStore::open(folder / "whole.db");
  const RunStore merged = RunStore::open(folder / "merged.db");
  EXPECT_TRUE(merged.complete());
  EXPECT_EQ(merged.content_digest(), whole.content_digest());
  EXPECT_DOUBLE_EQ(merged.seconds(), 3);
  EXPECT_FALSE(std::filesystem::exists(folder / "merged.db.part"));
  const Summary summary = summarize(merged);
  EXPECT_EQ(summary.counts.planned, summary.counts.ran);
  EXPECT_GT(summary.counts.ran, 100);
}

TEST(MergeRuns, WhatIsMissingIsNamedAndTheRestIsKept) {
  const TemporaryFolder folder;
  std::vector<std::string> shards = write_shards(folder, 4);
  shards.erase(shards.begin() + 1);
  const RunPlan plan = shard_plan(2, 4);
  std::filesystem::remove(shards[1]);
  {
    RunStore partial = RunStore::create_or_resume(shards[1], plan);
    partial.add_block(synthetic_block(plan, kOptions, partial.blocks_pending().front()));
  }
  const MergeGaps gaps = merge_runs(shards, folder / "merged.db");
  ASSERT_EQ(gaps.missing_shards.size(), 1u);
  EXPECT_EQ(gaps.missing_shards[0], (Shard{.index = 1, .count = 4}));
  ASSERT_EQ(gaps.partial.size(), 1u);
  EXPECT_EQ(gaps.partial[0].first, shards[1]);
  const RunStore merged = RunStore::open(folder / "merged.db");
  EXPECT_FALSE(merged.complete());
  EXPECT_EQ(summarize(merged).outlook(), Outlook::kIncomplete);
  const std::vector<bool> done = merged.blocks_done();
  EXPECT_TRUE(done[0]);
  EXPECT_FALSE(done[1]);
  EXPECT_TRUE(done[2]);
  EXPECT_TRUE(done[3]);
  EXPECT_FALSE(done[6]);
}

TEST(MergeRuns, WhatDoesNotBelongTogetherIsRefused) {
  const TemporaryFolder folder;
  const std::vector<std::string> shards = write_shards(folder, 2);
  EXPECT_EQ(message_of([&] {
              merge_runs({shards[0], shards[0]}, folder / "merged.db");
            }),
            "shard 1/2 is given twice; give each shard once");
  RunPlan other = shard_plan(1, 2);
  other.environment["libtorch"] = "0.0.1";
  RunStore::create_or_resume(folder / "other.db", other);
  EXPECT_EQ(message_of([&] {
              merge_runs({shards[0], folder / "other.db"}, folder / "merged.db");
            }),
            "the run stores are not of one run; give the shards of one run only");
  EXPECT_NE(message_of([&] { merge_runs(shards, shards[0]); }).find("exists already"),
            std::string::npos);
  std::filesystem::create_symlink("nothing", folder / "link.db");
  EXPECT_NE(message_of([&] { merge_runs(shards, folder / "link.db"); }).find("exists already"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.db"));
  EXPECT_FALSE(std::filesystem::exists(folder / "merged.db"));
}

TEST(MergeRuns, MachinesMayDiffer) {
  const TemporaryFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 2; ++i) {
    RunPlan plan = shard_plan(i, 2);
    plan.environment["cpu"] = i == 0 ? "fast" : "slow";
    plan.date = i == 0 ? "2026-11-23" : "2026-11-21";
    paths.push_back(folder / ("machine" + std::to_string(i)));
    RunStore::create_or_resume(paths.back(), plan);
  }
  merge_runs(paths, folder / "merged.db");
  const RunStore merged = RunStore::open(folder / "merged.db");
  EXPECT_EQ(merged.plan().environment.at("cpu"), "fast / slow");
  EXPECT_EQ(merged.plan().date, "2026-11-21") << "the day of the first shard";
}

}  // namespace
}  // namespace upcast::reports
