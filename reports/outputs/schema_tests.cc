#include "reports/outputs/schema_tests.h"

#include <fmt/format.h>

#include <map>

#include "cases/counted.h"
#include "oracle/verdict_text.h"
#include "reports/blame.h"

namespace upcast::reports {
namespace {

std::string cases(int64_t count) {
  return fmt::format("{} {}", grouped(count), count == 1 ? "case" : "cases");
}

}  // namespace

TestStatus SchemaTest::status() const {
  if (counts.unexplained > 0) return TestStatus::kFailed;
  return counts.agree + counts.known > 0 ? TestStatus::kPassed : TestStatus::kSkipped;
}

std::string SchemaTest::headline() const {
  if (counts.unexplained > 0)
    return fmt::format("{} of {} {}", grouped(counts.unexplained), cases(counts.ran),
                       counts.unexplained == 1 ? "differs" : "differ");
  std::string text = fmt::format("{} of {} agree", grouped(counts.agree), cases(counts.ran));
  if (counts.known > 0) text += ", " + counted(counts.known, "known difference");
  if (counts.not_judged > 0) text += fmt::format(", {} not judged", grouped(counts.not_judged));
  return text;
}

std::string SchemaTest::details() const {
  std::string text;
  for (const FailureGroup* group : failures) text += failure_text(*group, sides) + "\n";
  return text;
}

std::string failure_text(const FailureGroup& group, const CalledSides& sides) {
  const bool told = !group.record.line.empty();
  std::string text =
      fmt::format("{} {}: {}; subject {}, oracle {}", cases(group.count), name(group.verdict),
                  group.line, told ? group.record.subject : answer_name(group.subject),
                  told ? group.record.oracle : answer_name(group.oracle));
  if (const std::string why = sentence(group.record.verdict); !why.empty()) text += "; " + why;
  if (const std::string wrong = wrong_sentence(group.record.verdict, nullptr, sides);
      told && !wrong.empty())
    text += "; " + wrong;
  return text;
}

std::vector<CoverageTest> coverage_tests(const std::vector<RunData>& runs) {
  std::vector<CoverageTest> tests;
  for (const RunData& data : runs) {
    const Coverage& coverage = data.summary.coverage;
    const std::string outside = coverage.outside_words();
    tests.push_back({.name = (runs.size() > 1 ? data.summary.title() + ": " : "") + "coverage",
                     .is_skipped = !coverage.reaches_floor(),
                     .message = coverage.words() + (outside.empty() ? "" : "; " + outside)});
  }
  return tests;
}

std::vector<SchemaTest> schema_tests(const std::vector<RunData>& runs) {
  std::vector<SchemaTest> tests;
  for (const RunData& data : runs) {
    const std::string prefix = runs.size() > 1 ? data.summary.title() + ": " : "";
    std::map<std::string, std::size_t> by_schema;
    for (const OpData& op : data.ops) {
      for (const ReportRow& row : op.rows) {
        const auto [at, is_new] = by_schema.try_emplace(row.schema, tests.size());
        if (is_new) {
          tests.push_back(
              {.family = prefix + op.family, .schema = row.schema, .sides = data.summary.sides()});
        }
        tests[at->second].counts.add(row.counts);
      }
    }
    for (const FailureGroup& group : data.failures)
      tests[by_schema.at(group.schema)].failures.push_back(&group);
  }
  return tests;
}

}  // namespace upcast::reports
