#include "reports/outputs/issue_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "cases/counted.h"
#include "reports/outputs/finding_words.h"
#include "reports/outputs/markdown.h"

namespace upcast::reports {
namespace {

using Kind = DeclaredWitness::Kind;

/// Makes Markdown of our own prose. Only characters that Markdown would treat as markup are
/// escaped, so that the source stays readable.
std::string prose(std::string_view text) {
  const auto is_word = [text](std::size_t at) {
    return at < text.size() && std::isalnum(static_cast<unsigned char>(text[at])) != 0;
  };
  const auto is_blank = [text](std::size_t at) { return at >= text.size() || text[at] == ' '; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool is_markup = c == '`' || c == '\\' || c == '[' ||
                           (c == '_' && !(is_word(i - 1) && is_word(i + 1))) ||
                           (c == '*' && !(is_blank(i - 1) && is_blank(i + 1))) ||
                           (c == '<' && (is_word(i + 1) || text.substr(i + 1).starts_with('/')));
    if (is_markup) out += '\\';
    out += c;
  }
  return out;
}

/// Whether the truth decides who is right. If it does not, paths of LibTorch contradict each other.
bool is_decided(const KnownDifference& entry) { return entry.no_truth.empty(); }

std::string block(std::string_view language, std::string_view program) {
  const std::string fence = markdown_fence(program);
  return fmt::format("{0}{1}\n{2}{3}{0}\n", fence, language, program,
                     program.ends_with('\n') ? "" : "\n");
}

std::string code(std::string_view text) {
  return text.find('`') == text.npos ? fmt::format("`{}`", text) : fmt::format("`` {} ``", text);
}

/// Whether the relative error means something: it is finite and not 0. Between zeros of two signs
/// it is 0.
bool has_finite_error(const MeasuredFinding& finding) {
  return finding.relative_error && !std::isinf(*finding.relative_error) &&
         *finding.relative_error > 0;
}

void add_section(std::string& out, std::string_view heading, const std::string& body) {
  if (!body.empty())
    fmt::format_to(std::back_inserter(out), "\n## {}\n\n{}\n", heading,
                   body.substr(0, body.find_last_not_of('\n') + 1));
}

/// The program of an issue: in Python if Python can make the call, else in C++, else only the call.
std::string program(const MeasuredFinding& finding) {
  if (!finding.python.empty()) return block("python", finding.python);
  const std::string why = "Python cannot show it: " + prose(finding.why_no_python) + ".\n\n";
  return why + (finding.cpp.empty() ? "The call: " + code(finding.case_line) + "\n"
                                    : block("cpp", finding.cpp));
}

std::string observed(const MeasuredFinding& finding) {
  std::string out =
      answer_words(finding.wrong, first_difference(finding.right, finding.wrong), "`");
  if (has_finite_error(finding))
    out += fmt::format(" The relative error is {}.", error_words(*finding.relative_error));
  if (!finding.sample) return out;
  const MeasuredFinding::Sample& sample = *finding.sample;
  out += fmt::format(
      "\n\nAmong {} in {}, {} answered wrongly", counted(sample.inputs, "ordinary random input"),
      sample.dtype,
      sample.wrong == 0 ? "none is" : grouped(sample.wrong) + (sample.wrong == 1 ? " is" : " are"));
  if (sample.wrong > 0)
    out += sample.median_error == sample.largest_error
               ? fmt::format("; the relative error of each is {}", error_words(sample.median_error))
               : fmt::format("; the relative error of those is {} in the median and {} at most",
                             error_words(sample.median_error), error_words(sample.largest_error));
  return out + ".";
}

std::string witness(const DeclaredWitness& each) {
  switch (each.kind) {
    case Kind::kTruth:
      return "This is the exact value, rounded once to the dtype of the result.";
    case Kind::kPath:
      return fmt::format(
          "PyTorch contradicts itself: {}{} should give the same answer, but does not.",
          code(short_call(each.text)),
          each.side.empty() ? "" : ", by " + side_words(each.side) + ",");
    case Kind::kDocumentation: {
      const std::size_t blank = each.text.find(' ');
      return fmt::format("{} says: \"{}\"", each.text.substr(0, blank),
                         prose(each.text.substr(blank + 1)));
    }
    case Kind::kMajority:
      return fmt::format("Independent libraries agree on it: {}.", each.text);
  }
  return "";
}

std::string expected(const MeasuredFinding& finding, const KnownDifference& entry) {
  const std::string right =
      answer_words(finding.right, first_difference(finding.right, finding.wrong), "`");
  std::string out = is_decided(entry)
                        ? right + "\n"
                        : "Every path should give the same answer. Another path gives " + right +
                              " No exact value decides between them.\n";
  const bool is_value = !finding.right.starts_with("refuses");
  for (const DeclaredWitness& each : entry.witnesses)
    if (each.kind != Kind::kTruth || is_value) out += "\n- " + witness(each);
  return out;
}

std::string affected(const MeasuredFinding& finding) {
  const ShownTable table = shown_table(finding);
  if (table.rows.empty()) return "";
  std::string out = "| dtype |", rule = "| --- |";
  for (const std::string& form : table.forms) {
    out += " " + form + " |";
    rule += " --- |";
  }
  out += "\n" + rule + "\n";
  for (const ShownTable::Row& row : table.rows) {
    out += "| " + row.dtype + " |";
    for (const std::string& cell : row.cells) out += " " + cell + " |";
    out += "\n";
  }
  out +=
      "\n*yes* means every path that was asked, the name of a path means that path only, blank "
      "means not asked.";
  out += table.never.empty() ? "\n"
                             : fmt::format(" The bug does not show in {}.\n", listed(table.never));
  for (const std::string& line : shown_by_path(finding)) out += "\n- " + line;
  return out;
}

/// A section about a further finding with the same cause, in short.
std::string same_cause(const ReportFinding& finding) {
  const auto& [measured, entry] = finding;
  return fmt::format("{}\n\n{}\n\n{}\nObserved: {}\n\nExpected: {}",
                     prose(as_sentence(issue_title(measured, entry))),
                     prose(as_sentence(without_finder(entry.reason))), program(measured),
                     observed(measured), expected(measured, entry));
}

/// Each once.
std::vector<std::string> united(const ReportFinding& finding, std::span<const ReportFinding> others,
                                std::vector<std::string> KnownDifference::*addresses) {
  std::vector<std::string> all = finding.entry.*addresses;
  for (const ReportFinding& other : others)
    for (const std::string& each : other.entry.*addresses)
      if (std::ranges::find(all, each) == all.end()) all.push_back(each);
  return all;
}

std::string links(std::string_view before, const std::vector<std::string>& addresses) {
  return addresses.empty() ? "" : fmt::format("{} {}\n\n", before, fmt::join(addresses, ", "));
}

}  // namespace

std::string issue_title(const MeasuredFinding& finding, const KnownDifference& entry) {
  std::string title = callee_words(finding) + " " + fault_words(finding);
  if (!is_decided(entry)) title += " that another path gives";
  std::string notes = dtype_of_line(finding.case_line);
  if (has_finite_error(finding))
    notes +=
        (notes.empty() ? "" : ", ") + ("relative error " + error_words(*finding.relative_error));
  return notes.empty() ? title : fmt::format("{} ({})", title, notes);
}

std::string issue_markdown(const ReportFinding& finding, std::span<const ReportFinding> others) {
  const auto& [measured, entry] = finding;
  std::string out = fmt::format("# {}\n\n{}\n", issue_title(measured, entry),
                                prose(as_sentence(without_finder(entry.reason))));
  add_section(out, "To reproduce", program(measured));
  add_section(out, "Observed", observed(measured));
  add_section(out, "Expected", expected(measured, entry));
  add_section(out, "Affected", affected(measured));
  for (const ReportFinding& other : others) add_section(out, "The same cause", same_cause(other));
  add_section(out, "Place",
              entry.place.empty()
                  ? ""
                  : code(entry.place) +
                        (entry.mend.empty() ? "" : "\n\n" + prose(as_sentence(entry.mend))));
  add_section(out, "Versions", version_words(measured));
  add_section(out, "Threads",
              links("About this:", united(finding, others, &KnownDifference::links)) +
                  links("Possibly related:", united(finding, others, &KnownDifference::related)));
  return out;
}

std::vector<ReportFinding> others_of_its_cause(const ReportFinding& finding,
                                               std::span<const ReportFinding> all) {
  std::vector<ReportFinding> others;
  for (const ReportFinding& each : all)
    if (each.entry.cause == finding.entry.cause && each.entry.id != finding.entry.id)
      others.push_back(each);
  return others;
}

}  // namespace upcast::reports
