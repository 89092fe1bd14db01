#include "reports/run_columns.h"

#include <algorithm>

namespace upcast::reports {

RunColumns load_columns(const std::vector<const RunStore*>& stores) {
  const auto planned = static_cast<size_t>(stores.front()->plan().planned);
  RunColumns columns;
  columns.verdict.assign(planned, RunColumns::kNotStored);
  columns.known.assign(planned, 0);
  columns.subject.assign(planned, kNotRunByte);
  columns.oracle.assign(planned, kNotRunByte);
  columns.ruling.assign(planned, Ruling::Outcome::kNotAsked);
  for (const RunStore* store : stores) {
    store->for_each_block([&](const BlockResult& block) {
      std::transform(block.verdict.begin(), block.verdict.end(),
                     columns.verdict.begin() + block.first,
                     [](VerdictCode verdict) { return static_cast<uint8_t>(verdict); });
      std::copy(block.known.begin(), block.known.end(), columns.known.begin() + block.first);
      std::copy(block.subject.begin(), block.subject.end(), columns.subject.begin() + block.first);
      std::copy(block.oracle.begin(), block.oracle.end(), columns.oracle.begin() + block.first);
      std::copy(block.ruling.begin(), block.ruling.end(), columns.ruling.begin() + block.first);
    });
  }
  return columns;
}

}  // namespace upcast::reports
