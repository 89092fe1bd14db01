// Runs for other programs: test reports, code scanning, badges, tables. One file a format; each is
// a function of the folds alone, so that the same stores give the same bytes. Where there are
// several runs, names say of which: "impl:emulated against libtorch:cpu: arithmetic".
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// JUnit XML, as Jenkins, GitLab and pytest's readers take it: a suite for each family of ops, a
/// test for each schema. A test fails where a case of it is unexplained, with the groups of cases
/// that differ alike; it is skipped where no case was judged. A suite
/// `coverage` tells how much of all was judged, and is skipped below the floor.
std::string junit_xml(const std::vector<RunData>& runs);

/// Common Test Report Format 0.0.0 (https://ctrf.io), the same tests; the store has no time of day,
/// so that the run starts at 0.
std::string ctrf_json(const std::vector<RunData>& runs);

/// SARIF 2.1.0 (OASIS), the unexpected differences alone: a result for each group of cases that
/// differ alike, its rule the verdict, its place the schema and, where `cases` names the file that
/// sarif_cases() is written to, a line of it. Fingerprints last over runs. A SARIF
/// run for each run, with at most 25,000 results, which is what GitHub takes; what is left out is
/// counted.
std::string sarif_json(const std::vector<RunData>& runs, const std::string& cases = "");

/// A .cases file: the case of each result of sarif_json(), a line each, under a comment a run.
std::string sarif_cases(const std::vector<RunData>& runs);

/// Markdown for GITHUB_STEP_SUMMARY, below its limit of 1 MiB: the verdict, the counts, and what
/// differs, with a case line to paste for each group. What does not fit is counted.
std::string step_summary(const std::vector<RunData>& runs);

/// An endpoint of shields.io: {schemaVersion, label, message, color}; of several runs the sum, and
/// the worst one's colour.
std::string badge_json(const std::vector<RunData>& runs);

/// CSV by RFC 4180: a row for each run, schema, form and default dtype, with its counts.
std::string rows_csv(const std::vector<RunData>& runs);

/// A line of JSON for the run ("type": "run", as `upcast run --json` has it) and one for each
/// noteworthy case ("type": "record"), in order of the case's number; of several runs one after the
/// other: a record belongs to the run above it.
void write_ndjson(const std::vector<const RunStore*>& stores, std::ostream& out);

}  // namespace upcast::reports
