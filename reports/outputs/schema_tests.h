// The tests of JUnit and CTRF: a test for each schema, with the outcome of its cases.
#pragma once

#include <string>
#include <vector>

#include "reports/run_data.h"
#include "reports/side_name.h"

namespace upcast::reports {

enum class TestStatus { kPassed, kFailed, kSkipped };

struct SchemaTest {
  std::string family;  // if there are several runs, "TITLE: FAMILY"
  std::string schema;
  CalledSides sides;
  Counts counts{};
  std::vector<const FailureGroup*> failures{};  // from the folds, which must outlive this

  /// The test's status. If no case was judged, it is skipped and not passed.
  TestStatus status() const;
  /// The outcome in a line: "3 of 1,234 cases differ", "1,234 cases agree, 5 of them known
  /// differences", ...
  std::string headline() const;
  /// A paragraph for each group of failures (failure_text).
  std::string details() const;
};

/// A test of whether enough of a run was judged. If not, it is skipped (kCoverageFloor), because
/// that is neither a pass nor a failure.
struct CoverageTest {
  std::string name;  // "coverage"; if there are several runs, "TITLE: coverage"
  bool is_skipped = false;
  std::string message;  // how much was judged, and what the subject does not claim
};

/// The coverage tests, one for each run.
std::vector<CoverageTest> coverage_tests(const std::vector<RunData>& runs);

/// The tests of all runs, in order of first appearance. Each schema has a test; in-place and out=
/// forms have their own.
std::vector<SchemaTest> schema_tests(const std::vector<RunData>& runs);

/// A group in words: how many cases, the first one's line, both answers, the difference, and who is
/// wrong: "3 cases differ(dtype): add(int32[3], 5.5); subject float64[3]{..}, oracle
/// float32[3]{..}; mine 1.0, the subject, is wrong here".
std::string failure_text(const FailureGroup& group, const CalledSides& sides);

}  // namespace upcast::reports
