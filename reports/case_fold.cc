#include "reports/case_fold.h"

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

/// A number by which failures of a row are grouped: those with equal numbers differ alike. They
/// have the same verdict. If dtypes differ, they have the same dtypes. If one side refuses, it is
/// the same side with the same reason. If one side died, it is the same side.
uint32_t alike(VerdictCode verdict, AnswerByte subject, AnswerByte oracle) {
  const auto kind = static_cast<uint32_t>(verdict) << 16;
  const auto both = [](AnswerByte a, AnswerByte b) { return static_cast<uint32_t>(a) << 8 | b; };
  if (verdict == VerdictCode::kDifferDType) return kind | both(subject, oracle);
  if (verdict == VerdictCode::kCrash || verdict == VerdictCode::kTimeout)
    return kind | both(subject < kTimeoutByte ? 0 : subject, oracle < kTimeoutByte ? 0 : oracle);
  if (!is_of_refusal(verdict)) return kind;
  return kind | both(is_dtype(subject) ? 0 : subject, is_dtype(oracle) ? 0 : oracle);
}

void add_to_cell(DTypeCell& cell, uint8_t byte) {
  ++cell.cases;
  if (byte == kNotStored) return;
  const auto verdict = static_cast<VerdictCode>(byte);
  cell.known += verdict == VerdictCode::kKnown;
  cell.not_judged += verdict == VerdictCode::kNotJudged;
  cell.unexplained += is_failure(verdict);
  if (severity(verdict) > severity(cell.worst)) cell.worst = verdict;
}

void add_cell(DTypeCell& sum, const DTypeCell& cell) {
  sum.cases += cell.cases;
  sum.known += cell.known;
  sum.unexplained += cell.unexplained;
  sum.not_judged += cell.not_judged;
  if (severity(cell.worst) > severity(sum.worst)) sum.worst = cell.worst;
}

/// The place in a row of axes with these sizes, the last one fastest, as a number for each axis.
std::vector<size_t> digits_of(int64_t place, const std::vector<std::vector<int>>& axes) {
  std::vector<size_t> digits(axes.size());
  for (size_t axis = axes.size(); axis-- > 0;) {
    const auto size = static_cast<int64_t>(axes[axis].size());
    digits[axis] = static_cast<size_t>(place % size);
    place /= size;
  }
  return digits;
}

}  // namespace

/// Counts of a row's cases by their column bytes. The bytes are turned into names only once for
/// each row.
struct CaseFold::RowTally {
  struct Failure {
    int64_t count = 0;
    int64_t first_case = 0;
  };
  std::unordered_map<uint32_t, Failure> failures;  // by alike()
  std::array<int64_t, 256> known{};
};

std::vector<std::vector<int>> CaseFold::codes_of(const ReportRow& row) const {
  std::vector<std::vector<int>> codes;
  for (size_t axis = 0; axis < row.axes.size(); ++axis) {
    const bool is_out = std::count(row.out_axes.begin(), row.out_axes.end(), axis) > 0;
    codes.emplace_back();
    for (const std::string& text : data_.axes[row.axes[axis]]) {
      const Token token = parse_token(text);
      const bool tensor = token.kind == TokenKind::kDim || token.kind == TokenKind::kZeroDim;
      codes.back().push_back(tensor && !is_out ? code(token.dtype) : -1);
    }
  }
  return codes;
}

void CaseFold::add(OpData& op, ReportRow& row, const RunColumns& columns) {
  const auto [first, end] = row.places(columns);
  if (first == end) return;
  const std::vector<std::vector<int>> codes = codes_of(row);
  RowTally tally;
  Met& met = met_[op.name];
  std::array<DTypeCell, kDTypeCount> cells{};
  std::vector<size_t> at = digits_of(first, codes);
  for (int64_t place = first; place < end; ++place) {
    const int64_t index = row.case_at(place);
    const CaseBytes bytes = columns.at(index);
    add_case(row, tally, met, index, bytes);
    uint64_t seen = 0;
    for (size_t axis = 0; axis < at.size(); ++axis) {
      const int dtype = codes[axis][at[axis]];
      if (dtype < 0 || (seen >> dtype & 1) != 0) continue;
      seen |= uint64_t{1} << dtype;
      add_to_cell(cells[dtype], bytes.verdict);
    }
    for (size_t axis = at.size(); axis-- > 0;) {
      if (++at[axis] < codes[axis].size()) break;
      at[axis] = 0;
    }
  }
  add_tally(op, row, tally, columns);
  for (int dtype = 0; dtype < kDTypeCount; ++dtype)
    if (cells[dtype].cases > 0) add_cell(op.dtypes[dtype], cells[dtype]);
  if (row.form == "functional") set_answers(op, row, codes, columns);
}

