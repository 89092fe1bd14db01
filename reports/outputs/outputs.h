// Writes runs for other programs: test reports, code scanning, badges, tables. Each format is a
// function of the folded runs alone, so that the same stores give the same bytes. If there are
// several runs, names say which one is meant: "impl:emulated against libtorch:cpu: arithmetic".
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "reports/run_data.h"

namespace upcast::reports {

/// JUnit XML, as Jenkins, GitLab and pytest read it: a suite for each family of ops, and a test for
/// each schema. A test fails if a case of it is unexplained, and lists the groups of cases that
/// differ alike. A test is skipped if no case was judged. A suite `coverage` says how much of all
/// was judged. It is skipped below the floor.
std::string junit_xml(const std::vector<RunData>& runs);

/// Common Test Report Format 0.0.0 (https://ctrf.io), with the same tests as junit_xml(). The store
/// has no time of day, so the run starts at 0.
std::string ctrf_json(const std::vector<RunData>& runs);

/// SARIF 2.1.0 (OASIS), with the unexplained differences alone. A group of cases that differ alike
/// is one result. Its rule is the verdict, and its place is the schema. If `cases` names the file
/// with the text of sarif_cases(), a line of that file is a place too. Fingerprints stay the same
/// from run to run. Each run is a SARIF run with at most 25,000 results, which is what GitHub
/// takes; further ones are only counted.
std::string sarif_json(const std::vector<RunData>& runs, const std::string& cases = "");

/// The text of a .cases file with the case of each result of sarif_json(): one line each, under a
/// comment for each run.
std::string sarif_cases(const std::vector<RunData>& runs);

/// Markdown for GITHUB_STEP_SUMMARY, below its limit of 1 MiB: the verdict, the counts, and what
/// differs, with a case line to paste for each group. Groups that do not fit are only counted.
std::string step_summary(const std::vector<RunData>& runs);

/// The JSON from which shields.io makes a badge: {schemaVersion, label, message, color}. For
/// several runs, the counts are summed, and the colour is that of the worst run.
std::string badge_json(const std::vector<RunData>& runs);

/// CSV by RFC 4180 with the counts of verdicts: a row for each run, schema, form and default dtype.
std::string rows_csv(const std::vector<RunData>& runs);

/// Writes one line of JSON for the run ("type": "run", as `upcast run --json` has it), and one for
/// each noteworthy case ("type": "record"), in order of the case's number. Several runs follow each
/// other: a record belongs to the last run before it.
void write_ndjson(const std::vector<const RunStore*>& stores, std::ostream& out);

}  // namespace upcast::reports
