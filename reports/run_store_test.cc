#include "reports/run_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>

#include "impl/core/error.h"
#include "impl/core/temporary_folder.h"
#include "oracle/process/child.h"
#include "reports/database.h"
#include "reports/testing/forged_store.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

using testing::synthetic_block;
using testing::synthetic_plan;
using testing::SyntheticOptions;
using testing::write_synthetic_store;

/// Options of a synthetic run of 2 binary and 2 unary ops, which has 64 blocks.
const SyntheticOptions kOptions{.block_size = 4096};

TEST(RunStore, GivesBackWhatWasStored) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.db";
  RunPlan plan = synthetic_plan(kOptions);
  plan.known[1].python = "its meta functions are right";
  write_synthetic_store(path, plan, kOptions);

  const RunStore store = RunStore::open(path);
  EXPECT_TRUE(store.complete());
  EXPECT_EQ(store.plan().known[0].wrong, "oracle");
  EXPECT_EQ(store.plan().known[0].python, "");
  EXPECT_EQ(store.plan().known[1].python, plan.known[1].python);
  EXPECT_DOUBLE_EQ(store.seconds(), 1.5);
  EXPECT_EQ(store.rows(), plan.rows);
  EXPECT_EQ(store.plan().environment, plan.environment);
  EXPECT_EQ(store.plan().date, "2026-11-22");
  EXPECT_EQ(store.plan().known[2].found, "2025-11-22");
  EXPECT_EQ(store.plan().known[2].link, plan.known[2].link);
  EXPECT_EQ(store.blocks_done(), std::vector<bool>(plan.blocks(), true));
  int64_t next = 0;
  std::vector<CaseRecord> records;
  store.for_each_block([&](const BlockResult& block) {
    const BlockResult expected = synthetic_block(plan, kOptions, next++);
    EXPECT_EQ(block.id, expected.id);
    EXPECT_EQ(block.first, expected.first);
    EXPECT_EQ(block.verdict, expected.verdict);
    EXPECT_EQ(block.known, expected.known);
    EXPECT_EQ(block.subject, expected.subject);
    EXPECT_EQ(block.oracle, expected.oracle);
    EXPECT_EQ(block.values_judged, expected.values_judged);
    EXPECT_EQ(block.matched, expected.matched);
    records.insert(records.end(), expected.records.begin(), expected.records.end());
  });
  EXPECT_EQ(next, plan.blocks());
  ASSERT_GT(records.size(), 10u);
  size_t seen = 0;
  store.for_each_record([&](const CaseRecord& row) { EXPECT_EQ(row, records[seen++]); });
  EXPECT_EQ(seen, records.size());
  EXPECT_EQ(store.record(records[3].case_index), records[3]);
  EXPECT_EQ(store.record(records[0].case_index + 1).has_value(),
            records[1].case_index == records[0].case_index + 1);
  EXPECT_EQ(store.line(records[3].case_index), records[3].line);
}

TEST(RunStore, TextOfAStoreIsVisible) {
  const TemporaryFolder folder;
  const Database database(folder / "text.db", Database::Access::kWrite);
  database.execute("CREATE TABLE t(x TEXT)");
  const std::string_view raw = "\x1b[31m\n\u202e\xff";
  database.prepare("INSERT INTO t VALUES(?1)").bind(1, raw).run();
  Statement select = database.prepare("SELECT x, CAST(x AS BLOB) FROM t");
  ASSERT_TRUE(select.step());
  EXPECT_EQ(select.text(0), "\\x1b[31m\\n\\u{202e}\\xff");
  EXPECT_EQ(select.blob(1), raw) << "the file has it as it was written";
}

TEST(RunStore, ADamagedVerdictOfARecordIsTold) {
  const TemporaryFolder folder;
  const std::string path = folder / "run.db";
  const RunPlan plan = synthetic_plan(kOptions);
  write_synthetic_store(path, plan, kOptions);
  for (const char* wrong : {"verdict = '{'", "verdict = '{\"code\": \"agreed\"}'",
                            "verdict = '{\"ruling\": {\"outcome\": 3}}'", "known = 99"}) {
    const std::string copy = folder / "copy.db";
    std::filesystem::copy_file(path, copy, std::filesystem::copy_options::overwrite_existing);
    Database(copy, Database::Access::kWrite)
        .execute(("UPDATE record SET " + std::string(wrong)).c_str());
    EXPECT_THROW(RunStore::open(copy), UsageError) << "by its digest: " << wrong;
    testing::renew_digests(copy);
    const RunStore store = RunStore::open(copy);
    EXPECT_THROW(store.for_each_record([](const CaseRecord&) {}), UsageError) << wrong;
  }
}

