#include "cases/grid.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <map>
#include <set>

#include "cases/callable_index.h"
#include "cases/notation.h"
#include "cases/operands.h"
#include "cases/testing/usage_error.h"
#include "cases/values.h"

namespace upcast {
namespace {

/// Replaces each token {i} of a row's line by an operand of axis i: the one with index at[i].
/// Braces after a bracket are values, not tokens.
std::string substitute(const std::string& line, const GridRow& row,
                       const std::vector<std::size_t>& at) {
  std::string text;
  std::size_t replaced = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t close = line.find('}', i);
    if (line[i] != '{' || (i > 0 && line[i - 1] == ']')) {
      text += line[i];
      continue;
    }
    const auto axis = static_cast<std::size_t>(std::stoi(line.substr(i + 1, close - i - 1)));
    text += print_operand(row.axes[axis][at[axis]]);
    ++replaced;
    i = close;
  }
  EXPECT_EQ(replaced, row.axes.size()) << line;
  return text;
}

void expect_sound(const Plan& plan) {
  std::int64_t next = 0;
  for (const GridRow& row : plan.rows) {
    EXPECT_EQ(row.first, next);
    std::int64_t product = 1;
    for (const auto& axis : row.axes) product *= static_cast<std::int64_t>(axis.size());
    EXPECT_EQ(row.count, product);
    EXPECT_EQ(row.positions.size(), row.axes.size());
    next += row.count;
  }
  EXPECT_EQ(plan.planned, next);
}

/// Checks for every `step`-th case of a plan that decode makes the case that its row's line says.
void expect_lines(const Plan& plan, std::int64_t step) {
  for (std::int64_t index = 0; index < plan.planned; index += step) {
    const GridRow& row = plan.row_of(index);
    ASSERT_LE(row.first, index);
    ASSERT_LT(index, row.first + row.count);
    Case c = row.prototype;
    row.decode(index - row.first, c);
    std::vector<std::size_t> at(row.axes.size());
    std::int64_t rest = index - row.first;
    for (std::size_t axis = row.axes.size(); axis-- > 0;) {
      at[axis] = static_cast<std::size_t>(rest) % row.axes[axis].size();
      rest /= static_cast<std::int64_t>(row.axes[axis].size());
    }
    const std::string line = substitute(row.line_template(), row, at);
    ASSERT_EQ(print_case(c), line);
    ASSERT_TRUE(parse_case(line) == c) << line;
  }
}

TEST(Grid, SmokePlansTheProductsOfItsAxes) {
  const Plan plan = make_grid("smoke");
  expect_sound(plan);
  expect_lines(plan, 1);
  std::set<std::string> lines;
  for (const GridRow& row : plan.rows) {
    Case c = row.prototype;
    for (std::int64_t i = 0; i < row.count; ++i) {
      row.decode(i, c);
      lines.insert(print_case(c));
    }
  }
  EXPECT_EQ(static_cast<std::int64_t>(lines.size()), plan.planned) << "a case twice";
}

TEST(Grid, PromotionPlansTheProductsOfItsAxes) {
  const Plan plan = make_grid("promotion");
  expect_sound(plan);
  EXPECT_GE(plan.planned, 500'000);
  expect_lines(plan, 4999);  // a prime
}

TEST(Grid, PromotionHoldsEveryOpOverloadFormAndDefault) {
  std::map<std::string, int> rows;
  for (const GridRow& row : make_grid("promotion").rows)
    ++rows[std::string(row.prototype.callable())];
  for (const internal::Callable& callable : internal::CallableIndex::get().all()) {
    const std::size_t tensors = tensor_positions(callable.schema()).size();
    const bool one = (tensors == 2 && callable.form == Form::kOut) ||
                     (tensors > 2 && callable.form != Form::kFunctional);
    EXPECT_EQ(rows[std::string(callable.name)], one ? 1 : 4) << callable.name;
  }
}

class NewGrid : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Grids, NewGrid, testing::Values("ops", "layouts", "refusals"),
                         [](const auto& test) { return std::string(test.param); });

TEST_P(NewGrid, PlansTheProductsOfItsAxes) {
  const Plan plan = make_grid(GetParam());
  expect_sound(plan);
  expect_lines(plan, plan.planned < 1000 ? 1 : 499);  // a prime
}

TEST_P(NewGrid, IsPartOfFull) {
  const std::string first = make_grid(GetParam()).rows.front().line_template();
  bool found = false;
  for (const GridRow& row : make_grid("full").rows) found = found || row.line_template() == first;
  EXPECT_TRUE(found);
}

TEST(Grid, OpsAndLayoutsHoldEveryCallableOfTensors) {
  for (const char* grid : {"ops", "layouts"}) {
    std::map<std::string, int> rows;
    for (const GridRow& row : make_grid(grid).rows) ++rows[std::string(row.prototype.callable())];
    for (const internal::Callable& callable : internal::CallableIndex::get().all()) {
      const Schema& schema = callable.schema();
      if (schema.returns != "Tensor" || tensor_positions(schema).empty()) continue;
      EXPECT_GT(rows[std::string(callable.name)], 0) << grid << ": " << callable.name;
    }
  }
}

/// The first case of each row of the grid `ops` has few elements, so that no case takes gigabytes.
TEST(Grid, OpsAreOfBoundedSize) {
  for (const GridRow& row : make_grid("ops").rows) {
    Dims broadcast(3, 1);
    for (const Operand& operand : row.prototype.arguments)
      for (std::size_t d = 0; d < operand.sizes.size(); ++d) {
        std::int64_t& size = broadcast[3 - operand.sizes.size() + d];
        size = std::max(size, operand.sizes[d]);
      }
    EXPECT_LE(numel(broadcast), 1 << 18) << row.line_template();
  }
}

TEST(Grid, OpsHoldNoZeroDivisorOfAnIntegerOp) {
  std::map<std::string_view, int> seen;
  for (const GridRow& row : make_grid("ops").rows) {
    const Case& c = row.prototype;
    const int divisor = c.schema().find(c.op->spec->divisor);
    if (divisor < 0 || c.arguments[divisor].dtype != DType::kInt8) continue;
    const Operand& dividend = c.arguments[0];
    if (dividend.tag == Operand::Tag::kTensor && dividend.dtype != DType::kInt8) continue;
    for (const std::byte byte : operand_values(c, divisor)) {
      EXPECT_NE(byte, std::byte{0}) << row.line_template();
      EXPECT_NE(byte, std::byte{0xff}) << row.line_template();
      ++seen[c.callable()];
    }
  }
  for (const char* callable : {"floor_divide", "divide.Tensor_mode", "remainder.Scalar_Tensor"})
    EXPECT_GT(seen[callable], 500) << callable;
}

/// LibTorch's process dies in lcm of the least integer. A death costs as much as ten thousand
/// cases, so only one row of the grid may hold that integer.
TEST(Grid, OpsHoldTheLeastIntegerOfLcmInOneRow) {
  int with = 0, without = 0;
  for (const GridRow& row : make_grid("ops").rows) {
    const Case& c = row.prototype;
    if (c.op->spec->name != std::string_view("lcm") || c.values != ValueClass::kSpecial) continue;
    if (c.arguments[0].dtype != DType::kInt32 || c.arguments[1].dtype != DType::kInt32) continue;
    bool least = false;
    for (int i : {0, 1}) {
      const std::vector<std::byte> values = operand_values(c, i);
      for (std::size_t at = 0; at < values.size(); at += sizeof(std::int32_t)) {
        std::int32_t value = 0;
        std::memcpy(&value, values.data() + at, sizeof value);
        least |= value == std::numeric_limits<std::int32_t>::min();
      }
    }
    ++(least ? with : without);
  }
  EXPECT_EQ(with, 1);
  EXPECT_GE(without, 2) << "in place, out=";
}

TEST(Grid, LayoutsHoldWhatTheyAreNamedFor) {
  bool resized = false, expanded = false, itself = false, partly = false, rank5 = false;
  for (const GridRow& row : make_grid("layouts").rows) {
    for (std::size_t i = 0; i < row.axes.size(); ++i) {
      for (const Operand& operand : row.axes[i]) {
        const bool out = row.positions[i] == kOutPosition;
        resized = resized || (out && operand.sizes == Dims{7});
        expanded = expanded || (!operand.strides.empty() && operand.strides[0] == 0);
        itself = itself || (operand.shares == 0 && operand.strides.empty());
        partly = partly || (operand.shares == 0 && operand.offset == 1);
        rank5 = rank5 || operand.sizes.size() == 5;
      }
    }
  }
  EXPECT_TRUE(resized && expanded && itself && partly && rank5);
}

TEST(Grid, PromotionAxesHaveTheirSizes) {
  const Plan plan = make_grid("promotion");
  const auto counts = [&plan](std::string_view callable) {
    std::vector<std::size_t> sizes;
    for (const GridRow& row : plan.rows) {
      if (row.prototype.callable() != callable) continue;
      for (const auto& axis : row.axes) sizes.push_back(axis.size());
      break;
    }
    return sizes;
  };
  using Sizes = std::vector<std::size_t>;
  // How many operands the grid gives each argument of add.Tensor: 22 elementwise dtypes with sizes
  // [4] and [], and four numbers.
  EXPECT_EQ(counts("add.Tensor"), (Sizes{48, 48}));
  EXPECT_EQ(counts("add_.Tensor"), (Sizes{44, 48}));
  EXPECT_EQ(counts("add.out"), (Sizes{48, 48, 22}));
  EXPECT_EQ(counts("eq.Scalar"), (Sizes{48, 4}));
  EXPECT_EQ(counts("exp"), (Sizes{48}));
  EXPECT_EQ(counts("where.self"), (Sizes{48, 48, 48}));
  EXPECT_EQ(counts("where.self_out"), (Sizes{48, 48, 48})) << "float32 out alone";
  EXPECT_EQ(counts("clamp.Tensor"), (Sizes{48, 49, 49})) << "a bound may be None";
  EXPECT_EQ(counts("clamp"), (Sizes{48, 5, 5}));
  EXPECT_EQ(counts("div.Tensor_mode"), (Sizes{48, 48, 3}));
  EXPECT_EQ(counts("promote_types"), (Sizes{47, 47}));
  EXPECT_EQ(counts("mse_loss"), (Sizes{48, 48}));
}

/// The device of a tensor and its number of dimensions, such as "cpu 0" or "own 1"; "number" for a
/// number.
std::string place_of(const Operand& operand) {
  if (operand.tag != Operand::Tag::kTensor) return "number";
  return (operand.device ? std::string(name(*operand.device)) : "own") + " " +
         std::to_string(operand.sizes.size());
}

TEST(Grid, DevicesPutsEveryOperandEverywhere) {
  const Plan plan = make_grid("devices");
  expect_sound(plan);
  expect_lines(plan, 101);
  std::map<std::string, std::set<std::string>> places;  // key: "CALLABLE POSITION"
  std::set<std::string_view> names;
  for (const GridRow& row : plan.rows) {
    names.insert(row.prototype.op->spec->name);
    for (std::size_t axis = 0; axis < row.axes.size(); ++axis)
      for (const Operand& operand : row.axes[axis])
        places[std::string(row.prototype.callable()) + " " + std::to_string(row.positions[axis])]
            .insert(place_of(operand));
  }
  using Places = std::set<std::string>;
  const Places anywhere{"cpu 0", "cpu 1", "own 0", "own 1"};
  EXPECT_EQ(places.at("exp 0"), anywhere);
  EXPECT_EQ(places.at("add_.Tensor 0"), anywhere);
  EXPECT_EQ(places.at("add.out -1"), (Places{"cpu 0", "cpu 1", "own 1"}));
  Places number_too = anywhere;
  number_too.insert("number");
  EXPECT_EQ(places.at("add.Tensor 1"), number_too);
  EXPECT_EQ(places.at("where.self 2"), number_too);
  for (const Op& op : catalogue()) {
    if (op.spec->operands[0].empty()) continue;  // an op that takes dtypes, not tensors
    EXPECT_TRUE(names.contains(op.spec->name)) << op.spec->name;
  }
}

TEST(Grid, AnUnknownNameListsThoseThatExist) {
  EXPECT_EQ(usage_error_of([] { make_grid("promotoin"); }),
            "unknown grid 'promotoin'; did you mean promotion? (there are promotion, ops, "
            "layouts, refusals, devices, compile, compile_slice, full, smoke, rulebooks)");
  for (const auto& [name, sentence] : grid_names()) {
    EXPECT_NO_THROW(make_grid(name));
    EXPECT_FALSE(sentence.empty());
  }
}

TEST(Grid, APlanOfCasesHasARowForEach) {
  const Plan plan =
      plan_of_cases({parse_case("neg(int8[2]{1,2})"), parse_case("add(int8[1], 1)")}, "cases");
  expect_sound(plan);
  EXPECT_EQ(plan.source, "cases");
  ASSERT_EQ(plan.planned, 2);
  EXPECT_EQ(plan.row_of(0).line_template(), "neg(int8[2]{1,2})");
  EXPECT_EQ(plan.row_of(1).line_template(), "add.Tensor(int8[1], 1)");
  Case c = plan.rows[1].prototype;
  plan.rows[1].decode(0, c);
  EXPECT_TRUE(c == parse_case("add(int8[1], 1)"));
}

}  // namespace
}  // namespace upcast
