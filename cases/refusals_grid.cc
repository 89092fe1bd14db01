#include "cases/refusals_grid.h"

#include "cases/notation.h"

namespace upcast {

/// Made by CMake from cases/refusals/*.cases.
extern const char kRefusalCases[];

namespace internal {

std::vector<GridRow> refusals_rows() {
  std::vector<GridRow> rows;
  for (Case& c : parse_cases(kRefusalCases, "cases/refusals")) {
    rows.emplace_back();
    rows.back().prototype = std::move(c);
  }
  return rows;
}

}  // namespace internal
}  // namespace upcast
