#include "reports/html/findings_section.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/counted.h"
#include "cases/json_text.h"
#include "oracle/verdict_text.h"
#include "reports/html/markup.h"
#include "reports/html/planes.h"
#include "reports/html/upstream.h"
#include "reports/outputs/finding_words.h"
#include "reports/outputs/issue_markdown.h"

namespace upcast::reports {
namespace {

constexpr std::size_t kMaxOps = 3;  // how many ops a row names; further ones are only counted

/// The facets of a finding as an attribute of its row and its card, with line breaks between them.
/// page/findings.js reads it.
std::string facets(const FindingRow& row) {
  return fmt::format(
      "data-finding=\"{}\" data-severity=\"{}\" data-class=\"{}\" data-side=\"{}\" data-op=\"{}\"",
      escaped(row.name), escaped(severity_words(row.severity)), escaped(row.group),
      escaped(row.side), escaped(fmt::format("{}", fmt::join(row.ops, "\n"))));
}

std::string op_cell(const std::vector<std::string>& ops) {
  std::string out;
  for (std::size_t i = 0; i < std::min(ops.size(), kMaxOps); ++i)
    out += (i > 0 ? ", " : "") + escaped(ops[i]);
  if (ops.size() > kMaxOps) add(out, " <small>and {} more</small>", ops.size() - kMaxOps);
  return out;
}

/// The table cell that says who can meet the finding.
std::string reach_cell(const FindingRow& row) {
  if (row.measured == nullptr) return "";
  const MeasuredFinding& finding = row.measured->measured;
  const MeasuredFinding::Reach& reach = finding.reach;
  const std::string_view hidden = finding.python.empty() ? "C++ only" : "torch.ops only";
  return fmt::format("{}<small>{}</small>",
                     reach.python.empty() ? std::string(hidden)
                                          : fmt::format("<code>{}</code>", escaped(reach.python)),
                     reach.default_path ? "default CPU path" : "other settings only");
}

std::string cases_cell(const FindingRow& row, const Summary& summary) {
  std::string out = query_text(grouped(row.cases), row.query, summary);
  if (row.fuzzed > 0) add(out, "<small>{} fuzzed</small>", grouped(row.fuzzed));
  return out;
}

void add_row(std::string& out, const FindingRow& row, const std::vector<RunData>& runs) {
  add(out,
      "<tr {}><td data-label=\"severity\">{}</td>"
      "<td data-label=\"what is wrong\"><a href=\"#findings/{}\">{}</a><small>{}</small></td>"
      "<td data-label=\"op\">{}</td><td data-label=\"class\">{}</td>"
      "<td data-label=\"reach\">{}</td><td class=\"num\" data-label=\"cases\">{}</td></tr>\n",
      facets(row), escaped(severity_words(row.severity)), escaped(url_part(row.name)),
      escaped(row.fault), escaped(row.label), op_cell(row.ops), escaped(row.group), reach_cell(row),
      cases_cell(row, runs[row.run].summary));
}

void add_fact(std::string& out, std::string_view label, const std::string& html) {
  if (!html.empty()) add(out, "<div><dt>{}</dt><dd>{}</dd></div>", label, html);
}

std::string code(std::string_view text) {
  return text.empty() ? "" : fmt::format("<code>{}</code>", escaped(text));
}

std::string sample_words(const MeasuredFinding& finding) {
  if (!finding.sample) return "";
  const MeasuredFinding::Sample& sample = *finding.sample;
  return fmt::format("{} of {} in {}; relative error {} in the median, {} at most",
                     grouped(sample.wrong), counted(sample.inputs, "random input"),
                     escaped(sample.dtype), error_words(sample.median_error),
                     error_words(sample.largest_error));
}

std::string affected_table(const MeasuredFinding& finding) {
  const ShownTable table = shown_table(finding);
  if (table.rows.empty()) return "";
  std::string out = "<h4>Affected</h4>" +
                    table_start("affected", "Dtypes and forms that show " + finding.id) +
                    "<thead><tr><th scope=\"col\">dtype</th>";
  for (const std::string& form : table.forms) add(out, "<th scope=\"col\">{}</th>", escaped(form));
  out += "</tr></thead><tbody>";
  for (const ShownTable::Row& row : table.rows) {
    add(out, "<tr><th scope=\"row\">{}</th>", escaped(row.dtype));
    for (const std::string& cell : row.cells) add(out, "<td>{}</td>", escaped(cell));
    out += "</tr>";
  }
  out += "</tbody></table></div><ul class=\"paths\">";
  if (!table.never.empty())
    add(out, "<li>The bug does not show in {}.</li>", escaped(listed(table.never)));
  for (const std::string& line : shown_by_path(finding)) add(out, "<li>{}</li>", escaped(line));
  return out + "</ul>";
}

/// The part of a card with the program that its button copies. Under a toggle, which the script
/// adds, is the program in C++.
std::string program_part(const MeasuredFinding& finding) {
  std::string out = fmt::format(
      "<p class=\"copies needs-script\"><button type=\"button\" data-copies=\"program\" "
      "aria-label=\"Copy program: {0}\">Copy program</button> <button type=\"button\" "
      "data-copies=\"issue\" aria-label=\"Copy as GitHub issue: {0}\">Copy as GitHub "
      "issue</button></p>",
      escaped(finding.id));
  if (finding.python.empty())
    add(out, "<p class=\"lead\">No Python program: {}.</p>", escaped(finding.why_no_python));
  else
    add(out, "<pre tabindex=\"0\"><code class=\"python\">{}</code></pre>", escaped(finding.python));
  return out + "<div class=\"more-programs\"></div>";
}

std::string measured_card(const FindingRow& row) {
  const MeasuredFinding& finding = row.measured->measured;
  const KnownDifference& entry = row.measured->entry;
  std::string out =
      fmt::format("<p>{}</p>{}<dl>", escaped(as_sentence(entry.reason)), program_part(finding));
  add_fact(out, row.measured->entry.no_truth.empty() ? "right" : "another path gives",
           code(finding.right));
  add_fact(out, "wrong", code(finding.wrong));
  if (finding.relative_error) add_fact(out, "relative error", error_words(*finding.relative_error));
  add_fact(out, "ordinary inputs", sample_words(finding));
  add_fact(out, "witness", escaped(short_call(entry.witness_text())));
  add_fact(out, "wrong side", escaped(row.side));
  add_fact(out, "versions", escaped(version_words(finding)));
  if (entry.cause != entry.id) add_fact(out, "shared cause", code(entry.cause));
  add_fact(out, "place", code(entry.place));
  add_fact(out, "mend", escaped(entry.mend));
  add_fact(out, "upstream", links_markup(fmt::format("{}", fmt::join(entry.links, " "))));
  add_fact(out, "possibly related", links_markup(fmt::format("{}", fmt::join(entry.related, " "))));
  return out;
}

/// The card of a known difference without measurements, or of an unexplained difference.
std::string told_card(const FindingRow& row, const Summary& summary) {
  std::string out;
  if (row.entry != nullptr) {
    add(out, "<p>{}</p><dl>", escaped(row.entry->reason));
    add_fact(out, "wrong answer", code(row.entry->oracle_answer));
    add_fact(out, "witness", escaped(row.entry->witness));
    add_fact(out, "upstream", links_markup(row.entry->link));
  } else if (row.failure != nullptr) {
    const CaseRecord& record = row.failure->record;
    const std::string wrong = wrong_sentence(record.verdict, nullptr, summary.sides());
    if (!wrong.empty()) add(out, "<p>{}.</p>", escaped(wrong));
    out += "<div class=\"more-programs\"></div><dl>";
    add_fact(out, escaped(summary.subject_name()), code(record.subject));
    add_fact(out, escaped(summary.oracle_name()), code(record.oracle));
    add_fact(out, "verdict", escaped(sentence(record.verdict)));
  } else {
    out += "<dl>";
    add_fact(out, "signature", code(row.fuzzed_case->signature));
    add_fact(out, "subject says", code(row.fuzzed_case->subject));
    add_fact(out, "oracle says", code(row.fuzzed_case->oracle));
  }
  add_fact(out, "wrong side", escaped(row.side));
  return out;
}

/// What a card says about the finding's case, with a link to the case's page.
std::string case_facts(const FindingRow& row, const Summary& summary) {
  std::string out;
  const std::int64_t index = row.record != nullptr    ? row.record->case_index
                             : row.failure != nullptr ? row.failure->first_case
                                                      : -1;
  const std::string& line = row.record != nullptr        ? row.record->line
                            : row.failure != nullptr     ? row.failure->line
                            : row.fuzzed_case != nullptr ? row.fuzzed_case->line
                            : row.measured != nullptr    ? row.measured->measured.case_line
                                                         : row.entry->case_line;
  if (!line.empty())
    add_fact(out, index < 0 ? "case" : "first case", line_cell(line, index, summary, row.run));
  if (row.measured != nullptr && row.measured->measured.case_line != line)
    add_fact(out, "strongest case",
             line_cell(row.measured->measured.case_line, -1, summary, row.run));
  if (row.entry != nullptr)
    add_fact(out, "declared as",
             fmt::format("<a href=\"#known/{}\">{}</a>", escaped(url_part(row.name)),
                         escaped(row.name)));
  if (row.group == kNewFinding && !line.empty())
    add_fact(out, "programs",
             fmt::format("<code>{} --cpp repro.cc --python repro.py</code>",
                         escaped(command_text("repro", line, summary))));
  return out;
}

std::string card_title(const FindingRow& row) {
  if (row.measured != nullptr) return issue_title(row.measured->measured, row.measured->entry);
  return row.label + ": " + row.fault;
}

void add_card(std::string& out, const FindingRow& row, const Summary& summary) {
  add(out,
      "<details class=\"entry finding-card\" id=\"finding-{}\" tabindex=\"-1\" {} data-run=\"{}\" "
      "data-case=\"{}\"><summary><h3>{}</h3> <span class=\"chip\">{}</span> <span "
      "class=\"chip\">{}</span></summary>{}{}</dl>{}</details>\n",
      escaped(row.name), facets(row), row.run,
      row.failure != nullptr ? row.failure->first_case : -1, escaped(card_title(row)),
      escaped(severity_words(row.severity)), escaped(row.group),
      row.measured != nullptr ? measured_card(row) : told_card(row, summary),
      case_facts(row, summary),
      row.measured != nullptr ? affected_table(row.measured->measured) : "");
}

}  // namespace

std::string findings_section(const FindingRows& findings, const std::vector<RunData>& runs) {
  if (findings.rows.empty()) return "";
  std::string out =
      "<h1>Findings</h1><p class=\"lead\">The worst come first. Known differences explain most of "
      "them. <em>New</em> ones have no explanation, and only their verdict tells how severe they "
      "are.</p><div class=\"controls facets needs-script\"></div><p class=\"lead facets-found "
      "needs-script\" role=\"status\"></p>" +
      table_start("stack findings", "Findings, the worst first") +
      "<thead><tr><th scope=\"col\">severity</th><th scope=\"col\">what is wrong</th><th "
      "scope=\"col\">op</th><th scope=\"col\">class</th><th scope=\"col\">reach</th><th "
      "scope=\"col\" class=\"num\">cases</th></tr></thead><tbody>\n";
  for (const FindingRow& row : findings.rows) add_row(out, row, runs);
  out += "</tbody></table></div>";
  if (findings.new_left_out > 0)
    add(out, "<p class=\"more\">and {} under <a href=\"#failures\">Differences</a></p>",
        counted(findings.new_left_out, "more new one"));
  out += "<h2>One by one</h2>";
  for (const FindingRow& row : findings.rows) add_card(out, row, runs[row.run].summary);
  return out;
}

std::int64_t finding_count(const FindingRows& findings) {
  return static_cast<std::int64_t>(findings.rows.size()) + findings.new_left_out;
}

std::string findings_json(const FindingRows& findings) {
  std::vector<ReportFinding> all;
  for (const FindingRow& row : findings.rows)
    if (row.measured != nullptr) all.push_back(*row.measured);
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const FindingRow& row : findings.rows)
    if (row.measured != nullptr)
      list.push_back(
          {{"name", row.name},
           {"issue", issue_markdown(*row.measured, others_of_its_cause(*row.measured, all))},
           {"cpp", row.measured->measured.cpp}});
  return base64(deflated(dump_json(list)));
}

}  // namespace upcast::reports
