#include "cases/rulebook_cases.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases/notation.h"

namespace upcast {
namespace {

std::int64_t cells_of(const RulebookTables& set) {
  std::int64_t cells = 0;
  for (const RulebookTable& table : set.tables)
    cells += static_cast<std::int64_t>(table.cells.size() * table.columns.size());
  return cells;
}

TEST(RulebookCases, EveryCellIsACaseOrLeftOut) {
  for (const RulebookTables& set : rulebook_tables()) {
    const CellCases found = cases_of_cells(set, "*");
    std::int64_t cells = std::ssize(found.lines);
    for (const auto& [why, count] : found.left_out) cells += count;
    EXPECT_EQ(cells, cells_of(set)) << set.name;
    for (const std::string& line : found.lines) EXPECT_TRUE(parse_case(line).expectation) << line;
  }
}

TEST(RulebookCases, ACellIsItsLine) {
  const auto holds = [](std::string_view set, std::string_view glob, std::string_view line) {
    const CellCases found = cases_of_cells(find_rulebook_tables(set), glob);
    return std::find(found.lines.begin(), found.lines.end(), line) != found.lines.end();
  };
  EXPECT_TRUE(
      holds("numpy_2.4.6", "*", "add.Tensor(bool[]{True}, 9223372036854775808) -> refuses"));
  EXPECT_TRUE(holds("numpy_2.4.6", "ufunc.add.nd_nd",
                    "add.Tensor(int32[2]{1,1}, float32[2]{1,1}) -> float64"));
  EXPECT_FALSE(holds("numpy_2.4.6", "ufunc.add.nd_nd",
                     "add.Tensor(int32[2]{1,1}, float32[2]{1,1}) -> float32"));
  EXPECT_TRUE(holds("numpy_1.26.4_legacy", "ufunc.add.nd_0d",
                    "add.Tensor(int8[2]{1,1}, int16[]{1}) -> int8"));
  EXPECT_TRUE(holds("numpy_1.26.4_legacy", "ufunc.add.nd_0d_max",
                    "add.Tensor(int8[2]{1,1}, int16[]{32767}) -> int16"))
      << "the value decides";
  EXPECT_TRUE(holds("array_api_strict_2.6.1", "op.where.nd_nd",
                    "where.self(bool[2]{True,False}, int8[2]{1,1}, uint8[2]{1,1}) -> int16"));
}

}  // namespace
}  // namespace upcast
