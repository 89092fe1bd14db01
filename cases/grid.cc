#include "cases/grid.h"

#include <algorithm>
#include <array>
#include <iterator>

#include "cases/grids.h"
#include "cases/suggest.h"
#include "impl/core/error.h"

namespace upcast {

/// The text of all cases/refusals/*.cases, which CMake embeds.
extern const char kRefusalCases[];

namespace {

struct GridEntry {
  std::string_view name;
  std::string_view sentence;
  std::vector<GridRow> (*rows)();
};

std::vector<GridRow> rows_of(std::vector<Case> cases) {
  std::vector<GridRow> rows;
  rows.reserve(cases.size());
  for (Case& c : cases) rows.push_back({.prototype = std::move(c)});
  return rows;
}

/// The rows of the embedded files cases/refusals/*.cases, file by file.
std::vector<GridRow> refusals_rows() {
  return rows_of(parse_cases(kRefusalCases, "cases/refusals"));
}

std::vector<GridRow> full_rows() {
  std::vector<GridRow> rows;
  for (const auto part :
       {&internal::promotion_rows, &internal::ops_rows, &internal::layouts_rows, &refusals_rows}) {
    std::vector<GridRow> more = part();
    std::move(more.begin(), more.end(), std::back_inserter(rows));
  }
  return rows;
}

constexpr std::array<GridEntry, 9> kGrids{{
    {"promotion",
     "every op, overload and form x every elementwise dtype and number x every default dtype",
     &internal::promotion_rows},
    {"ops",
     "every op, overload and form x dtypes of its tensors x special, random and small values x "
     "attributes",
     &internal::ops_rows},
    {"layouts",
     "shapes, strides, broadcasting roles, out= to be resized, operands that share storage, long "
     "and odd lengths",
     &internal::layouts_rows},
    {"refusals",
     "for each rule of refusal, cases that it refuses and a similar case that it allows",
     &refusals_rows},
    {"devices",
     "every op, overload and form x the device of each operand and out=: the subject's device, or "
     "the CPU",
     &internal::devices_rows},
    {"compile",
     "for compilers: every overload x every pair of dtypes, and every pair of choices of form, "
     "kind, shape, values, default dtype and number",
     &internal::compile_rows},
    {"compile_slice",
     "a few hundred cases of compile, with every op; to run after each change of a compiler",
     &internal::compile_slice_rows},
    {"full", "promotion, ops, layouts and refusals", &full_rows},
    {"smoke", "a few ops of the promotion grid over a few dtypes; for tests",
     &internal::smoke_rows},
}};

}  // namespace

void GridRow::decode(std::int64_t index, Case& c) const {
  check(index >= 0 && index < count, "a case of its row");
  for (std::size_t axis = axes.size(); axis-- > 0;) {
    const auto size = static_cast<std::int64_t>(axes[axis].size());
    c.operand(positions[axis]) = axes[axis][index % size];
    index /= size;
  }
}

std::string GridRow::line_template() const {
  return print_case(prototype, [this](int position, const Operand& operand) {
    const auto found = std::find(positions.begin(), positions.end(), position);
    if (found == positions.end()) return print_operand(operand);
    return "{" + std::to_string(found - positions.begin()) + "}";
  });
}

const GridRow& Plan::row_of(std::int64_t index) const {
  check(index >= 0 && index < planned, "a case of its plan");
  const auto after =
      std::upper_bound(rows.begin(), rows.end(), index,
                       [](std::int64_t wanted, const GridRow& row) { return wanted < row.first; });
  return *std::prev(after);
}

Plan make_grid(std::string_view name) {
  std::string known;
  std::vector<std::string_view> names;
  for (const GridEntry& grid : kGrids) {
    if (grid.name == name) return plan_of_rows("grid " + std::string(name), grid.rows());
    known += (known.empty() ? "" : ", ") + std::string(grid.name);
    names.push_back(grid.name);
  }
  names.push_back("rulebooks");  // a grid of cells, not of cases: tools/rulebook_session.h
  known += ", rulebooks";
  throw UsageError("unknown grid '" + std::string(name) + "'" + did_you_mean(name, names) +
                   " (there are " + known + ")");
}

std::vector<std::pair<std::string_view, std::string_view>> grid_names() {
  std::vector<std::pair<std::string_view, std::string_view>> names;
  for (const GridEntry& grid : kGrids) names.emplace_back(grid.name, grid.sentence);
  return names;
}

bool proves_stale(const Plan& plan) { return plan.source == "grid full" && !plan.is_part; }

Plan plan_of_rows(std::string source, std::vector<GridRow> rows) {
  Plan plan{.source = std::move(source), .rows = std::move(rows)};
  for (GridRow& row : plan.rows) {
    row.first = plan.planned;
    row.count = 1;
    for (const Axis& axis : row.axes) row.count *= static_cast<std::int64_t>(axis.size());
    plan.planned += row.count;
  }
  return plan;
}

Plan plan_of_cases(std::vector<Case> cases, std::string source) {
  return plan_of_rows(std::move(source), rows_of(std::move(cases)));
}

}  // namespace upcast
