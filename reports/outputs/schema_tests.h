// Makes the tests that JUnit and CTRF show: a test for each schema, with the outcome of its cases.
#pragma once

#include <string>
#include <vector>

#include "reports/run_data.h"
#include "reports/side_name.h"

namespace upcast::reports {

enum class TestStatus { kPassed, kFailed, kSkipped };

struct SchemaTest {
  std::string family;  // family of ops; if there are several runs, "TITLE: FAMILY"
  std::string schema;
  CalledSides sides;
  Counts counts{};
  std::vector<const FailureGroup*> failures{};  // in the folded runs, which must outlive the test

  /// The status of the test. If no case was judged, it is "skipped", not "passed".
  TestStatus status() const;
  /// The outcome of the cases in a line: "3 of 1,234 cases differ", "1,234 cases agree, 5 of them
  /// known differences", ...
  std::string headline() const;
  /// The failures of the test, a paragraph for each group of cases (failure_text).
  std::string details() const;
};

/// A test that a run judged enough. If it did not (kCoverageFloor), the test is skipped, because
/// that is neither a pass nor a failure.
struct CoverageTest {
  std::string name;  // "coverage"; if there are several runs, "TITLE: coverage"
  bool is_skipped = false;
  std::string message;  // how much was judged, and what the subject does not claim
};

/// The tests of coverage, one for each run.
std::vector<CoverageTest> coverage_tests(const std::vector<RunData>& runs);

/// The tests of all runs' schemas, in order of first appearance. Each schema has a test; in-place
/// and out= forms have their own.
std::vector<SchemaTest> schema_tests(const std::vector<RunData>& runs);

/// A group of failures in words: how many cases, the first one's line, both answers, the
/// difference, and who is wrong. "3 cases differ(dtype): add(int32[3], 5.5); subject
/// float64[3]{..}, oracle float32[3]{..}; mine 1.0, the subject, is wrong here".
std::string failure_text(const FailureGroup& group, const CalledSides& sides);

}  // namespace upcast::reports
