#include "cases/select.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cases/suggest.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

/// The most ops that a message lists.
constexpr std::size_t kFewOps = 12;

/// A grid row with only the selected operands in its axes. Nothing if an axis has no operand left.
std::optional<GridRow> selected(GridRow row, const Selection& selection) {
  Case& c = row.prototype;
  if (!selection.has(c)) return std::nullopt;
  for (std::size_t i = 0; i < row.axes.size(); ++i) {
    std::erase_if(row.axes[i], [&](const Operand& operand) {
      return !selection.why_not(c, row.positions[i], operand).empty();
    });
    if (row.axes[i].empty()) return std::nullopt;
    c.operand(row.positions[i]) = row.axes[i].front();
  }
  if (!selection.why_not(c).empty()) return std::nullopt;  // an operand without an axis is excluded
  return row;
}

std::set<std::string_view> ops_in(const Plan& plan) {
  std::set<std::string_view> ops;
  for (const GridRow& row : plan.rows) ops.insert(row.prototype.op->spec->name);
  return ops;
}

}  // namespace

Plan select(const Plan& plan, const Selection& selection) {
  std::vector<GridRow> rows;
  for (const GridRow& row : plan.rows)
    if (auto left = selected(row, selection)) rows.push_back(*std::move(left));
  Plan part = plan_of_rows(plan.source, std::move(rows));
  part.selection = plan.selection & selection;
  part.is_part = plan.is_part || part.planned != plan.planned;
  return part;
}

Plan select(const Plan& plan, const SelectionWords& words) {
  Plan part = select(plan, parse_selection(words));
  if (part.planned > 0) return part;
  const std::set<std::string_view> ops = ops_in(plan);
  const std::vector<std::string_view> candidates(ops.begin(), ops.end());
  std::string hint;
  if (!words.ops.empty() && !ops.contains(words.ops.front()))
    hint = did_you_mean(words.ops.front(), candidates);
  if (hint.empty() && ops.size() <= kFewOps)
    hint = fmt::format("; its ops are {}", fmt::join(ops, ", "));
  throw UsageError(words.text() + " selects no case of " + plan.source + hint);
}

PlanSize size_of(const Plan& plan) { return {plan.planned, std::ssize(ops_in(plan))}; }

}  // namespace upcast
