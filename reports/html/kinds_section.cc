#include "reports/html/kinds_section.h"

#include <algorithm>

#include "cases/counted.h"
#include "reports/html/markup.h"
#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

/// How many ops a matrix lists. Further ones are only counted; the search for the kind finds them.
constexpr std::size_t kMaxOps = 100;

std::string_view meaning(VerdictCode verdict) {
  switch (verdict) {
    case VerdictCode::kDifferAccepts:
      return "the subject answers what the oracle refuses";
    case VerdictCode::kDifferRefusal:
      return "the subject refuses what the oracle answers";
    case VerdictCode::kDifferDType:
      return "the results have other dtypes";
    case VerdictCode::kDifferValue:
      return "the results have other values";
    case VerdictCode::kDifferShape:
      return "the results differ in shape or in number";
    case VerdictCode::kDifferStrides:
      return "the results have other strides";
    case VerdictCode::kDifferAlias:
      return "operands have other values after the call";
    case VerdictCode::kNondeterminism:
      return "two answers to the same call differ";
    case VerdictCode::kCrash:
      return "a side died";
    case VerdictCode::kTimeout:
      return "a side gave no answer in time";
    default:
      return "";
  }
}

std::string short_name(int dtype) {
  const DType named = dtype_from_code(dtype);
  return named == DType::kBool ? "bool" : std::string(info(named).short_name);
}

/// The search term "known:a,b" for the known differences in a row.
std::string known_term(const KindRow& row, const Summary& summary) {
  std::string term;
  for (const int id : row.known) term += (term.empty() ? "known:" : ",") + summary.entry(id)->name;
  return term;
}

/// The mark that stands before a count of known differences' cases.
std::string known_mark() {
  const VerdictLook& look = look_of(VerdictCode::kKnown);
  return fmt::format("<span class=\"mark m-{}\" aria-hidden=\"true\">{}</span>", look.css,
                     look.glyph);
}

/// Two counts: of unexplained cases, then of cases that known differences explain. Each count is a
/// link to its cases.
std::string counts_text(const KindCounts& counts, const KindRow& row, VerdictCode verdict,
                        const std::string& dtype_term, const Summary& summary) {
  const auto query = [&](const std::string& term) {
    return fmt::format("op:{}{} {} in:cases", row.op, dtype_term, term);
  };
  std::string text;
  if (counts.unexplained > 0)
    text += query_text(grouped(counts.unexplained), query(fmt::format("verdict:{}", name(verdict))),
                       summary);
  if (counts.known > 0)
    text += (text.empty() ? "" : " ") + known_mark() +
            query_text(grouped(counts.known), query(known_term(row, summary)), summary);
  return text;
}

/// An example for a row: its first unexplained case, or its known differences if there is none.
std::string example(const KindRow& row, VerdictCode verdict, const RunData& data, std::size_t run) {
  for (const FailureGroup& group : data.failures)
    if (group.verdict == verdict && group.first_case == row.first_case)
      return line_cell(group.line, group.first_case, data.summary, run);
  std::string names;
  for (const int id : row.known)
    names += fmt::format(
        "<small>{}</small>",
        query_text(data.summary.entry(id)->name,
                   "known:" + data.summary.entry(id)->name + " in:cases", data.summary));
  return names;
}

void add_row(std::string& out, const KindRow& row, const KindMatrix& matrix, const RunData& data,
             std::size_t run) {
  add(out, "<tr><th scope=\"row\">{}</th><td class=\"num\">{}</td>", escaped(row.op),
      counts_text(row.counts, row, matrix.verdict, "", data.summary));
  for (const int dtype : matrix.dtypes) {
    const auto found = row.dtypes.find(dtype);
    const std::string term = fmt::format(" dtype:{}", name(dtype_from_code(dtype)));
    add(out, "<td class=\"num\">{}</td>",
        found == row.dtypes.end()
            ? ""
            : counts_text(found->second, row, matrix.verdict, term, data.summary));
  }
  add(out, "<td>{}</td></tr>\n", example(row, matrix.verdict, data, run));
}

void add_matrix(std::string& out, const KindMatrix& matrix, const RunData& data, std::size_t run) {
  add(out, "<section class=\"reason\"><h2>{} {}</h2><p class=\"lead\">{} without explanation",
      verdict_chip(matrix.verdict), meaning(matrix.verdict),
      counted(matrix.counts.unexplained, "case"));
  if (matrix.counts.known > 0) add(out, ", {} known", grouped(matrix.counts.known));
  add(out, ", in {}.</p>", counted(std::ssize(matrix.rows), "op"));
  out += table_start("by-kind", fmt::format("{}: ops by dtypes", name(matrix.verdict)));
  out += "<thead><tr><th scope=\"col\">op</th><th scope=\"col\" class=\"num\">cases</th>";
  for (const int dtype : matrix.dtypes)
    add(out, "<th scope=\"col\" class=\"num\" title=\"{}\">{}</th>", name(dtype_from_code(dtype)),
        escaped(short_name(dtype)));
  out += "<th scope=\"col\">first case</th></tr></thead><tbody>\n";
  const std::size_t shown = std::min(kMaxOps, matrix.rows.size());
  for (std::size_t i = 0; i < shown; ++i) add_row(out, matrix.rows[i], matrix, data, run);
  out += "</tbody></table></div>";
  if (shown < matrix.rows.size())
    add(out, "<p class=\"more\">and {}</p>",
        counted(static_cast<std::int64_t>(matrix.rows.size() - shown), "more op"));
  out += "</section>\n";
}

}  // namespace

std::string kinds_section(const std::vector<RunData>& runs) {
  std::string found;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (!runs[run].rulebooks.empty()) continue;
    const std::vector<KindMatrix>& matrices = runs[run].kinds;
    if (matrices.empty()) continue;
    found += run_heading(runs, run);
    for (const KindMatrix& matrix : matrices) add_matrix(found, matrix, runs[run], run);
  }
  if (found.empty()) return "";
  return "<h1>By kind</h1><p class=\"lead\">Ops over the dtypes of their operands: a case of two "
         "dtypes is counted in both columns. " +
         known_mark() +
         "marks the cases that known differences explain, by the first kind of their entry. Each "
         "count opens its cases.</p>" +
         found;
}

}  // namespace upcast::reports
