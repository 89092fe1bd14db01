#include "cases/selection.h"

#include <gtest/gtest.h>

#include "cases/operands.h"
#include "cases/select.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

std::string usage_error_of(const SelectionWords& words, const char* grid = "smoke") {
  try {
    select(make_grid(grid), words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no error";
}

/// Expects that `holds` is true for each case of the plan.
template <class Holds>
void expect_each(const Plan& plan, Holds holds) {
  EXPECT_GT(plan.planned, 0);
  for (const GridRow& row : plan.rows) {
    Case c = row.prototype;
    for (std::int64_t i = 0; i < row.count; ++i) {
      row.decode(i, c);
      ASSERT_TRUE(holds(c)) << print_case(c);
    }
  }
}

std::int64_t count_where(const Plan& plan, const Selection& selection) {
  std::int64_t count = 0;
  for (const GridRow& row : plan.rows) {
    Case c = row.prototype;
    for (std::int64_t i = 0; i < row.count; ++i) {
      row.decode(i, c);
      count += selection.why_not(c).empty();
    }
  }
  return count;
}

TEST(Selection, KeepsExactlyTheCasesThatItHas) {
  const Plan smoke = make_grid("smoke");
  const std::vector<SelectionWords> all{
      {.ops = {"add"}},
      {.ops = {"add,div.Tensor", "sub*", "ne{g,_}"}},
      {.dtypes = "float32,int32"},
      {.forms = "in_place,out"},
      {.kinds = "dim,wrapped"},
      {.kinds = "zero-dim"},
      {.ops = {"pow"}, .dtypes = "{floating,!float16}", .forms = "functional", .kinds = "dim"},
  };
  for (const SelectionWords& words : all) {
    const Selection selection = parse_selection(words);
    const Plan part = select(smoke, words);
    expect_each(part, [&](const Case& c) { return selection.why_not(c).empty(); });
    EXPECT_EQ(part.planned, count_where(smoke, selection)) << words.text();
    EXPECT_LT(part.planned, smoke.planned) << words.text();
    EXPECT_TRUE(part.is_part);
    EXPECT_EQ(part.source, smoke.source);
  }
}

TEST(Selection, EverythingLeavesAPlanAsItIs) {
  const Plan smoke = make_grid("smoke");
  const Plan same = select(smoke, Selection{});
  EXPECT_EQ(same.planned, smoke.planned);
  EXPECT_FALSE(same.is_part);
  EXPECT_EQ(Selection{}.text(), "{}");
  EXPECT_TRUE(proves_stale(make_grid("full")));
  EXPECT_FALSE(proves_stale(select(make_grid("full"), SelectionWords{.ops = {"add"}})));
}

TEST(Selection, AnOpIsNamedAsPeopleKnowIt) {
  const auto rows = [](const char* glob) {
    return select(make_grid("promotion"), SelectionWords{.ops = {glob}});
  };
  EXPECT_EQ(size_of(rows("mul")).ops, 1);
  const auto callables = [](const Plan& plan) {
    std::set<std::string> names;
    for (const GridRow& row : plan.rows) names.insert(std::string(row.prototype.callable()));
    return names;
  };
  EXPECT_TRUE(callables(rows("mul")).contains("multiply.Tensor")) << "an op has its aliases";
  EXPECT_FALSE(callables(rows("multiply")).contains("mul.Tensor")) << "an alias is itself alone";
  EXPECT_EQ(callables(rows("add_.Tensor")), std::set<std::string>{"add_.Tensor"});
  EXPECT_EQ(callables(rows("add.Tensor")),
            (std::set<std::string>{"add.Tensor", "add_.Tensor", "add.out"}));
}

TEST(Selection, IsReadBackAsItWasWritten) {
  const Selection selection = parse_selection(
      {.ops = {"add", "div.Tensor"}, .dtypes = "integral", .forms = "out", .kinds = "dim"});
  EXPECT_EQ(Selection::parse(selection.text()), selection);
  EXPECT_EQ(Selection::parse("{}"), Selection{});
  EXPECT_NE(Selection::parse("{}"), selection);
  EXPECT_THROW(Selection::parse("no json"), UsageError);
}

TEST(Selection, BothIsWhatEachHas) {
  const Selection ops = parse_selection({.ops = {"add", "div"}, .dtypes = "float32,int32"});
  const Selection dtypes = parse_selection({.ops = {"div", "pow"}, .dtypes = "float32"});
  EXPECT_EQ(ops & dtypes, parse_selection({.ops = {"div"}, .dtypes = "float32"}));
  EXPECT_EQ(ops & Selection{}, ops);
  EXPECT_EQ(Selection{} & ops, ops);
  const Selection apart =
      parse_selection({.ops = {"add_.Tensor"}}) & parse_selection({.ops = {"add.out"}});
  EXPECT_EQ(select(make_grid("smoke"), apart).planned, 0);
}

TEST(Selection, ACaseOfAListIsARow) {
  const Plan list = plan_of_cases(parse_cases("add(int8[2], 3)\nmul(float32[2], float32[2])\n"
                                              "add(float32[2], float32[2])\n",
                                              "test"),
                                  "cases");
  EXPECT_EQ(select(list, SelectionWords{.ops = {"add"}}).planned, 2);
  EXPECT_EQ(select(list, SelectionWords{.dtypes = "!int8"}).planned, 2);
  EXPECT_EQ(select(list, SelectionWords{.ops = {"add"}, .kinds = "dim"}).planned, 1);
}

TEST(Selection, AMistakeIsOneLineWithWhatIsNearest) {
  EXPECT_EQ(usage_error_of({.ops = {"ad"}}), "--ops 'ad' names no op; did you mean add?");
  EXPECT_EQ(usage_error_of({.ops = {"add,mull"}}), "--ops 'mull' names no op; did you mean mul?");
  EXPECT_EQ(usage_error_of({.forms = "inplace"}),
            "--forms has 'inplace'; there are functional, in_place, out; did you mean in_place?");
  EXPECT_EQ(usage_error_of({.kinds = "zerodim"}),
            "--kinds has 'zerodim'; there are dim, zero-dim, wrapped; did you mean zero-dim?");
  EXPECT_NE(usage_error_of({.dtypes = "flaot32"}).find("--dtypes 'flaot32': "), std::string::npos);
  EXPECT_EQ(usage_error_of({.ops = {"sub"}}),
            "--ops sub selects no case of grid smoke; its ops are add, div, lt, neg, pow, "
            "result_type, sqrt, where");
  EXPECT_EQ(usage_error_of({.ops = {"sub"}, .dtypes = "float32"}).substr(0, 29),
            "--ops sub --dtypes float32 se");
  EXPECT_EQ(usage_error_of({.ops = {"add"}}), "no error") << "control";
}

}  // namespace
}  // namespace upcast
