// A run, folded for its reports: its ops, rows and dtypes with their counts, its failures grouped
// by how they differ, and the columns of its cases.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/rulebook_fold.h"
#include "reports/run_columns.h"
#include "reports/summary.h"
#include "reports/token.h"

namespace upcast::reports {

/// A row of the report: the cases of one template with its axes. In a run of a case list, all lines
/// of one op form a row with one axis.
struct ReportRow {
  std::string schema, form, default_dtype, line_template;
  std::vector<int> axes;       // indices into RunData::axes
  std::vector<int> out_axes;   // which of the row's axes give out= tensors
  int64_t first = 0;           // first case
  std::vector<int64_t> cases;  // the row's case numbers in a run of a case list; else empty
  int64_t count = 0;
  Counts counts;
};

/// What a cell of op and dtype shows: counts of the op's cases with an operand of the dtype (a
/// tensor, not out=), and the op's answer if all operands have that dtype and one dimension or
/// more.
struct DTypeCell {
  int64_t cases = 0, known = 0, unexplained = 0, not_judged = 0;
  VerdictCode worst = VerdictCode::kAgree;
  AnswerByte subject = kNotRunByte, oracle = kNotRunByte;
};

/// For how many recorded differences in value the truth agrees with each side (truth/arbitrate.h).
struct TruthCounts {
  int64_t with_subject = 0, with_oracle = 0, with_neither = 0, undecided = 0;
};

struct OpData {
  std::string name, family;
  std::vector<ReportRow> rows;
  Counts counts;
  std::map<int, DTypeCell> dtypes;  // cells by dtype code
  TruthCounts truth{};
};

/// A group of unexplained cases that differ alike: same schema, form and verdict. If dtypes differ,
/// they have the same dtypes; if one side refuses, the same side and reason; if one died, the same
/// side. The answers are the first case's.
struct FailureGroup {
  std::string op, schema, form;
  VerdictCode verdict = VerdictCode::kDifferDType;
  AnswerByte subject = 0, oracle = 0;
  int64_t count = 0;
  int64_t first_case = 0;
  std::string line;
  CaseRecord record;  // record of the group's first case, if the store has one
};

/// A group of cases that were not judged, by reason. An op's reason is that of its first such case
/// with a record; "" if none has a record.
struct NotJudgedGroup {
  std::string reason, line;
  int64_t count = 0;
  std::vector<std::pair<std::string, int64_t>> ops;  // an op, its number of cases; the most first
};

struct RunData {
  Summary summary;
  RunColumns columns;
  std::vector<std::vector<std::string>> axes;  // lists of tokens; rows with the same list share it
  std::vector<OpData> ops;                     // ops in order of first appearance
  std::vector<FailureGroup> failures;  // crashes first, then by kind, then the largest groups
  std::vector<NotJudgedGroup> not_judged;
  /// For each known difference, by id: its ops, and how many cases of each it explains.
  std::map<int, std::map<std::string, int64_t>> known_ops;
  std::vector<CaseRecord> records;  // at most kMaxRecords, in order of the case number
  int64_t records_stored = 0;
  RulebookFold rulebooks;  // only in a run of the grid `rulebooks`; else empty
};

/// The first recorded case of each known difference, by the id of the difference.
std::map<int, const CaseRecord*> first_known_records(const RunData& data);

/// The blame for a case of a run, by the case's columns.
Blame blame_of_case(const RunData& data, int64_t index);

/// The most records of failures that are kept. Also kept are a tenth as many records of other
/// cases, and the first record of each known difference.
inline constexpr int64_t kMaxRecords = 10'000;

/// Folds the shards of one run. 15 million cases take about a second and 100 MB.
RunData fold_run(const std::vector<const RunStore*>& stores);

}  // namespace upcast::reports
