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
  if (wrong == KnownScope::Wrong::kNobody) return "";
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
                       .kind = difference.kind,
                       .versions = difference.versions,
                       .reason = difference.reason,
                       .found = difference.found,
                       .link = fmt::format("{}", fmt::join(difference.links, " ")),
                       .case_line = difference.case_line,
                       .wrong = side_name(scope.wrong_side(difference)),
                       .python = difference.python});
  }
  return entries;
}

reports::BlockResult store_block(const BlockResult& block, const reports::RunStore& store) {
  reports::BlockResult stored;
  stored.id = block.id;
  stored.first = block.first;
  stored.count = block.count;
  stored.values_judged = block.values_judged;
  stored.verdict.reserve(block.verdict.size());
  for (const std::uint8_t verdict : block.verdict) {
    stored.verdict.push_back(static_cast<reports::VerdictByte>(verdict));
  }
  stored.known = block.known;
  stored.subject = block.subject;
  stored.oracle = block.oracle;
  stored.matched = block.matched;
  const std::vector<reports::KnownEntry>& known = store.plan().known;
  for (const CaseRecord& record : block.records) {
    if (record.verdict == VerdictCode::kAgree) continue;
    reports::RecordRow row;
    row.case_index = record.case_index;
    row.line = record.line.empty() ? store.line(record.case_index) : record.line;
    row.verdict = name(record.verdict);
    row.known = record.known == 0 ? "" : known.at(record.known - 1).name;
    row.subject = record.subject;
    row.oracle = record.oracle;
    row.detail = record.detail;
    row.signature = record.signature;
    stored.records.push_back(std::move(row));
  }
  return stored;
}

}  // namespace upcast::tools
