// The cells of the libraries' tables as case lines, so that a library that runs now can be held to
// what it answered when it was probed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/rulebook_tables.h"

namespace upcast {

struct CellCases {
  std::vector<std::string> lines;                // "add.Tensor(int8[2]{1,1}, 2.5) -> float64"
  std::map<std::string, std::int64_t> left_out;  // cells that are no case, by the reason
};

/// Every cell of the tables of `set` whose name matches `glob` (matches_glob). A cell is no case
/// where a library had no kernel, where a dtype or an op is none of ours, and where an operand is
/// one that only that library has (a NumPy scalar, a weakly typed array).
CellCases cases_of_cells(const RulebookTables& set, std::string_view glob);

}  // namespace upcast
