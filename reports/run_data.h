// A run, folded for its reports: its ops, rows and dtypes with their counts, its failures grouped
// by how they differ, and the columns of its cases. A run of very many cases is summed: its counts
// are of all cases, and only a few cases of each kind are listed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/kind_matrix.h"
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

  /// The number of the case at a place: of the list, or of the product of the axes.
  int64_t case_at(int64_t place) const { return cases.empty() ? first + place : cases[place]; }
  /// The place of the first case whose number is at least `index`.
  int64_t place_from(int64_t index) const;
  /// The places of the cases that the columns hold: the first one, and the one after the last.
  std::pair<int64_t, int64_t> places(const RunColumns& columns) const {
    return {place_from(columns.first), place_from(columns.end())};
  }
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
  /// Whether the report lists only some cases, because there are too many. Counts are of all cases.
  bool is_summed = false;
  RunColumns columns;                   // of all cases; empty in a summed run
  std::map<int64_t, CaseBytes> listed;  // in a summed run: the cases that are listed; else empty
  std::vector<std::vector<std::string>> axes;  // lists of tokens; rows with the same list share it
  std::vector<OpData> ops;                     // ops in order of first appearance
  std::vector<FailureGroup> failures;  // crashes first, then by kind, then the largest groups
  std::vector<NotJudgedGroup> not_judged;
  std::vector<KindMatrix> kinds;  // one for each kind of difference that occurs
  std::map<int, std::map<std::string, int64_t>> known_ops;  // for each known id: op -> cases
  std::vector<CaseRecord> records;  // records of listed cases, at most kMaxRecords, in order
  int64_t records_stored = 0;
  RulebookFold rulebooks;  // only in a run of the grid `rulebooks`; else empty

  /// Whether the report lists the case.
  bool lists(int64_t index) const { return !is_summed || listed.contains(index); }
  /// The bytes of a listed case.
  CaseBytes bytes(int64_t index) const { return is_summed ? listed.at(index) : columns.at(index); }
  /// How many cases are counted, but not listed.
  int64_t unlisted() const {
    return is_summed ? summary.counts.planned - static_cast<int64_t>(listed.size()) : 0;
  }
};

/// The first recorded case of each known difference, by the id of the difference.
std::map<int, const CaseRecord*> first_known_records(const RunData& data);

/// The blame of a listed case, by its bytes.
Blame blame_of_case(const RunData& data, int64_t index);

/// The most records of failures that are kept. Also kept are a tenth as many records of other
/// cases, and the first record of each known difference.
inline constexpr int64_t kMaxRecords = 10'000;

/// A report holds every case of a run of up to so many cases. A larger run is summed.
inline constexpr int64_t kMostCases = 20'000'000;
/// How many cases of each verdict and each known difference a summed run lists, for each op. Cases
/// that agree are not listed.
inline constexpr int64_t kListedOfEach = 100;

/// Folds the shards of one run. 15 million cases take about a second and 100 MB. The run is summed
/// if it has more than `most_cases`; its memory does not grow with its cases.
RunData fold_run(const std::vector<const RunStore*>& stores, int64_t most_cases = kMostCases);

}  // namespace upcast::reports
