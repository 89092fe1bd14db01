#include "tools/store_bridge.h"

#include <fmt/format.h>

#include "cases/notation.h"

namespace upcast::tools {

std::vector<reports::GridRow> store_rows(const Plan& plan) {
  std::vector<reports::GridRow> rows;
  rows.reserve(plan.rows.size());
  for (const GridRow& row : plan.rows) {
    reports::GridRow stored;
    stored.id = std::ssize(rows);
    stored.op = row.prototype.op->spec->name;
    stored.family = row.prototype.op->family;
    stored.schema = row.prototype.callable();
    stored.form = name(row.prototype.form);
    stored.default_dtype = name(row.prototype.defaults.floating);
    stored.first = row.first;
    stored.count = row.count;
    stored.line_template = row.line_template();
    for (const auto& axis : row.axes) {
      auto& tokens = stored.axes.emplace_back();
      for (const Operand& operand : axis) tokens.push_back(print_operand(operand));
    }
    rows.push_back(std::move(stored));
  }
  return rows;
}

namespace {

const char* side_name(KnownScope::Wrong wrong) {
  if (wrong == KnownScope::Wrong::kNeither) return "";
  return wrong == KnownScope::Wrong::kOracle ? "oracle" : "subject";
}

}  // namespace

std::vector<reports::KnownEntry> store_known(const std::vector<KnownDifference>& known,
                                             const KnownScope& scope) {
  std::vector<reports::KnownEntry> entries;
  entries.reserve(known.size());
  for (const KnownDifference& difference : known) {
    entries.push_back({.id = static_cast<int>(entries.size()) + 1,
                       .name = difference.id,
                       .difference_class = difference.difference_class,
                       .selector = difference.selector_text,
                       .oracle_answer = difference.wrong_answer,
                       .kind = fmt::format("{}", fmt::join(difference.kinds, ", ")),
                       .versions = difference.versions,
                       .reason = difference.reason,
                       .found = difference.found,
                       .link = fmt::format("{}", fmt::join(difference.links, " ")),
                       .case_line = difference.case_line,
                       .wrong = side_name(scope.wrong_side(difference)),
                       .python = difference.python,
                       .witness = difference.witness_text()});
  }
  return entries;
}

}  // namespace upcast::tools
