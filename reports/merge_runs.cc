#include "reports/merge_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <deque>
#include <filesystem>
#include <utility>

#include "impl/core/error.h"
#include "reports/shards.h"

namespace upcast::reports {
namespace {

/// The plan of all shards; where their machines differ, "this one / that one".
RunPlan whole_plan(const Shards& stores) {
  RunPlan plan = stores.front()->plan();
  plan.shard = {};
  plan.date = first_date(stores);
  for (const RunStore* store : stores) {
    for (const auto& [key, value] : store->plan().environment) {
      std::string& all = plan.environment[key];
      const std::string listed = " / " + all + " / ";
      if (all.empty())
        all = value;
      else if (listed.find(" / " + value + " / ") == std::string::npos)
        all += " / " + value;
    }
  }
  return plan;
}

/// The store's records, block by block, in the order of for_each_block.
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

MergeGaps gaps_of(const std::deque<RunStore>& stores, const std::vector<std::string>& paths) {
  MergeGaps gaps;
  const int shards = stores.front().plan().shard.count;
  for (int index = 0; index < shards; ++index) {
    const bool given = std::any_of(stores.begin(), stores.end(), [index](const RunStore& store) {
      return store.plan().shard.index == index;
    });
    if (!given) gaps.missing_shards.push_back({.index = index, .count = shards});
  }
  for (std::size_t i = 0; i < stores.size(); ++i) {
    const auto pending = static_cast<int64_t>(stores[i].blocks_pending().size());
    if (pending > 0) gaps.partial.emplace_back(paths[i], pending);
  }
  return gaps;
}

}  // namespace

MergeGaps merge_runs(const std::vector<std::string>& paths, const std::string& out) {
  check(!paths.empty(), "a run store to merge");
  if (std::filesystem::exists(
          std::filesystem::symlink_status(out)))  // a link to nothing is there too
    throw UsageError(out + ": exists already; name another -o, or remove the file");
  std::deque<RunStore> stores;
  Shards pointers;
  for (const std::string& path : paths) {
    stores.push_back(RunStore::open(path));
    pointers.push_back(&stores.back());
  }
  check_shards(pointers);
  const MergeGaps gaps = gaps_of(stores, paths);
  const std::string part = out + ".part";
  std::filesystem::remove(part);
  {
    RunStore merged = RunStore::create_or_resume(part, whole_plan(pointers));
    double seconds = 0;
    for (const RunStore& store : stores) {
      copy_blocks(store, merged);
      seconds += store.seconds();
    }
    if (gaps.empty()) merged.finish(seconds);
  }
  if (std::rename(part.c_str(), out.c_str()) != 0)
    throw UsageError(fmt::format("{}: cannot be written ({})", out, std::strerror(errno)));
  return gaps;
}

}  // namespace upcast::reports
