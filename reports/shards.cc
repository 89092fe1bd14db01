#include "reports/shards.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "impl/core/error.h"

namespace upcast::reports {
namespace {

/// The version of LibTorch in a plan's environment; "" if it has none.
std::string libtorch_of(const RunPlan& plan) {
  const auto found = plan.environment.find("libtorch");
  return found == plan.environment.end() ? "" : found->second;
}

}  // namespace

void ShardsOfOneRun::take(const RunPlan& plan) {
  if (!first_) first_ = plan;
  const RunPlan& first = *first_;
  if (plan.rows != first.rows || plan.claim != first.claim ||
      plan.plan_digest != first.plan_digest || plan.subject != first.subject ||
      plan.oracle != first.oracle || plan.known.size() != first.known.size() ||
      plan.block_size != first.block_size || plan.shard.count != first.shard.count ||
      plan.upcast_version != first.upcast_version || libtorch_of(plan) != libtorch_of(first)) {
    throw UsageError("the run stores are not of one run; give the shards of one run only");
  }
  if (!shards_.insert(plan.shard.index).second) {
    throw UsageError(
        fmt::format("shard {} is given twice; give each shard once", shard_text(plan.shard)));
  }
}

void check_shards(const std::vector<const RunStore*>& stores) {
  ShardsOfOneRun run;
  for (const RunStore* store : stores) run.take(store->plan());
}

std::string first_date(const Shards& shards) {
  std::string first;
  for (const RunStore* store : shards) {
    const std::string& date = store->plan().date;
    if (first.empty() || (!date.empty() && date < first)) first = date;
  }
  return first;
}

std::vector<Shards> group_runs(const std::deque<RunStore>& stores) {
  using Key = std::tuple<std::string, std::string, std::string, std::size_t>;
  std::vector<Shards> runs;
  std::map<Key, std::size_t> numbers;
  for (std::size_t i = 0; i < stores.size(); ++i) {
    const RunPlan& plan = stores[i].plan();
    const Key key{plan.subject, plan.oracle, plan.plan_digest,
                  plan.shard.count > 1 ? stores.size() : i};
    const auto [at, is_new] = numbers.try_emplace(key, runs.size());
    if (is_new) runs.emplace_back();
    runs[at->second].push_back(&stores[i]);
  }
  return runs;
}

}  // namespace upcast::reports
