// A Grid is a finite product of cases that is enumerated in full. A row is an op in a form with a
// default dtype and one axis for each argument that varies; its cases are the product of its axes,
// last axis fastest.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cases/case.h"
#include "cases/notation.h"
#include "cases/selection.h"

namespace upcast {

/// The operands that one argument takes in turn. Copies of an axis share them: a run keeps the plan
/// of a large grid twice, as a whole and as its subject claims it.
class Axis {
 public:
  Axis(std::vector<Operand> operands)
      : operands_(std::make_shared<const std::vector<Operand>>(std::move(operands))) {}
  Axis(std::initializer_list<Operand> operands) : Axis(std::vector<Operand>(operands)) {}

  std::size_t size() const { return operands_->size(); }
  bool empty() const { return operands_->empty(); }
  const Operand& front() const { return operands_->front(); }
  const Operand& operator[](std::size_t i) const { return (*operands_)[i]; }
  auto begin() const { return operands_->begin(); }
  auto end() const { return operands_->end(); }

 private:
  std::shared_ptr<const std::vector<Operand>> operands_;
};

struct GridRow {
  Case prototype;                // the op, form and operands that do not vary
  std::vector<int> positions{};  // the argument that each axis varies; kOutPosition: out=
  std::vector<Axis> axes{};
  std::int64_t first = 0;  // the number of the row's first case
  std::int64_t count = 0;

  /// Sets the varying operands of `c`, a copy of the prototype, to those of the row's case `index`,
  /// counted from 0.
  void decode(std::int64_t index, Case& c) const;
  /// The row as a line: "add.out({0}, {1}, out={2}) @default=float64". {i} stands for a token of
  /// axis i (print_operand of one of its values). Without axes it is the case line itself.
  std::string line_template() const;
};

struct Plan {
  std::string source{};  // where the cases come from: "grid promotion", a file's name, or "cases"
  std::vector<GridRow> rows{};
  std::int64_t planned = 0;
  Selection selection{};  // what the plan was narrowed to (cases/select.h)
  bool is_part = false;   // whether the selection left cases out

  /// The row that holds a case, found by binary search.
  const GridRow& row_of(std::int64_t index) const;
};

/// Makes the plan of a grid. Throws UsageError for an unknown name, and lists the known ones.
Plan make_grid(std::string_view name);
/// The names of all grids, each with a sentence about it.
std::vector<std::pair<std::string_view, std::string_view>> grid_names();
/// Whether a plan holds every case that a known difference may select. Only then is an entry stale
/// that explains nothing. The grid `full` as a whole is such a plan; other grids are parts of it.
bool proves_stale(const Plan& plan);
/// Makes a plan of rows, which it numbers in order.
Plan plan_of_rows(std::string source, std::vector<GridRow> rows);
/// A plan with one row for each case, in order.
Plan plan_of_cases(std::vector<Case> cases, std::string source);

}  // namespace upcast