TEST(RunStore, AReplacedBlockLeavesWhatAnUndisturbedRunDoes) {
  const TemporaryFolder folder;
  const RunPlan plan = synthetic_plan(kOptions);
  write_synthetic_store(folder / "whole.db", plan, kOptions);
  SyntheticOptions other = kOptions;  // a run with differences in other cases
  other.chance = 1;
  RunStore store = RunStore::create_or_resume(folder / "run.db", plan);
  for (const int64_t id : store.blocks_pending()) {
    BlockResult block = synthetic_block(plan, id == 2 ? other : kOptions, id);
    if (id == 2) {  // a block as a busy machine makes it: no known difference, but a timeout
      block.known.assign(block.known.size(), 0);
      for (VerdictCode& verdict : block.verdict)
        if (verdict == VerdictCode::kKnown) verdict = VerdictCode::kAgree;
      block.verdict[7] = VerdictCode::kTimeout;
    }
    store.add_block(block);
  }
  store.finish(1.5);
  const std::string whole = RunStore::open(folder / "whole.db").content_digest();
  EXPECT_NE(store.content_digest(), whole);
  EXPECT_EQ(store.blocks_timed_out(), std::vector<int64_t>{2});
  store.replace_block(synthetic_block(plan, kOptions, 2));
  EXPECT_EQ(store.content_digest(), whole);
  EXPECT_TRUE(store.blocks_timed_out().empty());
  EXPECT_TRUE(store.complete());
}

TEST(RunStore, ARunGoesOnOnAnotherDay) {
  const TemporaryFolder folder;
  RunPlan plan = synthetic_plan(kOptions);
  write_synthetic_store(folder / "whole.db", plan, kOptions);
  plan.date = "2026-11-20";
  RunStore::create_or_resume(folder / "parts.db", plan)
      .add_block(synthetic_block(plan, kOptions, 5));
  plan.date = "2026-11-23";
  write_synthetic_store(folder / "parts.db", plan, kOptions);
  const RunStore store = RunStore::open(folder / "parts.db");
  EXPECT_EQ(store.plan().date, "2026-11-20") << "the day on which it began";
  EXPECT_EQ(store.content_digest(), RunStore::open(folder / "whole.db").content_digest());
}

TEST(RunStore, AFinishedRunIsOneFile) {
  const TemporaryFolder folder;
  write_synthetic_store(folder / "run.db", synthetic_plan(kOptions), kOptions);
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    EXPECT_EQ(entry.path().filename(), "run.db");
  }
}

TEST(RunStore, AResumedRunIsEqualWhateverTheOrder) {
  const TemporaryFolder folder;
  const RunPlan plan = synthetic_plan(kOptions);
  write_synthetic_store(folder / "whole.db", plan, kOptions);
  {
    RunStore store = RunStore::create_or_resume(folder / "parts.db", plan);
    for (const int64_t id : {7, 3, 11, 4}) store.add_block(synthetic_block(plan, kOptions, id));
  }
  RunStore store = RunStore::create_or_resume(folder / "parts.db", plan);
  EXPECT_FALSE(store.complete());
  EXPECT_EQ(store.blocks_pending().size(), static_cast<size_t>(plan.blocks() - 4));
  EXPECT_TRUE(store.blocks_done()[11]);
  EXPECT_FALSE(store.blocks_done()[12]);
  const RunStore whole = RunStore::open(folder / "whole.db");
  EXPECT_NE(store.content_digest(), whole.content_digest()) << "a missing block must show";
  for (const int64_t id : store.blocks_pending()) {
    store.add_block(synthetic_block(plan, kOptions, id));
  }
  EXPECT_NE(store.content_digest(), whole.content_digest()) << "an unfinished run must show";
  store.finish(2);
  EXPECT_EQ(store.content_digest(), whole.content_digest());
  EXPECT_GE(store.seconds(), 2);
}

TEST(RunStore, AFinishedRunResumesToNothing) {
  const TemporaryFolder folder;
  const RunPlan plan = synthetic_plan(kOptions);
  write_synthetic_store(folder / "run.db", plan, kOptions);
  const std::string digest = RunStore::open(folder / "run.db").content_digest();
  RunStore store = RunStore::create_or_resume(folder / "run.db", plan);
  EXPECT_TRUE(store.complete());
  EXPECT_TRUE(store.blocks_pending().empty());
  store.finish(3);
  EXPECT_DOUBLE_EQ(store.seconds(), 1.5);
  EXPECT_EQ(store.content_digest(), digest);
}

