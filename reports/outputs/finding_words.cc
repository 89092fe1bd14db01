#include "reports/outputs/finding_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "cases/counted.h"
#include "impl/ops/catalogue.h"

namespace upcast::reports {
namespace {

/// The parts of an answer's text: "float32[2]{1,2}" has a type and elements.
struct Parts {
  std::string_view type;
  std::vector<std::string_view> elements;

  bool is_uniform() const {
    return std::all_of(elements.begin(), elements.end(),
                       [this](std::string_view each) { return each == elements.front(); });
  }
};

Parts parts_of(std::string_view answer) {
  const std::size_t open = answer.find('{');
  if (open == answer.npos || !answer.ends_with('}')) return {answer, {}};
  Parts parts{answer.substr(0, open), {}};
  std::string_view rest = answer.substr(open + 1, answer.size() - open - 2);
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    parts.elements.push_back(rest.substr(0, comma));
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  // A long answer ends with "...", which stands for further elements.
  if (parts.elements.back() == "...") parts.elements.pop_back();
  return parts;
}

constexpr std::size_t kMaxShown = 4;  // the most elements of an answer that are written out

/// The signal that ended a side's process: "SIGFPE" for the answer "crash(SIGFPE)". "" for other
/// answers.
std::string_view death_of(std::string_view answer) {
  constexpr std::string_view kCrash = "crash(";
  if (!answer.starts_with(kCrash) || !answer.ends_with(')')) return "";
  return answer.substr(kCrash.size(), answer.size() - kCrash.size() - 1);
}

bool is_refusal(std::string_view answer) { return answer.starts_with("refuses"); }

/// The dtypes (or the forms) in which a finding was asked, in order of first appearance.
std::vector<std::string> names_of(const MeasuredFinding& finding,
                                  std::string MeasuredFinding::Cell::*part) {
  std::vector<std::string> names;
  for (const MeasuredFinding::Cell& cell : finding.shows)
    if (std::find(names.begin(), names.end(), cell.*part) == names.end())
      names.push_back(cell.*part);
  return names;
}

/// In words, whether a finding shows in a dtype and form: on all paths that were asked, on none, or
/// on which.
std::string cell_words(const MeasuredFinding& finding, const std::string& dtype,
                       const std::string& form) {
  std::size_t asked = 0;
  std::vector<std::string> showing;
  for (const MeasuredFinding::Cell& cell : finding.shows) {
    if (cell.dtype != dtype || cell.form != form) continue;
    ++asked;
    if (cell.shows) showing.push_back(cell.path);
  }
  if (asked == 0) return "";
  if (showing.empty()) return "no";
  return showing.size() == asked ? "yes" : fmt::format("{}", fmt::join(showing, ", "));
}

bool is_op(std::string_view word) {
  const auto ops = catalogue();
  return std::any_of(ops.begin(), ops.end(),
                     [word](const Op& op) { return op.spec->name == word; });
}

}  // namespace

std::string severity_words(Severity severity) {
  std::string words(name(severity));
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

std::string op_of_line(std::string_view line) {
  std::string_view name = line.substr(0, line.find_first_of(".("));
  if (!name.starts_with("__"))
    while (name.ends_with('_')) name.remove_suffix(1);
  return std::string(name);
}

std::string dtype_of_line(std::string_view line) {
  const std::size_t bracket = line.find('[');
  if (bracket == line.npos) return "";
  const std::string_view before = line.substr(0, bracket);
  const std::size_t start = before.find_last_of(" (,=");
  return std::string(start == before.npos ? before : before.substr(start + 1));
}

std::string callee_words(const MeasuredFinding& finding) {
  if (!finding.reach.python.empty()) return finding.reach.python;
  return "aten::" + finding.case_line.substr(0, finding.case_line.find('('));
}

std::string fault_words(const MeasuredFinding& finding) {
  const std::string& wrong = finding.wrong;
  if (const std::string_view death = death_of(wrong); !death.empty())
    return fmt::format("kills the process ({})", death);
  if (wrong == "timeout") return "does not return";
  if (is_refusal(wrong)) return "refuses a call that it has to answer";
  if (is_refusal(finding.right)) return "answers a call that it has to refuse";
  const Parts right = parts_of(finding.right), given = parts_of(wrong);
  if (right.type != given.type)
    return fmt::format("gives {} instead of {}", given.type, right.type);
  const std::size_t element = first_difference(finding.right, wrong);
  if (finding.right == wrong) return "gives another value";
  if (element < right.elements.size() && element < given.elements.size())
    return fmt::format("gives {} instead of {}", given.elements[element], right.elements[element]);
  return fmt::format("gives {} instead of {}", wrong, finding.right);
}

std::string error_words(double error) {
  return std::isinf(error) ? "infinite" : fmt::format("{:.3g}", error);
}

const std::string& wrong_side_of(const MeasuredFinding& finding) {
  return finding.subject.starts_with("impl:") ? finding.oracle : finding.subject;
}

std::string side_words(std::string_view side) {
  if (side == "libtorch:cpu") return path_words("scalar");
  if (side == "libtorch:cpu?capability=avx2") return path_words("avx2");
  if (side == "libtorch:cpu?capability=native") return "the vector kernels, without oneDNN";
  if (side.ends_with("&onednn=on")) return path_words("default");
  if (side == "libtorch:meta") return path_words("meta");
  return std::string(side);
}

std::string path_words(std::string_view path) {
  if (path == "scalar") return "the scalar kernels (ATEN_CPU_CAPABILITY=default)";
  if (path == "avx2") return "the vector kernels of AVX2 without oneDNN (ATEN_CPU_CAPABILITY=avx2)";
  if (path == "meta") return "the meta device";
  if (path == "default against scalar")
    return "the vector kernels of AVX2, compared with the scalar ones";
  return "the kernels that PyTorch chooses by default on a machine with AVX2";
}

std::string answer_words(std::string_view answer, std::size_t element, std::string_view code) {
  if (const std::string_view death = death_of(answer); !death.empty())
    return fmt::format("The process dies of {}.", death);
  if (answer == "timeout") return "There is no answer in time.";
  if (is_refusal(answer)) return "The call is refused.";
  const Parts parts = parts_of(answer);
  const std::size_t count = parts.elements.size();
  const auto coded = [code](std::string_view text) { return fmt::format("{0}{1}{0}", code, text); };
  if (count == 0 || (count > 1 && count <= kMaxShown && !parts.is_uniform()))
    return coded(answer) + ".";
  if (count == 1) return fmt::format("{} ({}).", coded(parts.elements[0]), parts.type);
  if (parts.is_uniform())
    return fmt::format("{} in each element ({}).", coded(parts.elements[0]), parts.type);
  const std::size_t at = std::min(element, count - 1);
  return fmt::format("{} in element {} ({}).", coded(parts.elements[at]), at, parts.type);
}

std::string short_call(std::string_view line) {
  std::string out;
  while (true) {
    const std::size_t open = line.find('{'), close = line.find('}', open);
    if (open == line.npos || close == line.npos) return out += line;
    const Parts parts = parts_of(line.substr(open, close + 1 - open));
    out += line.substr(0, open);
    out += parts.elements.size() > kMaxShown && parts.is_uniform()
               ? fmt::format("{{{}, {} times}}", parts.elements[0], parts.elements.size())
               : std::string(line.substr(open, close + 1 - open));
    line.remove_prefix(close + 1);
  }
}

std::size_t first_difference(std::string_view right, std::string_view wrong) {
  const Parts a = parts_of(right), b = parts_of(wrong);
  const auto ends =
      std::mismatch(a.elements.begin(), a.elements.end(), b.elements.begin(), b.elements.end());
  const std::size_t at = static_cast<std::size_t>(ends.first - a.elements.begin());
  return at < a.elements.size() ? at : 0;
}

ShownTable shown_table(const MeasuredFinding& finding) {
  ShownTable table{
      .forms = names_of(finding, &MeasuredFinding::Cell::form), .rows = {}, .never = {}};
  for (const std::string& dtype : names_of(finding, &MeasuredFinding::Cell::dtype)) {
    ShownTable::Row row{dtype, {}};
    bool shows = false;
    for (const std::string& form : table.forms) {
      row.cells.push_back(cell_words(finding, dtype, form));
      shows |= !row.cells.back().empty() && row.cells.back() != "no";
    }
    if (shows)
      table.rows.push_back(std::move(row));
    else
      table.never.push_back(dtype);
  }
  return table;
}

std::vector<std::string> shown_by_path(const MeasuredFinding& finding) {
  // Counts such as "3 of 6 dtypes and forms", each with the paths that have it.
  std::vector<std::pair<std::string, std::vector<std::string>>> counts;
  for (const std::string_view path : kFindingPaths) {
    int asked = 0, showing = 0;
    for (const MeasuredFinding::Cell& cell : finding.shows) {
      if (cell.path != path) continue;
      ++asked;
      showing += cell.shows;
    }
    if (asked == 0) continue;
    const std::string count =
        fmt::format("{} of {}", showing, counted(asked, "dtype and form", "dtypes and forms"));
    const auto same = std::find_if(counts.begin(), counts.end(),
                                   [&count](const auto& each) { return each.first == count; });
    if (same == counts.end())
      counts.push_back({count, {path_words(path)}});
    else
      same->second.push_back(path_words(path));
  }
  std::vector<std::string> lines;
  for (const auto& [count, paths] : counts)
    lines.push_back(fmt::format("With {} the bug shows in {}.", listed(paths), count));
  return lines;
}

std::string version_words(const MeasuredFinding& finding) {
  std::array<std::vector<std::string>, kVersionAnswers.size()> by_answer;
  for (const auto& [version, answer] : finding.versions)
    by_answer[static_cast<std::size_t>(answer)].push_back(version);
  constexpr std::array<std::array<std::string_view, 2>, kVersionAnswers.size()> kVerbs{
      {{"shows it", "show it"},
       {"differs otherwise", "differ otherwise"},
       {"answers rightly", "answer rightly"},
       {"was not judged", "were not judged"}}};
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < by_answer.size(); ++i)
    if (!by_answer[i].empty())
      parts.push_back(
          fmt::format("{} {}", listed(by_answer[i]), kVerbs[i][by_answer[i].size() == 1 ? 0 : 1]));
  return parts.empty() ? "" : fmt::format("LibTorch {}.", fmt::join(parts, "; "));
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string as_sentence(std::string text) {
  const std::string word = text.substr(0, text.find(' '));
  const bool is_plain =
      word.size() > 1 && !is_op(word) && std::all_of(word.begin(), word.end(), [](unsigned char c) {
        return std::isalpha(c) != 0 || c == ',';
      });
  if (is_plain) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') ? text : text + ".";
}

}  // namespace upcast::reports
