#include "cases/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "cases/suggest.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

/// The most ops that a message lists.
constexpr std::size_t kFewOps = 12;

/// Leaves only the selected operands in a row's axes. False if nothing is left of the row.
bool narrow(GridRow& row, const Selection& selection) {
  Case& c = row.prototype;
  if (!selection.has(c)) return false;
  for (std::size_t i = 0; i < row.axes.size(); ++i) {
    const auto is_selected = [&](const Operand& operand) {
      return selection.why_not(c, row.positions[i], operand).empty();
    };
    Axis& axis = row.axes[i];
    if (!std::all_of(axis.begin(), axis.end(), is_selected)) {
      std::vector<Operand> left;
      std::copy_if(axis.begin(), axis.end(), std::back_inserter(left), is_selected);
      if (left.empty()) return false;
      axis = std::move(left);
    }
    c.operand(row.positions[i]) = axis.front();
  }
  return selection.why_not(c).empty();  // not if an operand without an axis is excluded
}

std::set<std::string_view> ops_in(const Plan& plan) {
  std::set<std::string_view> ops;
  for (const GridRow& row : plan.rows) ops.insert(row.prototype.op->spec->name);
  return ops;
}

}  // namespace

Plan select(Plan plan, const Selection& selection) {
  // Rows that stay are not copied: freeing the others between them would leave a heap of small
  // pieces, which slows down all that follows.
  auto end = plan.rows.begin();
  for (GridRow& row : plan.rows) {
    if (!narrow(row, selection)) continue;
    if (&*end != &row) *end = std::move(row);
    ++end;
  }
  plan.rows.erase(end, plan.rows.end());
  Plan part = plan_of_rows(std::move(plan.source), std::move(plan.rows));
  part.selection = plan.selection & selection;
  part.is_part = plan.is_part || part.planned != plan.planned;
  return part;
}

Plan select(Plan plan, const SelectionWords& words) {
  const std::set<std::string_view> ops = ops_in(plan);
  Plan part = select(std::move(plan), parse_selection(words));
  if (part.planned > 0) return part;
  const std::vector<std::string_view> candidates(ops.begin(), ops.end());
  std::string hint;
  if (!words.ops.empty() && !ops.contains(words.ops.front()))
    hint = did_you_mean(words.ops.front(), candidates);
  if (hint.empty() && ops.size() <= kFewOps)
    hint = fmt::format("; its ops are {}", fmt::join(ops, ", "));
  throw UsageError(words.text() + " selects no case of " + part.source + hint);
}

PlanSize size_of(const Plan& plan) { return {plan.planned, std::ssize(ops_in(plan))}; }

}  // namespace upcast
