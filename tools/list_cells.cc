#include "tools/list_cells.h"

#include <fmt/format.h>

#include "cases/rulebook_cases.h"
#include "impl/core/error.h"

namespace upcast::tools {

void list_cells(const std::string& table, const std::string& glob) {
  const CellCases cells = cases_of_cells(find_rulebook_tables(table), glob);
  if (cells.lines.empty())
    throw UsageError(fmt::format("no cell of {} in tables '{}' is a case", table, glob));
  fmt::print("# {} cells of table:{}, tables {}\n", cells.lines.size(), table, glob);
  for (const std::string& line : cells.lines) fmt::print("{}\n", line);
  for (const auto& [why, count] : cells.left_out)
    fmt::print(stderr, "left out {:>6}  {}\n", count, why);
}

}  // namespace upcast::tools
