#include <fmt/format.h>

#include <map>

#include "reports/html/markup.h"
#include "reports/outputs/outputs.h"
#include "reports/outputs/schema_tests.h"

namespace upcast::reports {
namespace {

struct Suite {
  std::vector<const SchemaTest*> tests;
  int failures = 0, skipped = 0;
};

void add_test(std::string& out, const SchemaTest& test) {
  add(out, "    <testcase classname=\"{}\" name=\"{}\" time=\"0\"", escaped(test.family),
      escaped(test.schema));
  switch (test.status()) {
    case TestStatus::kPassed:
      add(out, "/>\n");
      return;
    case TestStatus::kFailed:
      add(out, ">\n      <failure message=\"{}\" type=\"{}\">{}</failure>\n    </testcase>\n",
          escaped(test.headline()),
          test.failures.empty() ? "" : name(test.failures.front()->verdict),
          escaped(test.details()));
      return;
    case TestStatus::kSkipped:
      add(out, ">\n      <skipped message=\"{}\"/>\n    </testcase>\n", escaped(test.headline()));
  }
}

void add_suite(std::string& out, const std::string& name, std::size_t tests, int failures,
               int skipped) {
  add(out,
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
      "time=\"0\">\n",
      escaped(name), tests, failures, skipped);
}

void add_coverage(std::string& out, const CoverageTest& test) {
  add_suite(out, test.name, 1, 0, test.is_skipped ? 1 : 0);
  add(out, "    <testcase classname=\"coverage\" name=\"{}\" time=\"0\">\n", escaped(test.name));
  if (test.is_skipped)
    add(out, "      <skipped message=\"{}\"/>\n", escaped(test.message));
  else
    add(out, "      <system-out>{}</system-out>\n", escaped(test.message));
  add(out, "    </testcase>\n  </testsuite>\n");
}

}  // namespace

std::string junit_xml(const std::vector<RunData>& runs) {
  const std::vector<SchemaTest> tests = schema_tests(runs);
  std::string titles;
  double seconds = 0;
  for (const RunData& run : runs) {
    titles += (titles.empty() ? "" : "; ") + run.summary.title();
    seconds += run.summary.seconds;
  }
  std::map<std::string, Suite> suites;
  int failures = 0, skipped = 0;
  for (const SchemaTest& test : tests) {
    Suite& suite = suites[test.family];
    suite.tests.push_back(&test);
    suite.failures += test.status() == TestStatus::kFailed;
    suite.skipped += test.status() == TestStatus::kSkipped;
    failures += test.status() == TestStatus::kFailed;
    skipped += test.status() == TestStatus::kSkipped;
  }
  const std::vector<CoverageTest> coverage = coverage_tests(runs);
  for (const CoverageTest& test : coverage) skipped += test.is_skipped;
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  add(out,
      "<testsuites name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" "
      "time=\"{:.3f}\">\n",
      escaped("upcast: " + titles), tests.size() + coverage.size(), failures, skipped, seconds);
  for (const auto& [family, suite] : suites) {
    add_suite(out, family, suite.tests.size(), suite.failures, suite.skipped);
    for (const SchemaTest* test : suite.tests) add_test(out, *test);
    add(out, "  </testsuite>\n");
  }
  for (const CoverageTest& test : coverage) add_coverage(out, test);
  return out + "</testsuites>\n";
}

}  // namespace upcast::reports
