#include "oracle/truth/coverage.h"

#include <gtest/gtest.h>

#include <set>

#include "oracle/truth/complex_definition.h"
#include "oracle/truth/definition.h"
#include "oracle/truth/integer_definition.h"

namespace upcast::truth {
namespace {

/// Each op must have a row over each kind of numbers that it computes, so that no op is left out
/// unnoticed.
TEST(Coverage, EveryOpHasATruthAndACompositionMaySayWhyNot) {
  int with = 0;
  int without = 0;
  for (const Op& op : catalogue()) {
    const std::string_view op_name = op.spec->name;
    if (op.compose != nullptr || op.spec->operands[0].empty()) {
      const CompositionRow* row = find_composition(op_name);
      ASSERT_NE(row, nullptr) << op_name << " is a composition without a row";
      EXPECT_FALSE(row->note.empty()) << op_name;
      ++(row->once ? with : without);
    }
    for (const NumberKind kind : kinds_of(op)) {
      EXPECT_NE(source_of(op_name, kind), "") << op_name << " over " << name(kind);
      ++with;
    }
  }
  EXPECT_GT(with, 250);
  EXPECT_GT(without, 3);
}

/// Each row must belong to an op of the catalogue.
TEST(Coverage, EveryRowIsOfAnOp) {
  std::set<std::pair<std::string_view, NumberKind>> used;
  std::set<std::string_view> compositions;
  for (const Op& op : catalogue()) {
    for (const NumberKind kind : kinds_of(op)) used.insert({op.spec->name, kind});
    compositions.insert(op.spec->name);
  }
  for (const Definition* row : all_definitions())
    EXPECT_TRUE(used.contains({row->op, NumberKind::kReal})) << row->op;
  for (const IntegerDefinition& row : integer_definitions())
    EXPECT_TRUE(used.contains({row.op, NumberKind::kWhole})) << row.op;
  for (const auto rows : {complex_arithmetic_definitions(), complex_function_definitions()})
    for (const ComplexDefinition& row : rows)
      EXPECT_TRUE(used.contains({row.op, NumberKind::kComplex})) << row.op;
}

TEST(Coverage, AnOpWithoutARowHasNoSource) {
  EXPECT_EQ(source_of("no_such_op", NumberKind::kReal), "");
  EXPECT_EQ(find_composition("add"), nullptr);
}

}  // namespace
}  // namespace upcast::truth
