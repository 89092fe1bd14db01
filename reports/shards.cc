#include "reports/shards.h"

#include <fmt/format.h>

#include <set>

#include "impl/core/error.h"

namespace upcast::reports {
namespace {

/// "" where the environment does not say.
std::string libtorch_of(const RunPlan& plan) {
  const auto found = plan.environment.find("libtorch");
  return found == plan.environment.end() ? "" : found->second;
}

}  // namespace

std::string shard_text(const Shard& shard) {
  return fmt::format("{}/{}", shard.index + 1, shard.count);
}

void check_shards(const std::vector<const RunStore*>& stores) {
  std::set<int> shards;
  const RunPlan& first = stores.front()->plan();
  for (const RunStore* store : stores) {
    const RunPlan& plan = store->plan();
    if (plan.rows != first.rows || plan.plan_digest != first.plan_digest ||
        plan.subject != first.subject || plan.oracle != first.oracle ||
        plan.known.size() != first.known.size() || plan.block_size != first.block_size ||
        plan.shard.count != first.shard.count || plan.upcast_version != first.upcast_version ||
        libtorch_of(plan) != libtorch_of(first)) {
      throw UsageError("the run stores hold different plans; give the shards of one run only");
    }
    if (!shards.insert(plan.shard.index).second) {
      throw UsageError(
          fmt::format("shard {} is given twice; give each shard once", shard_text(plan.shard)));
    }
  }
}

}  // namespace upcast::reports
