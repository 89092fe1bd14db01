// Tests that the grid `compile` has every pair of dtypes once, and every two factors that can occur
// together.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>
#include <string>

#include "cases/grid.h"
#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/tuple_space.h"
#include "impl/core/dtype_set.h"

namespace upcast {
namespace {

template <class F>
void for_each_case(const Plan& plan, F f) {
  for (const GridRow& row : plan.rows) {
    Case c = row.prototype;
    for (std::int64_t i = 0; i < row.count; ++i) {
      row.decode(i, c);
      f(row, c);
    }
  }
}

const Plan& whole() {
  static const Plan kPlan = make_grid("compile");
  return kPlan;
}

/// The dtypes of a case's first two tensors that are no mask.
std::vector<DType> typed(const Case& c) {
  std::vector<DType> dtypes;
  for (const int position : tensor_positions(c.schema()))
    if (!c.op->spec->is_mask(c.schema().parameters[static_cast<std::size_t>(position)].name) &&
        dtypes.size() < 2)
      dtypes.push_back(c.operand(position).dtype);
  return dtypes;
}

TEST(CompileGrid, EveryFunctionalOverloadHasEveryPairOfDTypesOnce) {
  std::map<std::string, std::map<std::vector<DType>, int>> pairs;
  for_each_case(whole(), [&](const GridRow& row, const Case& c) {
    if (!row.axes.empty()) ++pairs[std::string(c.callable())][typed(c)];
  });
  const auto dtypes = static_cast<std::size_t>(kElementwise.size());
  for_each_callable([&](const Op& op, int overload, Form form) {
    if (form != Form::kFunctional) return;
    const Case c = case_of({&op, overload, form});
    const std::size_t tensors = typed(c).size();
    const auto& found = pairs[std::string(c.callable())];
    if (tensors > 0) {
      EXPECT_EQ(found.size(), tensors == 2 ? dtypes * dtypes : dtypes) << c.callable();
    }
    for (const auto& [pair, count] : found)
      EXPECT_TRUE(count == 1 || tensors < 2) << c.callable() << " has a pair twice";
  });
}

TEST(CompileGrid, EveryCallableIsAsked) {
  std::set<std::string> asked;
  for_each_case(whole(), [&](const GridRow&, const Case& c) { asked.emplace(c.callable()); });
  for_each_callable([&](const Op& op, int overload, Form form) {
    const Case c = case_of({&op, overload, form});
    EXPECT_TRUE(asked.contains(std::string(c.callable()))) << c.callable();
  });
}

/// "op=polygamma values=random"
std::string text_of(const TupleSpace& space, const Combination& pair, std::size_t number) {
  const auto size = static_cast<std::size_t>(space.values_of(pair.factors[1]));
  std::string text;
  for (const auto& [factor, value] :
       {std::pair(pair.factors[0], number / size), std::pair(pair.factors[1], number % size)})
    text += std::string(name(factor)) + "=" +
            std::string(space.value_name(factor, static_cast<int>(value))) + " ";
  return text;
}

/// Whether a pair of an op and a value class must not be asked: the op would step from such values
/// for years, refuse them, or end the process.
bool is_unsafe(const TupleSpace& space, const Combination& pair, std::size_t number) {
  if (pair.factors[0] != Factor::kOp || pair.factors[1] != Factor::kValues) return false;
  const auto size = static_cast<std::size_t>(space.values_of(Factor::kValues));
  const std::string_view op = space.value_name(Factor::kOp, static_cast<int>(number / size));
  bool is_unsafe = false;
  for (const Op& each : catalogue())
    is_unsafe |=
        each.spec->name == op && (each.spec->divides() || !each.spec->loop.parameter.empty() ||
                                  each.spec->traps_on_least_integer);
  return is_unsafe;
}

TEST(CompileGrid, HasEveryTwoFactorsThatCanMeet) {
  const TupleSpace space;
  const std::vector<bool> possible = space.possible();
  std::vector<bool> covered(space.tuples());
  for_each_case(whole(), [&](const GridRow&, const Case& c) {
    const FactorValues values = factor_values(c);
    for (const Combination& pair : space.combinations()) {
      const std::int64_t number = pair.ways == 2 ? space.number_of(pair, values) : -1;
      if (number >= 0) covered[static_cast<std::size_t>(number)] = true;
    }
  });
  std::int64_t has = 0, impossible = 0, unsafe = 0;
  for (const Combination& pair : space.combinations()) {
    for (std::size_t i = 0; pair.ways == 2 && i < pair.size; ++i) {
      if (covered[pair.first + i]) {
        EXPECT_TRUE(possible[pair.first + i]) << text_of(space, pair, i);
        ++has;
      } else if (!possible[pair.first + i]) {
        ++impossible;
      } else if (is_unsafe(space, pair, i)) {
        ++unsafe;
      } else {
        ADD_FAILURE() << "nothing has " << text_of(space, pair, i);
      }
    }
  }
  std::cout << whole().planned << " cases have " << has << " pairs of factors; " << impossible
            << " are impossible, " << unsafe
            << " unsafe (values that an op steps from or dies of)\n";
}

TEST(CompileGrid, IsTheSameEachTime) {
  const Plan again = make_grid("compile");
  ASSERT_EQ(again.rows.size(), whole().rows.size());
  for (std::size_t i = 0; i < again.rows.size(); i += 7)
    ASSERT_EQ(again.rows[i].line_template(), whole().rows[i].line_template());
}

TEST(CompileGrid, TheSliceHasEveryOpAndIsShort) {
  const Plan slice = make_grid("compile_slice");
  std::set<std::string> ops, lines, all;
  for_each_case(slice, [&](const GridRow&, const Case& c) {
    ops.emplace(c.op->spec->name);
    lines.insert(print_case(c));
  });
  for_each_case(whole(), [&](const GridRow&, const Case& c) { all.insert(print_case(c)); });
  for (const Op& op : catalogue()) EXPECT_TRUE(ops.contains(std::string(op.spec->name)));
  for (const std::string& line : lines) EXPECT_TRUE(all.contains(line)) << line;
  EXPECT_LE(slice.planned, 900) << "3 minutes of two cores at 4 cases a second";
  std::cout << slice.planned << " cases\n";
}

}  // namespace
}  // namespace upcast
