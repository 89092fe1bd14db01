// A run, folded for its reports: ops, rows and dtypes with their counts, failures by what they have
// in common, and the columns. A run of very many cases is summed: its counts are of all cases, and
// a few of each kind are listed.
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

/// Rows of one template and axes; of a case list, all lines of one op together as one axis.
struct ReportRow {
  std::string schema, form, default_dtype, line_template;
  std::vector<int> axes;       // numbers in RunData::axes
  std::vector<int> out_axes;   // positions of the axes that give an out= tensor
  int64_t first = 0;           // first case
  std::vector<int64_t> cases;  // for a case list: its cases; else empty
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

/// Counts of the cases with an operand (a tensor, not out=) of one dtype, and what the op answers
/// where all operands have that dtype and one dimension or more.
struct DTypeCell {
  int64_t cases = 0, known = 0, unexplained = 0, not_judged = 0;
  VerdictCode worst = VerdictCode::kAgree;
  AnswerByte subject = kNotRunByte, oracle = kNotRunByte;
};

/// How often the truth is with each side, in recorded differences in value (truth/arbitrate.h).
struct TruthCounts {
  int64_t with_subject = 0, with_oracle = 0, with_neither = 0, undecided = 0;
};

struct OpData {
  std::string name, family;
  std::vector<ReportRow> rows;
  Counts counts;
  std::map<int, DTypeCell> dtypes;  // by dtype code
  TruthCounts truth{};
};

/// Unexplained cases that differ alike: same schema, form and verdict and, where dtypes differ,
/// same dtypes, where one side refuses, same side and reason, or where one died, same side. The
/// answers are the first case's.
struct FailureGroup {
  std::string op, schema, form;
  VerdictCode verdict = VerdictCode::kDifferDType;
  AnswerByte subject = 0, oracle = 0;
  int64_t count = 0;
  int64_t first_case = 0;
  std::string line;
  CaseRecord record;  // the record of the first case, if the store has one
};

/// Cases that were not judged for one reason. The reason is that of the op's first case that has a
/// record; "" where none has.
struct NotJudgedGroup {
  std::string reason, line;
  int64_t count = 0;
  std::vector<std::pair<std::string, int64_t>> ops;  // with their cases, the most first
};

struct RunData {
  Summary summary;
  /// Whether the report lists only some cases, because there are too many. Counts are of all cases.
  bool is_summed = false;
  RunColumns columns;                   // of all cases; empty in a summed run
  std::map<int64_t, CaseBytes> listed;  // in a summed run: the cases that are listed; else empty
  std::vector<std::vector<std::string>> axes;  // token lists, each once
  std::vector<OpData> ops;                     // in order of first appearance
  std::vector<FailureGroup> failures;  // crashes first, then by kind, then the most frequent
  std::vector<NotJudgedGroup> not_judged;
  std::vector<KindMatrix> kinds;  // one for each kind of difference that occurs
  std::map<int, std::map<std::string, int64_t>> known_ops;  // for each known id: op -> cases
  std::vector<CaseRecord> records;  // records of listed cases, at most kMaxRecords, in order
  int64_t records_stored = 0;
  RulebookFold rulebooks;  // empty but for --grid rulebooks

  /// Whether the report lists the case.
  bool lists(int64_t index) const { return !is_summed || listed.contains(index); }
  /// The bytes of a listed case.
  CaseBytes bytes(int64_t index) const { return is_summed ? listed.at(index) : columns.at(index); }
  /// How many cases are counted, but not listed.
  int64_t unlisted() const {
    return is_summed ? summary.counts.planned - static_cast<int64_t>(listed.size()) : 0;
  }
};

/// The first recorded case of each known difference, by the entry's id.
std::map<int, const CaseRecord*> first_known_records(const RunData& data);

/// The blame of a listed case, by its bytes.
Blame blame_of_case(const RunData& data, int64_t index);

/// How many records of failures are kept. Of others a tenth as many are kept, and each known
/// difference's first.
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
