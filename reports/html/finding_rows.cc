#include "reports/html/finding_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/html/reasons.h"
#include "reports/outputs/finding_words.h"

namespace upcast::reports {
namespace {

constexpr std::string_view kUndecided = "undecided";

/// What went wrong, in a few words, for kinds of difference that say it without the answers.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kFaults{
    {{"crash", "dies"},
     {"timeout", "does not return"},
     {"refusal", "refuses what the other side answers"},
     {"accepts", "answers what the other side refuses"},
     {"dtype", "gives another dtype"},
     {"shape", "gives another shape"},
     {"value", "gives another value"},
     {"alias", "leaves other values in an operand"},
     {"nondeterminism", "gives different answers to the same call"},
     {"strides", "gives other strides"}}};

std::string fault_of(std::string_view kind) {
  const auto* found = std::find_if(kFaults.begin(), kFaults.end(),
                                   [kind](const auto& each) { return each.first == kind; });
  return std::string(found == kFaults.end() ? kind : found->second);
}

Severity severity_of_kind(std::string_view kind, bool has_element_of_other_kind = false) {
  return severity_of(
      {.kind = kind, .has_element_of_other_kind = has_element_of_other_kind, .is_ordinary = true});
}

/// Whether the first element that differs is NaN or an infinity on one side, and another kind of
/// value on the other.
bool has_element_of_other_kind(const Verdict& verdict) {
  if (!verdict.difference || verdict.difference->what != Difference::What::kElement) return false;
  const auto is_special = [](std::string_view value) {
    return value.find("nan") != value.npos || value.find("inf") != value.npos;
  };
  return is_special(verdict.difference->subject) || is_special(verdict.difference->oracle);
}

/// The first of several kinds of difference: "dtype" for "dtype, value".
std::string_view first_kind(std::string_view kinds) { return kinds.substr(0, kinds.find(',')); }

std::string side_of(const KnownEntry& entry, const Summary& summary) {
  if (entry.wrong.empty()) return std::string(kUndecided);
  return entry.wrong == "subject" ? summary.subject : summary.oracle;
}

std::string side_of(Blame blame, const Summary& summary) {
  if (blame == Blame::kSubject) return summary.subject;
  if (blame == Blame::kOracle) return summary.oracle;
  return blame == Blame::kBoth ? "both sides" : std::string(kUndecided);
}

const ReportFinding* find_measured(const ReportInput& input, const std::string& name) {
  const auto found =
      std::find_if(input.findings.begin(), input.findings.end(),
                   [&name](const ReportFinding& each) { return each.entry.id == name; });
  return found == input.findings.end() ? nullptr : &*found;
}

FindingRow measured_row(const ReportFinding& finding) {
  FindingRow row;
  row.name = row.label = finding.entry.id;
  row.severity = finding.measured.severity;
  row.fault = fault_words(finding.measured);
  row.ops = {op_of_line(finding.measured.case_line)};
  row.group = finding.entry.difference_class;
  row.side = wrong_side_of(finding.measured);
  row.measured = &finding;
  return row;
}

/// The row of a known difference without measurements.
FindingRow entry_row(const KnownEntry& entry, const Summary& summary) {
  FindingRow row;
  const std::string_view kind = first_kind(entry.kind);
  row.name = row.label = entry.name;
  row.severity = severity_of_kind(kind);
  row.fault = fault_of(kind);
  row.group = entry.difference_class;
  row.side = side_of(entry, summary);
  return row;
}

/// Collects the rows of known differences by name, in the order in which the runs and campaigns
/// have them.
class KnownRows {
 public:
  explicit KnownRows(const ReportInput& input) : input_(input) {}

  void add_run(const RunData& data, std::size_t run) {
    const auto records = first_known_records(data);
    for (const KnownEntry& entry : data.summary.known) {
      if (entry.hits == 0) continue;
      FindingRow& row = row_of(entry, data.summary);
      row.cases += entry.hits;
      row.query = "known:" + entry.name + " in:cases";
      add_ops(row, data, entry.id);
      if (row.entry == nullptr) row.entry = &entry;
      if (const auto found = records.find(entry.id);
          row.record == nullptr && found != records.end()) {
        row.record = found->second;
        row.run = run;
      }
    }
  }

  /// Adds the known differences of a campaign. One that no run has, and that was not measured, gets
  /// a row from the campaign alone.
  void add_campaign(const Campaign& campaign) {
    for (const auto& [name, cases] : campaign.known_by_id) {
      const auto found = numbers_.find(name);
      const ReportFinding* measured = find_measured(input_, name);
      if (found != numbers_.end())
        rows_[found->second].fuzzed += cases;
      else if (measured != nullptr)
        add(measured_row(*measured)).fuzzed = cases;
    }
  }

