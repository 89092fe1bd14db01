#include "tools/case_source.h"

#include <algorithm>
#include <iterator>

#include "cases/notation.h"
#include "cases/select.h"
#include "cases/text_cursor.h"
#include "cases/text_file.h"
#include "impl/core/error.h"

namespace upcast::tools {
namespace {

void append(std::vector<Case>& all, std::vector<Case> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

std::string read_standard_input() { return read_text_file("/dev/stdin"); }

std::string source_name(const CaseSource& source) {
  std::string name;
  for (const std::string& file : source.files) name += (name.empty() ? "" : ", ") + file;
  return name.empty() || !source.cases.empty() ? "cases" : name;
}

/// The plan of all cases that a source names, before a part of them is selected.
Plan load_whole(const CaseSource& source) {
  const bool has_cases = !source.files.empty() || !source.cases.empty();
  if (!source.grid.empty()) {
    if (has_cases) throw UsageError("give either --grid or cases, not both");
    return make_grid(source.grid);
  }
  if (!has_cases) {
    throw UsageError(
        "nothing to run; give a case such as 'add(int32[3], 5.5)', --cases FILE, - for standard "
        "input, or --grid promotion");
  }
  std::vector<Case> cases;
  for (const std::string& file : source.files) append(cases, load_cases(file));
  for (const std::string& line : source.cases) {
    append(cases, line == "-" ? parse_cases(read_standard_input(), "standard input")
                              : parse_cases(line, "'" + beginning(line) + "'"));
  }
  return plan_of_cases(std::move(cases), source_name(source));
}

}  // namespace

Plan load_plan(const CaseSource& source) {
  Plan whole = load_whole(source);
  return source.selection.empty() ? whole : select(std::move(whole), source.selection);
}

std::string source_text(const CaseSource& source, const Plan& plan) {
  return plan.source + (source.selection.empty() ? "" : ", " + source.selection.text());
}

std::vector<std::string> plan_lines(const CaseSource& source, const Plan& plan) {
  std::vector<std::string> lines;
  if (!source.grid.empty()) return lines;
  lines.reserve(plan.rows.size());
  for (const GridRow& row : plan.rows) lines.push_back(print_case(row.prototype));
  return lines;
}

bool may_judge_values(const Plan& plan) {
  return std::any_of(plan.rows.begin(), plan.rows.end(), [](const GridRow& row) {
    const Case& c = row.prototype;
    const bool refuses = c.expectation && c.expectation->refuses;
    return !refuses && c.schema().returns != "ScalarType";
  });
}

}  // namespace upcast::tools
