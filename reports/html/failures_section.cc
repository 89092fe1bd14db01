#include <algorithm>

#include "cases/counted.h"
#include "oracle/verdict_text.h"
#include "reports/html/markup.h"
#include "reports/html/reasons.h"
#include "reports/html/static_page.h"
#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

/// How many rows of a run the section shows. Further ones are only counted; the map has them.
constexpr size_t kMaxRows = 300;
/// How many ops one line names. Further ones are only counted.
constexpr size_t kMaxOps = 12;

/// Advice on what to do about an unexplained case.
std::string finding_note(const CaseRecord& record, const Summary& summary) {
  if (record.signature.empty() || record.verdict.code == VerdictCode::kExpectation) return "";
  return fmt::format(
      "<details class=\"finding\"><summary>commands</summary><small>{}</small>"
      "<small><code>{}</code></small><small><code>{} --cpp repro.cc --python "
      "repro.py</code></small>"
      "</details>",
      escaped(record.signature), escaped(command_text("minimize", record.line, summary)),
      escaped(command_text("repro", record.line, summary)));
}

void add_row(std::string& out, const FailureGroup& group, const Summary& summary, size_t run) {
  const std::string told = sentence(group.record.verdict);
  const std::string wrong = wrong_sentence(group.record.verdict, nullptr, summary.sides());
  const std::string subject =
      group.record.subject.empty() ? answer_name(group.subject) : group.record.subject;
  const std::string oracle =
      group.record.oracle.empty() ? answer_name(group.oracle) : group.record.oracle;
  add(out, "<tr><td data-label=\"op\"><b>{}</b><small>{}</small></td>", escaped(group.schema),
      escaped(group.form == "in_place" ? "in-place" : group.form));
  add(out, "<td class=\"num\" data-label=\"cases\">{}</td>",
      query_text(grouped(group.count), group_query(group), summary));
  add(out, "<td data-label=\"{}\"><code>{}</code></td>", escaped(summary.subject_name()),
      escaped(subject));
  add(out, "<td data-label=\"{}\"><code>{}</code></td>", escaped(summary.oracle_name()),
      escaped(oracle));
  add(out, "<td data-label=\"first case\">{}{}</td></tr>\n",
      line_cell(group.line, group.first_case, summary, run),
      (wrong.empty() ? "" : fmt::format("<small>{}.</small>", escaped(wrong))) +
          (told.empty() ? "" : fmt::format("<small>{}</small>", escaped(told))) +
          finding_note(group.record, summary));
}

/// Ops in words: "in 2 ops: add, sub".
std::string op_words(const std::vector<std::string_view>& ops) {
  std::string out = fmt::format("in {}: ", counted(std::ssize(ops), "op"));
  for (size_t i = 0; i < std::min(ops.size(), kMaxOps); ++i)
    out += (i > 0 ? ", " : "") + escaped(ops[i]);
  if (ops.size() > kMaxOps) out += fmt::format(" and {} more", ops.size() - kMaxOps);
  return out;
}

/// Adds one reason for differences, with rows for its first `limit` groups of cases.
void add_reason(std::string& out, const Reason& reason, const Summary& summary, size_t run,
                size_t limit) {
  add(out, "<section class=\"reason\"><h2>{} {}</h2><p class=\"lead\">{} {} {}</p>",
      verdict_chip(reason.verdict), escaped(reason.sentence),
      query_text(grouped(reason.count), reason.query, summary),
      noun(static_cast<uint64_t>(reason.count), "case"), op_words(reason.ops()));
  out += table_start("stack", reason.sentence);
  add(out,
      "<thead><tr><th scope=\"col\">op</th><th scope=\"col\" class=\"num\">cases</th>"
      "<th scope=\"col\">{} says</th><th scope=\"col\">{} says</th>"
      "<th scope=\"col\">first case</th></tr></thead><tbody>\n",
      escaped(summary.subject_name()), escaped(summary.oracle_name()));
  const size_t shown = std::min(limit, reason.groups.size());
  for (size_t i = 0; i < shown; ++i) add_row(out, *reason.groups[i], summary, run);
  out += "</tbody></table></div>";
  if (shown < reason.groups.size())
    add(out, "<p class=\"more\">and {}</p>",
        counted(static_cast<int64_t>(reason.groups.size() - shown), "more kind of call",
                "more kinds of call"));
  out += "</section>\n";
}

/// Adds all reasons for a run's differences, each with at least one row.
void add_reasons(std::string& out, const RunData& data, size_t run) {
  const std::vector<Reason> reasons = reasons_of(data);
  add(out,
      "<p class=\"lead\">{}, grouped by what they have in common. The most severe come first.</p>",
      counted(data.summary.counts.unexplained, "unexplained case"));
  size_t room = kMaxRows;
  for (const Reason& reason : reasons) {
    const size_t rows = std::min(std::max<size_t>(room, 1), reason.groups.size());
    add_reason(out, reason, data.summary, run, rows);
    room -= std::min(room, rows);
  }
}

/// A table with one line for each reason why cases were not judged. A subject may lack hundreds of
/// ops for one reason.
std::string not_judged_table(const RunData& data, size_t run) {
  if (data.not_judged.empty()) return "";
  std::string out =
      "<h2>Not judged</h2><p class=\"lead\">Counted by reason; each op counts under the reason of "
      "its first recorded case.</p>" +
      table_start("stack", "Cases of " + data.summary.title() + " that are not judged") +
      "<thead><tr><th scope=\"col\">reason</th><th scope=\"col\" class=\"num\">cases</th>"
      "<th scope=\"col\">ops</th><th scope=\"col\">first case</th></tr></thead><tbody>\n";
  for (const NotJudgedGroup& group : data.not_judged) {
    std::vector<std::string_view> ops;
    for (const auto& [op, cases] : group.ops) ops.push_back(op);
    add(out,
        "<tr><td data-label=\"reason\">{}</td><td class=\"num\" data-label=\"cases\">{}</td>"
        "<td data-label=\"ops\">{}</td><td data-label=\"first case\">{}</td></tr>\n",
        group.reason.empty() ? "no case has a record" : escaped(group.reason), grouped(group.count),
        op_words(ops),
        group.line.empty() ? std::string() : line_cell(group.line, -1, data.summary, run));
  }
  return out + "</tbody></table></div>";
}

}  // namespace

std::string failures_section(const std::vector<RunData>& runs) {
  std::string out = "<h1>Differences</h1>";
  for (size_t run = 0; run < runs.size(); ++run) {
    const RunData& data = runs[run];
    out += run_heading(runs, run);
    if (data.failures.empty()) {
      add(out, "<p class=\"lead\">No unexplained difference in {}{}.</p>",
          data.summary.judged_words(), data.summary.open_words());
    } else {
      add_reasons(out, data, run);
    }
    out += not_judged_table(data, run);
  }
  return out;
}

}  // namespace upcast::reports