void CaseFold::add_case(ReportRow& row, RowTally& tally, Met& met, int64_t index,
                        const CaseBytes& bytes) {
  const bool is_stored = bytes.verdict != kNotStored;
  const auto verdict = static_cast<VerdictCode>(bytes.verdict);
  if (is_stored) row.counts.add(verdict, bytes.subject, bytes.oracle);
  if (is_stored && (verdict == VerdictCode::kAgree || verdict == VerdictCode::kWithinChoice))
    return;
  if (data_.is_summed && met[{bytes.verdict, bytes.known}]++ < kListedOfEach)
    data_.listed.emplace(index, bytes);
  if (!is_stored) return;
  if (verdict == VerdictCode::kKnown) ++tally.known[bytes.known];
  if (!is_failure(verdict)) return;
  RowTally::Failure& failure = tally.failures[alike(verdict, bytes.subject, bytes.oracle)];
  if (failure.count++ == 0) failure.first_case = index;
}

void CaseFold::add_tally(const OpData& op, const ReportRow& row, const RowTally& tally,
                         const RunColumns& columns) {
  for (int id = 1; id < 256; ++id) {
    if (tally.known[id] > 0) data_.known_ops[id][op.name] += tally.known[id];
  }
  for (const auto& [kind, failure] : tally.failures) {
    FailureGroup& group = failures[{op.name, row.schema, row.form, kind}];
    if (group.count == 0 || failure.first_case < group.first_case) {
      const CaseBytes bytes = columns.at(failure.first_case);
      group.first_case = failure.first_case;
      group.subject = bytes.subject, group.oracle = bytes.oracle;
      if (data_.is_summed) data_.listed.emplace(failure.first_case, bytes);
    }
    group.op = op.name, group.schema = row.schema, group.form = row.form;
    group.verdict = static_cast<VerdictCode>(kind >> 16);
    group.count += failure.count;
  }
}

/// Sets, for each dtype of the row, the answer of the case whose tensor operands all are dim
/// tensors of the dtype, if the columns hold it. An axis without such a token keeps its first.
void CaseFold::set_answers(OpData& op, const ReportRow& row,
                           const std::vector<std::vector<int>>& codes,
                           const RunColumns& columns) const {
  std::set<int> dtypes;
  for (const std::vector<int>& axis : codes) dtypes.insert(axis.begin(), axis.end());
  dtypes.erase(-1);
  for (const int dtype : dtypes) {
    int64_t place = 0;
    for (const int axis : row.axes) {
      const auto& tokens = data_.axes[axis];
      const auto at = std::find_if(tokens.begin(), tokens.end(), [&](const std::string& text) {
        const Token token = parse_token(text);
        return token.kind == TokenKind::kDim && code(token.dtype) == dtype;
      });
      place = place * static_cast<int64_t>(tokens.size()) +
              (at == tokens.end() ? 0 : at - tokens.begin());
    }
    const int64_t index = row.first + place;
    DTypeCell& cell = op.dtypes[dtype];
    if (cell.subject != kNotRunByte || index < columns.first || index >= columns.end()) continue;
    cell.subject = columns.at(index).subject;
    cell.oracle = columns.at(index).oracle;
  }
}

void CaseFold::finish() {
  for (OpData& op : data_.ops) {
    for (const ReportRow& row : op.rows) op.counts.add(row.counts);
    if (op.counts.not_judged > 0) not_judged[op.name].count = op.counts.not_judged;
  }
}

}  // namespace upcast::reports
