// synthetic_shards FOLDER SHARDS CASES: writes FOLDER/shard1.db, shard2.db, ... of one plan of
// CASES cases, in rows of a million. They serve to measure `upcast merge`
// (docs/measured/cluster.md). No side was asked: the verdicts are those of a small synthetic run,
// over and over.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "reports/testing/synthetic_store.h"

namespace upcast::reports::testing {
namespace {

constexpr int kTokens = 100;   // tokens on each axis of a row
constexpr int kPatterns = 16;  // different blocks, which repeat over the plan

RunPlan plan_of(int64_t cases) {
  RunPlan plan = synthetic_plan({.binary_ops = 0, .unary_ops = 0});
  plan.source = "synthetic";
  std::vector<std::string> axis;
  for (int i = 0; i < kTokens; ++i) axis.push_back(fmt::format("float32[{}]", i + 1));
  for (int64_t id = 0; plan.planned < cases; ++id) {
    const std::string op = fmt::format("synthetic_{}", id % 700);
    plan.rows.push_back(
        {.id = id,
         .op = op,
         .family = "ternary",
         .schema = op + ".Tensor",
         .form = "functional",
         .default_dtype = "float32",
         .first = plan.planned,
         .count = int64_t{kTokens} * kTokens * kTokens,
         .line_template = op + fmt::format(".Tensor({{0}}, {{1}}, {{2}}, seed={})", id),
         .axes = {axis, axis, axis}});
    plan.planned += plan.rows.back().count;
  }
  return plan;
}

/// Different blocks to repeat. Their cases agree, except for some, each of which has a record.
std::vector<BlockResult> patterns_of(int64_t block_size) {
  const SyntheticOptions options{.clean = true, .block_size = block_size};
  const RunPlan plan = synthetic_plan(options);
  std::vector<BlockResult> patterns;
  for (int id = 0; id < kPatterns; ++id) patterns.push_back(synthetic_block(plan, options, id));
  return patterns;
}

/// The block `id` of the plan: a copy of `pattern` in which records have the numbers of the block's
/// own cases.
BlockResult block_of(const RunPlan& plan, const BlockResult& pattern, int64_t id) {
  BlockResult block = pattern;
  const int64_t moved = id * plan.block_size - pattern.first;
  block.id = id;
  block.first += moved;
  block.count = std::min(plan.block_size, plan.planned - block.first);
  const auto count = static_cast<size_t>(block.count);
  block.verdict.resize(count);
  block.known.resize(count);
  block.subject.resize(count);
  block.oracle.resize(count);
  if (!block.ruling.empty()) block.ruling.resize(count);
  block.matched.clear();
  for (CaseRecord& row : block.records) row.case_index += moved;
  std::erase_if(block.records,
                [&](const CaseRecord& row) { return row.case_index >= block.first + block.count; });
  return block;
}

void write_shards(const std::string& folder, int shards, int64_t cases) {
  RunPlan plan = plan_of(cases);
  const std::vector<BlockResult> patterns = patterns_of(plan.block_size);
  for (int index = 0; index < shards; ++index) {
    plan.shard = {.index = index, .count = shards};
    RunStore store =
        RunStore::create_or_resume(fmt::format("{}/shard{}.db", folder, index + 1), plan);
    for (const int64_t id : store.blocks_pending())
      store.add_block(block_of(plan, patterns[static_cast<size_t>(id % kPatterns)], id));
    store.finish(1);
  }
  fmt::print("{} shards of {} cases\n", shards, plan.planned);
}

}  // namespace
}  // namespace upcast::reports::testing

int main(int argc, char** argv) {
  const int shards = argc == 4 ? std::atoi(argv[2]) : 0;
  const std::int64_t cases = argc == 4 ? std::atoll(argv[3]) : 0;
  if (shards < 1 || cases < 1) {
    std::fprintf(stderr, "usage: synthetic_shards FOLDER SHARDS CASES\n");
    return 2;
  }
  upcast::reports::testing::write_shards(argv[1], shards, cases);
}
