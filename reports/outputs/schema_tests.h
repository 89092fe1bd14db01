// The tests of JUnit and CTRF: what one schema's cases came to.
#pragma once

#include <string>
#include <vector>

#include "reports/run_data.h"
#include "reports/side_name.h"

namespace upcast::reports {

enum class TestStatus { kPassed, kFailed, kSkipped };

struct SchemaTest {
  std::string family;  // of one run of several "TITLE: FAMILY"
  std::string schema;
  CalledSides sides;
  Counts counts{};
  std::vector<const FailureGroup*> failures{};  // of the folds, which must outlive this

  /// Skipped: nothing was judged, which is no pass.
  TestStatus status() const;
  /// "3 of 1,234 cases differ", "1,234 cases agree, 5 of them known differences", ...
  std::string headline() const;
  /// A paragraph for each group of failures (failure_text).
  std::string details() const;
};

/// Whether enough of a run was judged: a test of its own, skipped where not (kCoverageFloor), since
/// that is neither a pass nor a failure.
struct CoverageTest {
  std::string name;  // "coverage"; of one run of several "TITLE: coverage"
  bool is_skipped = false;
  std::string message;  // how much was judged, and what the subject does not claim
};

/// One for each run.
std::vector<CoverageTest> coverage_tests(const std::vector<RunData>& runs);

/// Run by run, in order of first appearance; a test for each schema, in-place and out= forms apart.
std::vector<SchemaTest> schema_tests(const std::vector<RunData>& runs);

/// How many, the first one's line, both answers, what differs, and who is wrong: "3 cases
/// differ(dtype): add(int32[3], 5.5); subject float64[3]{..}, oracle float32[3]{..}; mine 1.0, the
/// subject, is wrong here".
std::string failure_text(const FailureGroup& group, const CalledSides& sides);

}  // namespace upcast::reports
