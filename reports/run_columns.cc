#include "reports/run_columns.h"

#include <algorithm>

namespace upcast::reports {

RunColumns load_columns(const std::vector<const RunStore*>& stores, int64_t first, int64_t end) {
  const RunPlan& plan = stores.front()->plan();
  RunColumns columns;
  columns.first = first * plan.block_size;
  const auto count =
      static_cast<size_t>(std::min(plan.planned, end * plan.block_size) - columns.first);
  columns.verdict.assign(count, kNotStored);
  columns.known.assign(count, 0);
  columns.subject.assign(count, kNotRunByte);
  columns.oracle.assign(count, kNotRunByte);
  columns.ruling.assign(count, Ruling::Outcome::kNotAsked);
  for (const RunStore* store : stores) {
    store->for_each_block(first, end, [&](const BlockResult& block) {
      const int64_t at = block.first - columns.first;
      std::transform(block.verdict.begin(), block.verdict.end(), columns.verdict.begin() + at,
                     [](VerdictCode verdict) { return static_cast<uint8_t>(verdict); });
      std::copy(block.known.begin(), block.known.end(), columns.known.begin() + at);
      std::copy(block.subject.begin(), block.subject.end(), columns.subject.begin() + at);
      std::copy(block.oracle.begin(), block.oracle.end(), columns.oracle.begin() + at);
      std::copy(block.ruling.begin(), block.ruling.end(), columns.ruling.begin() + at);
    });
  }
  return columns;
}

void ColumnsInParts::load_part_of(int64_t index) {
  const RunPlan& plan = store_.plan();
  const int64_t first = index / plan.block_size;
  const int64_t end = first + (cases_ + plan.block_size - 1) / plan.block_size;
  part_ = load_columns({&store_}, first, std::min(end, plan.blocks()));
}

}  // namespace upcast::reports
