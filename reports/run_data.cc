#include "reports/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "oracle/verdict_text.h"
#include "reports/verdict_look.h"

namespace upcast::reports {
namespace {

/// Builds ops and their rows from the plan. The rows of a case list are gathered by op.
class RowFold {
 public:
  explicit RowFold(RunData& data) : data_(data) {}

  void add(const GridRow& row) {
    OpData& op = op_of(row);
    if (row.axes.empty()) {
      add_line(op, row);
      return;
    }
    ReportRow out{.schema = row.schema,
                  .form = row.form,
                  .default_dtype = row.default_dtype,
                  .line_template = row.line_template,
                  .axes = {},
                  .out_axes = {},
                  .first = row.first,
                  .cases = {},
                  .count = row.count,
                  .counts = {}};
    for (size_t i = 0; i < row.axes.size(); ++i) {
      out.axes.push_back(axis_number(row.axes[i]));
      if (row.line_template.find(fmt::format("out={{{}}}", i)) != std::string::npos) {
        out.out_axes.push_back(static_cast<int>(i));
      }
    }
    op.rows.push_back(std::move(out));
  }

  /// Makes one row for each op of a case list, with all lines of the op as its only axis.
  void finish() {
    for (auto& [op, lines] : lines_) {
      for (ReportRow& row : data_.ops[op].rows) {
        if (!row.cases.empty()) row.axes = {axis_number(lines)};
      }
    }
  }

 private:
  OpData& op_of(const GridRow& row) {
    const auto [at, is_new] = ops_.try_emplace(row.op, data_.ops.size());
    if (is_new) {
      data_.ops.emplace_back();
      data_.ops.back().name = row.op;
      data_.ops.back().family = row.family;
    }
    return data_.ops[at->second];
  }

  void add_line(OpData& op, const GridRow& row) {
    const auto at = std::find_if(op.rows.begin(), op.rows.end(),
                                 [](const ReportRow& r) { return !r.cases.empty(); });
    ReportRow* list = at == op.rows.end() ? &op.rows.emplace_back() : &*at;
    if (list->cases.empty()) {
      list->schema = row.op;
      list->form = "cases";
      list->default_dtype = row.default_dtype;
      list->line_template = "{0}";
    }
    list->cases.push_back(row.first);
    ++list->count;
    lines_[ops_[row.op]].push_back(row.line_template);
  }

  int axis_number(const std::vector<std::string>& tokens) {
    const auto [at, is_new] = axes_.try_emplace(tokens, static_cast<int>(data_.axes.size()));
    if (is_new) data_.axes.push_back(tokens);
    return at->second;
  }

  RunData& data_;
  std::unordered_map<std::string, size_t> ops_;
  std::map<std::vector<std::string>, int> axes_;
  std::map<size_t, std::vector<std::string>> lines_;
};

using FailureKey = std::tuple<std::string, std::string, std::string, uint32_t>;

/// A number by which failures of one schema are grouped: those with equal numbers differ alike.
/// They have the same verdict. If dtypes differ, they have the same dtypes. If one side refuses, it
/// is the same side and reason. If one died, it is the same side.
uint32_t alike(VerdictCode verdict, AnswerByte subject, AnswerByte oracle) {
  const auto kind = static_cast<uint32_t>(verdict) << 16;
  const auto both = [](AnswerByte a, AnswerByte b) { return static_cast<uint32_t>(a) << 8 | b; };
  if (verdict == VerdictCode::kDifferDType) return kind | both(subject, oracle);
  if (verdict == VerdictCode::kCrash || verdict == VerdictCode::kTimeout)
    return kind | both(subject < kTimeoutByte ? 0 : subject, oracle < kTimeoutByte ? 0 : oracle);
  if (!is_of_refusal(verdict)) return kind;
  return kind | both(is_dtype(subject) ? 0 : subject, is_dtype(oracle) ? 0 : oracle);
}

/// Counts of a row's cases by their column bytes. The bytes are turned into names only once for
/// each row.
struct RowTally {
  struct Failure {
    int64_t count = 0;
    int64_t first_case = 0;
  };
  std::unordered_map<uint32_t, Failure> failures;  // by alike()
  std::array<int64_t, 256> known{};
};

/// How many cases of an op were not judged, and the first recorded one of them.
struct NotJudgedOp {
  std::string reason, line;
  int64_t count = 0;
};

/// Counts every case of a row: by verdict, by operand dtype, and failures by how they differ.
class CaseFold {
 public:
  explicit CaseFold(RunData& data) : data_(data) {}

