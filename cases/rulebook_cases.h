// Makes case lines from the cells of the libraries' tables. They compare a library that runs now
// with its answers when it was probed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cases/rulebook_tables.h"

namespace upcast {

struct CellCases {
  /// Case lines with the library's answer: "add.Tensor(int8[2]{1,1}, 2.5) -> float64".
  std::vector<std::string> lines;
  std::map<std::string, std::int64_t> left_out;  // how many cells are no case, by reason
};

/// Makes a case of every cell in the tables of `set` whose name matches `glob` (matches_glob).
/// Three kinds of cells are left out: the library had no kernel; our catalogue or dtype table lacks
/// the op or dtype; only that library has such an operand (a NumPy scalar, a weakly typed array).
CellCases cases_of_cells(const RulebookTables& set, std::string_view glob);

}  // namespace upcast
