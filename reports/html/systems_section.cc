#include "reports/html/systems_section.h"

#include <algorithm>

#include "reports/html/markup.h"

namespace upcast::reports {
namespace {

std::string label_of(AnswerByte answer) {
  if (answer == kNotRunByte) return "?";
  if (!is_dtype(answer)) return "-";
  const DType dtype = dtype_from_code(answer);
  return dtype == DType::kBool ? "bool" : std::string(info(dtype).short_name);
}

/// The text of an operand as a label of an axis: "i64" for "int64[2]". A number such as "True"
/// stays.
std::string axis_label(const std::string& token) {
  const int found = find_dtype_code(token.substr(0, token.find('[')));
  return found == kDTypeCount ? token : label_of(static_cast<AnswerByte>(found));
}

std::string percent(const Agreement& agreement) {
  if (agreement.both == 0) return "";
  return fmt::format(
      "{:.0f}", 100.0 * static_cast<double>(agreement.alike) / static_cast<double>(agreement.both));
}

void add_pairs(std::string& out, const RulebookFold& fold) {
  out += "<h3>Rule books against the libraries' tables</h3>";
  out += table_start("systems", "Rule books against the libraries' tables");
  out += "<thead><tr><th scope=\"col\">rule book</th><th scope=\"col\">table</th>";
  for (const char* heading :
       {"cells", "agree", "declared", "outside", "silent", "no kernel", "unexplained"})
    add(out, "<th scope=\"col\" class=\"num\">{}</th>", heading);
  out += "</tr></thead><tbody>\n";
  std::vector<PairCounts> rows = fold.pairs;
  rows.push_back(fold.total());
  rows.back().book = "all";
  for (const PairCounts& row : rows) {
    add(out,
        "<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"num\">{}</td><td "
        "class=\"num\">{}</td><td "
        "class=\"num\">{}</td><td class=\"num\">{}</td><td class=\"num\">{}</td><td "
        "class=\"num\">{}</td><td class=\"num\">{}</td></tr>\n",
        escaped(row.book), escaped(row.table), grouped(row.cells), grouped(row.agree),
        grouped(row.declared), grouped(row.outside), grouped(row.silent), grouped(row.no_kernel),
        grouped(row.unexplained));
  }
  out += "</tbody></table></div>\n";
}

void add_matrix(std::string& out, const RulebookFold& fold) {
  out +=
      "<h3>Which systems agree</h3><p class=\"lead\">Per cent of cells with the same answer (the "
      "same dtype, or both refuse), among the cells about which both systems say something. "
      "Asked: ";
  for (size_t i = 0; i < fold.questions.size(); ++i)
    add(out, "{}<code>{}</code>", i == 0 ? "" : ", ", escaped(fold.questions[i].text));
  add(out, ".</p>{}<thead><tr><td></td>",
      table_start("systems", "Per cent of cells with the same answer from two systems"));
  for (const SystemAnswers& system : fold.systems)
    add(out, "<th scope=\"col\" class=\"num\">{}</th>", escaped(system.name));
  out += "</tr></thead><tbody>\n";
  for (const SystemAnswers& a : fold.systems) {
    add(out, "<tr><th scope=\"row\">{}</th>", escaped(a.name));
    for (const SystemAnswers& b : fold.systems) {
      const Agreement found = compare_systems(a, b);
      add(out, "<td class=\"num\" title=\"{} and {}: {} of {} cells\">{}</td>", escaped(a.name),
          escaped(b.name), grouped(found.alike), grouped(found.both), percent(found));
    }
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
}

/// The text of a cell, for questions that two systems were asked: their common answer, or both
/// answers.
std::string cells_text(const ComparedAxes& axes, const std::vector<AnswerByte>& a,
                       const std::vector<AnswerByte>& b) {
  std::vector<std::vector<std::string>> rows{{axes.text}};
  for (const std::string& column : axes.columns) rows.front().push_back(axis_label(column));
  for (size_t row = 0; row < axes.rows.size(); ++row) {
    std::vector<std::string> cells{axis_label(axes.rows[row])};
    for (size_t column = 0; column < axes.columns.size(); ++column) {
      const size_t at = row * axes.columns.size() + column;
      const bool silent = a[at] == kNotRunByte && b[at] == kNotRunByte;
      cells.push_back(silent                       ? "."
                      : answer_alike(a[at], b[at]) ? label_of(a[at])
                                                   : label_of(a[at]) + "/" + label_of(b[at]));
    }
    rows.push_back(std::move(cells));
  }
  std::vector<size_t> widths(rows.front().size());
  for (const auto& cells : rows)
    for (size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], cells[i].size());
  std::string text;
  for (const auto& cells : rows) {
    for (size_t i = 0; i < cells.size(); ++i)
      text += fmt::format("{:<{}}", cells[i], widths[i] + 1);
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

void add_pair_of_systems(std::string& out, const RulebookFold& fold, const SystemAnswers& a,
                         const SystemAnswers& b) {
  const Agreement all = compare_systems(a, b);
  if (all.both == 0) return;
  add(out, "<details><summary>{} / {}: {} of {} cells alike</summary><pre>", escaped(a.name),
      escaped(b.name), grouped(all.alike), grouped(all.both));
  for (size_t question = 0; question < fold.questions.size(); ++question) {
    if (compare_systems(a, b, question).both == 0) continue;
    out += escaped(cells_text(fold.questions[question], a.answers[question], b.answers[question]));
    out += '\n';
  }
  out += "</pre></details>\n";
}

/// Whether any of the report's runs is one of rule books.
bool has_systems(const std::vector<RunData>& runs) {
  return std::any_of(runs.begin(), runs.end(),
                     [](const RunData& run) { return !run.rulebooks.empty(); });
}

}  // namespace

std::string systems_section(const std::vector<RunData>& runs) {
  if (!has_systems(runs)) return "";
  std::string out = "<h1>Systems</h1>";
  for (size_t run = 0; run < runs.size(); ++run) {
    const RulebookFold& fold = runs[run].rulebooks;
    if (fold.empty()) continue;
    out += run_heading(runs, run);
    if (!fold.pairs.empty()) add_pairs(out, fold);
    if (fold.systems.size() < 2) continue;
    add_matrix(out, fold);
    out +=
        "<h3>Dtype by dtype</h3><p class=\"lead\">Rows are the left operand, columns the right "
        "one. One label means the same answer, two labels the answer of each. - is a refusal, ? "
        "says nothing, . means that neither says anything.</p>\n";
    for (size_t a = 0; a < fold.systems.size(); ++a)
      for (size_t b = a + 1; b < fold.systems.size(); ++b)
        add_pair_of_systems(out, fold, fold.systems[a], fold.systems[b]);
  }
  return out;
}

}  // namespace upcast::reports
