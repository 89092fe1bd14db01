#include "oracle/host/worker_plan.h"

#include "cases/notation.h"

namespace upcast {

Plan make_plan(const WorkerSetup& setup) {
  if (!setup.grid.empty()) return make_grid(setup.grid);
  std::vector<Case> cases;
  cases.reserve(setup.lines.size());
  for (const std::string& line : setup.lines) cases.push_back(parse_case(line));
  return plan_of_cases(std::move(cases), "cases");
}

}  // namespace upcast