  void add(OpData& op, ReportRow& row) {
    // For each operand axis, the dtype codes of its tokens; -1 for a number or an attribute.
    std::vector<std::vector<int>> codes;
    std::vector<size_t> sizes;
    for (size_t axis = 0; axis < row.axes.size(); ++axis) {
      const bool is_out = std::count(row.out_axes.begin(), row.out_axes.end(), axis) > 0;
      codes.emplace_back();
      for (const std::string& text : data_.axes[row.axes[axis]]) {
        const Token token = parse_token(text);
        const bool tensor = token.kind == TokenKind::kDim || token.kind == TokenKind::kZeroDim;
        codes.back().push_back(tensor && !is_out ? code(token.dtype) : -1);
      }
      sizes.push_back(codes.back().size());
    }
    RowTally tally;
    std::array<DTypeCell, kDTypeCount> cells{};
    std::vector<size_t> at(sizes.size(), 0);
    for (int64_t i = 0; i < row.count; ++i) {
      const int64_t index = row.cases.empty() ? row.first + i : row.cases[i];
      add_case(row, tally, index);
      uint64_t seen = 0;
      for (size_t axis = 0; axis < at.size(); ++axis) {
        const int dtype = codes[axis][at[axis]];
        if (dtype < 0 || (seen >> dtype & 1) != 0) continue;
        seen |= uint64_t{1} << dtype;
        add_to_cell(cells[dtype], index);
      }
      for (size_t axis = at.size(); axis-- > 0;) {
        if (++at[axis] < sizes[axis]) break;
        at[axis] = 0;
      }
    }
    add_tally(op, row, tally);
    for (int dtype = 0; dtype < kDTypeCount; ++dtype) {
      if (cells[dtype].cases == 0) continue;
      DTypeCell& cell = op.dtypes[dtype];
      cell.cases += cells[dtype].cases;
      cell.known += cells[dtype].known;
      cell.unexplained += cells[dtype].unexplained;
      cell.not_judged += cells[dtype].not_judged;
      if (severity(cells[dtype].worst) > severity(cell.worst)) cell.worst = cells[dtype].worst;
      if (row.form == "functional" && cell.subject == kNotRunByte) set_answer(row, dtype, cell);
    }
  }

  std::map<FailureKey, FailureGroup> failures;
  std::map<std::string, NotJudgedOp> not_judged;

 private:
  void add_case(ReportRow& row, RowTally& tally, int64_t index) const {
    const uint8_t byte = data_.columns.verdict[index];
    if (byte == RunColumns::kNotStored) return;
    const auto verdict = static_cast<VerdictCode>(byte);
    const AnswerByte subject = data_.columns.subject[index];
    const AnswerByte oracle = data_.columns.oracle[index];
    row.counts.add(verdict, subject, oracle);
    if (verdict == VerdictCode::kKnown) ++tally.known[data_.columns.known[index]];
    if (!is_failure(verdict)) return;
    RowTally::Failure& failure = tally.failures[alike(verdict, subject, oracle)];
    if (failure.count++ == 0) failure.first_case = index;
  }

  void add_tally(OpData& op, const ReportRow& row, const RowTally& tally) {
    op.counts.add(row.counts);
    if (row.counts.not_judged > 0) not_judged[op.name].count += row.counts.not_judged;
    for (int id = 1; id < 256; ++id) {
      if (tally.known[id] > 0) data_.known_ops[id][op.name] += tally.known[id];
    }
    for (const auto& [kind, failure] : tally.failures) {
      FailureGroup& group = failures[{op.name, row.schema, row.form, kind}];
      if (group.count == 0 || failure.first_case < group.first_case) {
        group.first_case = failure.first_case;
      }
      group.op = op.name, group.schema = row.schema, group.form = row.form;
      group.verdict = static_cast<VerdictCode>(kind >> 16);
      group.subject = data_.columns.subject[group.first_case];
      group.oracle = data_.columns.oracle[group.first_case];
      group.count += failure.count;
    }
  }

  void add_to_cell(DTypeCell& cell, int64_t index) const {
    const uint8_t byte = data_.columns.verdict[index];
    ++cell.cases;
    if (byte == RunColumns::kNotStored) return;
    const auto verdict = static_cast<VerdictCode>(byte);
    cell.known += verdict == VerdictCode::kKnown;
    cell.not_judged += verdict == VerdictCode::kNotJudged;
    cell.unexplained += is_failure(verdict);
    if (severity(verdict) > severity(cell.worst)) cell.worst = verdict;
  }

  /// Sets the answer of a cell to that of the case in which every tensor operand has the dtype
  /// `dtype` and dimensions. An axis without such an operand keeps its first one.
  void set_answer(const ReportRow& row, int dtype, DTypeCell& cell) const {
    int64_t index = 0;
    for (const int axis : row.axes) {
      const auto& tokens = data_.axes[axis];
      const auto at = std::find_if(tokens.begin(), tokens.end(), [&](const std::string& text) {
        const Token token = parse_token(text);
        return token.kind == TokenKind::kDim && code(token.dtype) == dtype;
      });
      index = index * static_cast<int64_t>(tokens.size()) +
              (at == tokens.end() ? 0 : at - tokens.begin());
    }
    cell.subject = data_.columns.subject[row.first + index];
    cell.oracle = data_.columns.oracle[row.first + index];
  }

