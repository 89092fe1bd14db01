#include "reports/merge_runs.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

#include "impl/core/error.h"
#include "reports/shards.h"

namespace upcast::reports {
namespace {

/// Adds the machine and the day of a shard to the plan of the whole run. If machines differ, both
/// are named: "this one / that one".
void add_origin(const RunPlan& shard, RunPlan& whole) {
  if (whole.date.empty() || (!shard.date.empty() && shard.date < whole.date))
    whole.date = shard.date;
  for (const auto& [key, value] : shard.environment) {
    std::string& all = whole.environment[key];
    const std::string listed = " / " + all + " / ";
    if (all.empty())
      all = value;
    else if (listed.find(" / " + value + " / ") == std::string::npos)
      all += " / " + value;
  }
}

/// Reads a store's records block by block, in the order of for_each_block.
class RecordsByBlock {
 public:
  explicit RecordsByBlock(const RunStore& store) {
    store.for_each_record([this](const CaseRecord& row) { rows_.push_back(row); });
  }
  std::vector<CaseRecord> take(const BlockResult& block) {
    std::vector<CaseRecord> taken;
    for (; next_ < rows_.size() && rows_[next_].case_index < block.first + block.count; ++next_)
      taken.push_back(std::move(rows_[next_]));
    return taken;
  }

 private:
  std::vector<CaseRecord> rows_;
  std::size_t next_ = 0;
};

void copy_blocks(const RunStore& from, RunStore& to) {
  RecordsByBlock records(from);
  from.for_each_block([&](const BlockResult& stored) {
    BlockResult block = stored;
    block.records = records.take(block);
    to.add_block(block);
  });
}

/// Merges stores, with only one of them open at a time: a store's plan may be as large as all that
/// a shard holds.
class Merging {
 public:
  /// Opens each of the stores first, so that stores which do not belong together are refused before
  /// the work.
  explicit Merging(const std::vector<std::string>& paths) : paths_(paths) {
    for (const std::string& path : paths) {
      const RunPlan head = RunStore::peek(path);
      heads_.take(head);
      add_origin(head, whole_);
      shards_ = head.shard.count;
    }
  }

  MergeGaps write(const std::string& path) {
    MergeGaps gaps;
    for (int index = 0; index < shards_; ++index)
      if (!heads_.has(index)) gaps.missing_shards.push_back({.index = index, .count = shards_});
    double seconds = 0;
    std::optional<RunStore> merged;
    for (const std::string& from : paths_) {
      const RunStore store = RunStore::open(from);
      run_.take(store.plan());
      if (!merged) merged = RunStore::create_or_resume(path, plan_of_all(store.plan()));
      const auto pending = static_cast<int64_t>(store.blocks_pending().size());
      if (pending > 0) gaps.partial.emplace_back(from, pending);
      copy_blocks(store, *merged);
      seconds += store.seconds();
    }
    if (gaps.empty()) merged->finish(seconds);
    return gaps;
  }

 private:
  RunPlan plan_of_all(RunPlan plan) const {
    plan.shard = {};
    plan.date = whole_.date;
    plan.environment = whole_.environment;
    return plan;
  }

  const std::vector<std::string>& paths_;
  ShardsOfOneRun heads_, run_;
  RunPlan whole_;  // the whole run's plan, with its day and machines
  int shards_ = 0;
};

}  // namespace

MergeGaps merge_runs(const std::vector<std::string>& paths, const std::string& out) {
  check(!paths.empty(), "a run store to merge");
  if (std::filesystem::exists(
          std::filesystem::symlink_status(out)))  // a link without a target counts as existing too
    throw UsageError(out + ": exists already; name another -o, or remove the file");
  Merging merging(paths);
  const std::string part = out + ".part";
  std::filesystem::remove(part);
  const MergeGaps gaps = merging.write(part);
  if (std::rename(part.c_str(), out.c_str()) != 0)
    throw UsageError(fmt::format("{}: cannot be written ({})", out, std::strerror(errno)));
  return gaps;
}

}  // namespace upcast::reports
