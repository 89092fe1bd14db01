#include "reports/run_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "oracle/verdict_text.h"
#include "reports/case_fold.h"
#include "reports/kind_fold.h"
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
      const bool is_listed = data.lists(row.case_index);
      const uint8_t byte =
          is_listed ? data.bytes(row.case_index).verdict : static_cast<uint8_t>(row.verdict.code);
      const std::string& op = row_of(store->rows(), row.case_index).op;
      add_truth(row.verdict, ops.at(op)->truth);
      const auto first = firsts.find(row.case_index);
      if (first != firsts.end()) first->second->record = row;
      if (static_cast<VerdictCode>(byte) == VerdictCode::kNotJudged) {
        NotJudgedOp& of_op = not_judged[op];
        if (of_op.line.empty()) of_op.line = row.line, of_op.reason = sentence(row.verdict);
      }
      if (!is_listed) return;
      const bool failure = byte != kNotStored && is_failure(static_cast<VerdictCode>(byte));
      const bool wanted = failure ? failures++ < kMaxRecords : others++ < kMaxRecords / 10;
      const bool is_first_known = row.known != 0 && known.insert(row.known).second;
      if (wanted || first != firsts.end() || is_first_known) data.records.push_back(row);
    });
  }
  std::sort(data.records.begin(), data.records.end(),
            [](const CaseRecord& a, const CaseRecord& b) { return a.case_index < b.case_index; });
}

}  // namespace

int64_t ReportRow::place_from(int64_t index) const {
  if (cases.empty()) return std::clamp<int64_t>(index - first, 0, count);
  return std::lower_bound(cases.begin(), cases.end(), index) - cases.begin();
}

std::map<int, const CaseRecord*> first_known_records(const RunData& data) {
  std::map<int, const CaseRecord*> first;
  for (const CaseRecord& row : data.records)
    if (row.known != 0) first.emplace(row.known, &row);
  return first;
}

Blame blame_of_case(const RunData& data, int64_t index) {
  const CaseBytes bytes = data.bytes(index);
  if (bytes.verdict == kNotStored) return Blame::kNone;
  return blame_of(static_cast<VerdictCode>(bytes.verdict), data.summary.entry(bytes.known),
                  bytes.subject, bytes.oracle, bytes.ruling);
}

RunData fold_run(const std::vector<const RunStore*>& stores, int64_t most_cases) {
  const RunPlan& plan = stores.front()->plan();
  RunData data;
  data.summary = summarize(stores);
  data.rulebooks = fold_rulebooks(stores);
  data.is_summed = plan.planned > most_cases;
  RowFold rows(data);
  for (const GridRow& row : stores.front()->rows()) rows.add(row);
  rows.finish();
  CaseFold cases(data);
  KindFold kinds(data);
  const int64_t step =
      data.is_summed ? std::max<int64_t>(1, most_cases / plan.block_size) : plan.blocks();
  for (int64_t first = 0; first < plan.blocks(); first += step) {
    data.columns = load_columns(stores, first, std::min(first + step, plan.blocks()));
    for (OpData& op : data.ops) {
      for (ReportRow& row : op.rows) {
        cases.add(op, row, data.columns);
        kinds.add(op, row, data.columns);
      }
    }
  }
  if (data.is_summed) data.columns = {};
  cases.finish();
  data.kinds = kinds.matrices();
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