  std::vector<FindingRow> take() { return std::move(rows_); }

 private:
  FindingRow& add(FindingRow row) {
    numbers_[row.name] = rows_.size();
    return rows_.emplace_back(std::move(row));
  }

  FindingRow& row_of(const KnownEntry& entry, const Summary& summary) {
    if (const auto found = numbers_.find(entry.name); found != numbers_.end())
      return rows_[found->second];
    const ReportFinding* measured = find_measured(input_, entry.name);
    return add(measured != nullptr ? measured_row(*measured) : entry_row(entry, summary));
  }

  static void add_ops(FindingRow& row, const RunData& data, int entry) {
    const auto found = data.known_ops.find(entry);
    if (found == data.known_ops.end()) return;
    std::vector<std::pair<std::string, std::int64_t>> ops(found->second.begin(),
                                                          found->second.end());
    std::stable_sort(ops.begin(), ops.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    for (const auto& [op, cases] : ops)
      if (std::find(row.ops.begin(), row.ops.end(), op) == row.ops.end()) row.ops.push_back(op);
  }

  const ReportInput& input_;
  std::vector<FindingRow> rows_;
  std::map<std::string, std::size_t> numbers_;
};

FindingRow new_row(const FailureGroup& group, const RunData& data, std::size_t run) {
  FindingRow row;
  row.severity =
      severity_of_kind(kind_of(group.verdict), has_element_of_other_kind(group.record.verdict));
  row.fault = reason_sentence(group, data.summary);
  row.label = group.schema;
  row.ops = {group.op};
  row.group = kNewFinding;
  row.side = side_of(blame_of_case(data, group.first_case), data.summary);
  row.cases = group.count;
  row.query = group_query(group);
  row.failure = &group;
  if (!group.record.line.empty()) row.record = &group.record;
  row.run = run;
  return row;
}

FindingRow fuzzed_row(const CampaignFinding& finding) {
  std::string_view kind = finding.verdict;
  if (kind.starts_with("differ(") && kind.ends_with(')')) kind = kind.substr(7, kind.size() - 8);
  FindingRow row;
  row.severity = severity_of_kind(kind);
  row.fault = fault_of(kind);
  row.label = finding.line.substr(0, finding.line.find('('));
  row.ops = {op_of_line(finding.line)};
  row.group = kNewFinding;
  row.side = kUndecided;
  row.fuzzed = 1;
  row.fuzzed_case = &finding;
  return row;
}

/// Makes the rows of new findings. Unmet expectations get no row, because the sides agree there.
std::vector<FindingRow> new_rows(const std::vector<RunData>& runs, const ReportInput& input) {
  std::vector<FindingRow> rows;
  for (std::size_t run = 0; run < runs.size(); ++run)
    for (const FailureGroup& group : runs[run].failures)
      if (group.verdict != VerdictCode::kExpectation && runs[run].rulebooks.empty()) {
        rows.push_back(new_row(group, runs[run], run));
        rows.back().name = fmt::format("new-{}", rows.size());
      }
  for (const Campaign& campaign : input.campaigns)
    for (const CampaignFinding& finding : campaign.findings) {
      rows.push_back(fuzzed_row(finding));
      rows.back().name = fmt::format("fuzzed-{}", rows.size());
    }
  return rows;
}

/// Whether the row `a` comes before `b`: the severest first. Among equal ones new findings come
/// first, then measured ones, then those with the most cases.
bool is_before(const FindingRow& a, const FindingRow& b) {
  const auto key = [](const FindingRow& row) {
    return std::tuple(row.severity, row.group != kNewFinding, row.measured == nullptr, row.measured,
                      -row.cases);
  };
  return key(a) < key(b);
}

}  // namespace

FindingRows finding_rows(const std::vector<RunData>& runs, const ReportInput& input) {
  KnownRows known(input);
  for (std::size_t run = 0; run < runs.size(); ++run)
    if (runs[run].rulebooks.empty()) known.add_run(runs[run], run);
  for (const Campaign& campaign : input.campaigns) known.add_campaign(campaign);
  FindingRows found{.rows = new_rows(runs, input)};
  std::stable_sort(found.rows.begin(), found.rows.end(), is_before);
  if (found.rows.size() > kMaxNewFindings) {
    found.new_left_out = static_cast<std::int64_t>(found.rows.size() - kMaxNewFindings);
    found.rows.erase(found.rows.begin() + kMaxNewFindings, found.rows.end());
  }
  for (FindingRow& row : known.take()) found.rows.push_back(std::move(row));
  std::stable_sort(found.rows.begin(), found.rows.end(), is_before);
  return found;
}

}  // namespace upcast::reports