TEST(RunStore, ShardsShareTheBlocks) {
  const TemporaryFolder folder;
  RunPlan plan = synthetic_plan(kOptions);
  std::vector<int> owners(plan.blocks(), 0);
  for (int index = 0; index < 3; ++index) {
    plan.shard = {.index = index, .count = 3};
    RunStore store = RunStore::create_or_resume(folder / std::to_string(index), plan);
    for (const int64_t id : store.blocks_pending()) {
      ++owners[id];
      store.add_block(synthetic_block(plan, kOptions, id));
    }
    store.finish(1);
    EXPECT_EQ(RunStore::open(folder / std::to_string(index)).plan().shard, plan.shard);
  }
  EXPECT_EQ(owners, std::vector<int>(plan.blocks(), 1));
}

TEST(RunStore, AnEmptyPlanIsComplete) {
  const TemporaryFolder folder;
  RunPlan plan = synthetic_plan({.binary_ops = 0, .unary_ops = 0});
  write_synthetic_store(folder / "run.db", plan, kOptions);
  EXPECT_TRUE(RunStore::open(folder / "run.db").complete());
}

TEST(RunStore, ARunUnderWayCanBeRead) {
  const TemporaryFolder folder;
  const RunPlan plan = synthetic_plan(kOptions);
  RunStore writer = RunStore::create_or_resume(folder / "run.db", plan);
  writer.add_block(synthetic_block(plan, kOptions, 0));
  const RunStore reader = RunStore::open(folder / "run.db");
  EXPECT_TRUE(reader.blocks_done()[0]);
  writer.add_block(synthetic_block(plan, kOptions, 1));
  EXPECT_TRUE(reader.blocks_done()[1]);
}

// Kills a writer at some thirty moments. Each time the next writer resumes the run. Ends when the
// run is complete.
TEST(RunStore, SurvivesSigkillAtAnyTime) {
  const TemporaryFolder folder;
  const RunPlan plan = synthetic_plan(kOptions);
  write_synthetic_store(folder / "whole.db", plan, kOptions);
  const std::string path = folder / "killed.db";
  std::vector<BlockResult> blocks;
  for (int64_t id = 0; id < plan.blocks(); ++id) {
    blocks.push_back(synthetic_block(plan, kOptions, id));
  }
  int killed = 0;
  for (int round = 0;; ++round) {
    ASSERT_LT(round, 3000);
    Child child({.body = [&](int) {
      RunStore store = RunStore::create_or_resume(path, plan);
      for (const int64_t id : store.blocks_pending()) store.add_block(blocks[id]);
      store.finish(1);
      return 0;
    }});
    // The moments of the kills range from before the file exists (0 us) to after some blocks. They
    // move to later times if thirty kills in a row came too early.
    usleep(static_cast<useconds_t>(round * 397 % 12000 * (1 + round / 30)));
    child.kill();
    const ExitStatus status = child.wait();
    killed += static_cast<int>(status.signal != 0);
    if (status.signal == 0) {
      ASSERT_EQ(status.code, 0);
      break;
    }
  }
  RecordProperty("killed", killed);
  EXPECT_GE(killed, 3);
  EXPECT_EQ(RunStore::open(path).content_digest(),
            RunStore::open(folder / "whole.db").content_digest());
}

// A run of 15 million cases has 3,700 blocks. Storing a tenth of them must take well under half a
// second.
TEST(RunStore, WritesFast) {
  const TemporaryFolder folder;
  const SyntheticOptions options{.binary_ops = 6};
  const RunPlan plan = synthetic_plan(options);
  std::vector<BlockResult> blocks;
  for (int64_t id = 0; id < plan.blocks(); ++id) {
    blocks.push_back(synthetic_block(plan, options, id));
  }
  const auto start = std::chrono::steady_clock::now();
  RunStore store = RunStore::create_or_resume(folder / "run.db", plan);
  for (const BlockResult& block : blocks) store.add_block(block);
  store.finish(0);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const double rate = static_cast<double>(plan.planned) / seconds.count();
  RecordProperty("cases_per_second", std::to_string(rate));
  EXPECT_GT(rate, 300'000) << "a run does 30,000 a second; the store must not be felt";
}

}  // namespace
}  // namespace upcast::reports
