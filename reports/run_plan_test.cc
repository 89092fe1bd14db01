#include "reports/run_plan.h"

#include <gtest/gtest.h>

#include "reports/plan_tables.h"

namespace upcast::reports {
namespace {

GridRow out_row() {
  return {.id = 0,
          .op = "add",
          .family = "arithmetic",
          .schema = "add.out",
          .form = "out",
          .default_dtype = "float64",
          .first = 100,
          .count = 12,
          .line_template = "add.out({0}, {1}, out={2}) @default=float64",
          .axes = {{"int32[4]", "True"}, {"5.5", "1+2j", "int8[]"}, {"float32[4]", "int8[4]"}}};
}

TEST(CaseLine, TheLastAxisIsFastest) {
  const GridRow row = out_row();
  EXPECT_EQ(case_line(row, 0), "add.out(int32[4], 5.5, out=float32[4]) @default=float64");
  EXPECT_EQ(case_line(row, 1), "add.out(int32[4], 5.5, out=int8[4]) @default=float64");
  EXPECT_EQ(case_line(row, 2), "add.out(int32[4], 1+2j, out=float32[4]) @default=float64");
  EXPECT_EQ(case_line(row, 11), "add.out(True, int8[], out=int8[4]) @default=float64");
  EXPECT_EQ(axis_positions(row, 11), (std::vector{1, 2, 1}));
}

TEST(CaseLine, AValueListIsNoPlaceholder) {
  GridRow row = out_row();
  row.line_template = "add.out(int32[1]{0}, {1}, out={2}, x={9}, y={a}) {";
  EXPECT_EQ(case_line(row, 0), "add.out(int32[1]{0}, 5.5, out=float32[4], x={9}, y={a}) {");
}

TEST(CaseLine, ALineWithoutAxesIsKeptAsItIs) {
  GridRow row = out_row();
  row.axes = {};
  row.count = 1;
  row.line_template = "add.Tensor({0}, {1})";
  EXPECT_EQ(case_line(row, 0), "add.Tensor({0}, {1})");
}

TEST(RowOf, FindsTheRowOfACase) {
  std::vector<GridRow> rows(3, out_row());
  rows[0].first = 0, rows[1].first = 12, rows[2].first = 24;
  EXPECT_EQ(&row_of(rows, 0), &rows[0]);
  EXPECT_EQ(&row_of(rows, 11), &rows[0]);
  EXPECT_EQ(&row_of(rows, 12), &rows[1]);
  EXPECT_EQ(&row_of(rows, 35), &rows[2]);
}

// Negative controls: each plan below has one fault, which must be named.
TEST(PlanFault, EveryFaultIsNamed) {
  RunPlan plan;
  plan.rows = {out_row()};
  plan.rows[0].first = 0;
  plan.planned = 12;
  ASSERT_EQ(plan_fault(plan), "");

  RunPlan gap = plan;
  gap.rows[0].first = 1;
  EXPECT_EQ(plan_fault(gap), "the first case of row 0");
  RunPlan product = plan;
  product.rows[0].axes[0].push_back("7");
  EXPECT_EQ(plan_fault(product), "the count of row 0");
  RunPlan no_token = plan;
  no_token.rows[0].axes[1].clear();
  EXPECT_EQ(plan_fault(no_token), "the axes of row 0");
  RunPlan sum = plan;
  sum.planned = 13;
  EXPECT_EQ(plan_fault(sum), "the rows do not add up to planned");
  RunPlan ids = plan;
  ids.known.resize(1);
  EXPECT_EQ(plan_fault(ids), "the ids of known");
  RunPlan shard = plan;
  shard.shard = {.index = 2, .count = 2};
  EXPECT_EQ(plan_fault(shard), "the shard");
}

TEST(PlanDifference, NamesWhatDiffersAndNothingElse) {
  RunPlan stored;
  stored.oracle = "libtorch:cpu";
  stored.environment = {{"compiler", "g++ 12"}, {"cpu", "x"}};
  stored.known.resize(1);
  stored.known[0].hits = 7;
  RunPlan wanted = stored;
  wanted.known[0].hits = 0;
  EXPECT_EQ(plan_difference(stored, wanted), "") << "counts are no difference";
  wanted.oracle = "libtorch:meta";
  wanted.environment["compiler"] = "g++ 13";
  EXPECT_EQ(plan_difference(stored, wanted),
            "oracle: 'libtorch:meta' now, 'libtorch:cpu' in the file; "
            "compiler: 'g++ 13' now, 'g++ 12' in the file");
  wanted.known[0].reason = "other";
  EXPECT_NE(plan_difference(stored, wanted).find("known differences"), std::string::npos);
}

}  // namespace
}  // namespace upcast::reports