  RunData& data_;
};

/// Groups cases that were not judged by reason, the most frequent reason first. In each group the
/// ops with the most cases come first.
std::vector<NotJudgedGroup> by_reason(const std::map<std::string, NotJudgedOp>& ops) {
  std::map<std::string, NotJudgedGroup> reasons;
  for (const auto& [op, told] : ops) {
    NotJudgedGroup& group = reasons[told.reason];
    group.reason = told.reason;
    group.count += told.count;
    if (group.line.empty()) group.line = told.line;
    group.ops.emplace_back(op, told.count);
  }
  std::vector<NotJudgedGroup> groups;
  for (auto& [reason, group] : reasons) {
    std::stable_sort(group.ops.begin(), group.ops.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    groups.push_back(std::move(group));
  }
  std::stable_sort(
      groups.begin(), groups.end(),
      [](const NotJudgedGroup& a, const NotJudgedGroup& b) { return a.count > b.count; });
  return groups;
}

/// Counts the ruling of the truth in a verdict, if there is one. A ruling by PyTorch's rules does
/// not count.
void add_truth(const Verdict& verdict, TruthCounts& counts) {
  if (verdict.found != VerdictCode::kDifferValue || !verdict.ruling.rules.empty()) return;
  const std::optional<Blame> told = blame_told(verdict.ruling.outcome);
  counts.with_subject += told == Blame::kOracle;
  counts.with_oracle += told == Blame::kSubject;
  counts.with_neither += told == Blame::kBoth;
  counts.undecided += told == Blame::kUndecided;
}

/// Loads the records that the page shows: those of the groups' first cases, then failures, then a
/// few of the rest.
void load_records(const std::vector<const RunStore*>& stores, RunData& data,
                  std::map<std::string, NotJudgedOp>& not_judged) {
  std::unordered_map<int64_t, FailureGroup*> firsts;
  for (FailureGroup& group : data.failures) firsts[group.first_case] = &group;
  std::unordered_map<std::string, OpData*> ops;
  for (OpData& op : data.ops) ops[op.name] = &op;
  std::set<int> known;
  int64_t failures = 0;
  int64_t others = 0;
  for (const RunStore* store : stores) {
    store->for_each_record([&](const CaseRecord& row) {
      ++data.records_stored;
      if (row.case_index < 0 || row.case_index >= store->plan().planned) return;
      const uint8_t byte = data.columns.verdict[row.case_index];
      const std::string& op = row_of(store->rows(), row.case_index).op;
      add_truth(row.verdict, ops.at(op)->truth);
      const auto first = firsts.find(row.case_index);
      if (first != firsts.end()) first->second->record = row;
      if (static_cast<VerdictCode>(byte) == VerdictCode::kNotJudged) {
        NotJudgedOp& of_op = not_judged[op];
        if (of_op.line.empty()) of_op.line = row.line, of_op.reason = sentence(row.verdict);
      }
      const bool failure =
          byte != RunColumns::kNotStored && is_failure(static_cast<VerdictCode>(byte));
      const bool wanted = failure ? failures++ < kMaxRecords : others++ < kMaxRecords / 10;
      const bool is_first_known = row.known != 0 && known.insert(row.known).second;
      if (wanted || first != firsts.end() || is_first_known) data.records.push_back(row);
    });
  }
  std::sort(data.records.begin(), data.records.end(),
            [](const CaseRecord& a, const CaseRecord& b) { return a.case_index < b.case_index; });
}

}  // namespace

std::map<int, const CaseRecord*> first_known_records(const RunData& data) {
  std::map<int, const CaseRecord*> first;
  for (const CaseRecord& row : data.records)
    if (row.known != 0) first.emplace(row.known, &row);
  return first;
}

Blame blame_of_case(const RunData& data, int64_t index) {
  const RunColumns& columns = data.columns;
  if (columns.verdict[index] == RunColumns::kNotStored) return Blame::kNone;
  return blame_of(static_cast<VerdictCode>(columns.verdict[index]),
                  data.summary.entry(columns.known[index]), columns.subject[index],
                  columns.oracle[index], columns.ruling[index]);
}

RunData fold_run(const std::vector<const RunStore*>& stores) {
  RunData data;
  data.summary = summarize(stores);
  data.rulebooks = fold_rulebooks(stores);
  data.columns = load_columns(stores);
  RowFold rows(data);
  for (const GridRow& row : stores.front()->rows()) rows.add(row);
  rows.finish();
  CaseFold cases(data);
  for (OpData& op : data.ops) {
    for (ReportRow& row : op.rows) cases.add(op, row);
  }
  for (auto& [key, group] : cases.failures) {
    group.line = stores.front()->line(group.first_case);
    data.failures.push_back(std::move(group));
  }
  std::stable_sort(data.failures.begin(), data.failures.end(),
                   [](const FailureGroup& a, const FailureGroup& b) {
                     return std::tuple(-severity(a.verdict), -a.count, a.first_case) <
                            std::tuple(-severity(b.verdict), -b.count, b.first_case);
                   });
  load_records(stores, data, cases.not_judged);
  data.not_judged = by_reason(cases.not_judged);
  return data;
}

}  // namespace upcast::reports
