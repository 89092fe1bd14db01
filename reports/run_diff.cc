#include "reports/run_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/notation.h"
#include "oracle/answer.h"
#include "reports/run_columns.h"

namespace upcast::reports {
namespace {

constexpr std::array<std::string_view, kChangeCount> kNames = {
    "same",         "still failing",  "fixed", "broken",         "no longer judged",
    "newly judged", "changed answer", "added", "added, failing", "removed"};
/// The name of each change as a key in JSON.
constexpr std::array<const char*, kChangeCount> kKeys = {
    "same",         "still_failing", "fixed", "broken",        "no_longer_judged",
    "newly_judged", "changed",       "added", "added_failing", "removed"};

constexpr bool is_death(VerdictCode verdict) {
  return verdict == VerdictCode::kCrash || verdict == VerdictCode::kTimeout;
}

/// A case of a run for the comparison: its columns.
struct ComparedCase {
  int64_t index = -1;  // the case's number in its run; -1: the case is not in it
  CaseBytes bytes{};

  bool ran() const { return bytes.verdict != kNotStored; }
  VerdictCode verdict() const { return static_cast<VerdictCode>(bytes.verdict); }
  bool is_judged() const { return verdict() != VerdictCode::kNotJudged; }
  bool fails() const { return is_failure(verdict()); }
};

/// A run for the comparison: its cases, and what its noteworthy cases were answered. Of those it
/// holds hashes only, because a run of 10^9 cases may have millions of them.
class ComparedRun {
 public:
  explicit ComparedRun(const RunStore& run) : store_(run), columns_(run) {
    const std::hash<std::string> hash;
    store_.for_each_record([&](const CaseRecord& row) {
      told_.push_back({row.case_index, hash(row.subject), hash(row.oracle)});
    });
    if (const auto& its_claim = run.plan().claim) claim_ = Selection::parse(its_claim->selection);
  }

  const RunStore& store() const { return store_; }
  /// Case `i`; a case that is not in the run if `i` is -1.
  ComparedCase at(int64_t i) {
    return i < 0 ? ComparedCase{} : ComparedCase{.index = i, .bytes = columns_.at(i)};
  }
  /// Why the subject does not claim case `i` of a run; "" if it does, or if the store does not say.
  std::string_view why_not_claimed(const RunStore& run, int64_t i) const {
    return claim_ == Selection{} ? "" : claim_.why_not(parse_case(run.line(i)));
  }
  /// Whether a case's answers are told otherwise in another run. False if one of the runs has no
  /// record of the case.
  bool tells_otherwise(const ComparedCase& c, const ComparedRun& other,
                       const ComparedCase& its) const {
    const Told* const here = find(c.index);
    const Told* const there = here == nullptr ? nullptr : other.find(its.index);
    return there != nullptr && (here->subject != there->subject || here->oracle != there->oracle);
  }
  /// The texts of both sides' answers to a case; with values if the store keeps them.
  std::pair<std::string, std::string> answers(const ComparedCase& c) const {
    if (const std::optional<CaseRecord> record = store_.record(c.index))
      return {record->subject, record->oracle};
    return {answer_name(c.bytes.subject), answer_name(c.bytes.oracle)};
  }

 private:
  struct Told {
    int64_t index;
    std::size_t subject, oracle;  // hashes of the answers' texts
  };
  const Told* find(int64_t index) const {
    const auto found = std::lower_bound(told_.begin(), told_.end(), index,
                                        [](const Told& t, int64_t i) { return t.index < i; });
    return found == told_.end() || found->index != index ? nullptr : &*found;
  }

  const RunStore& store_;
  ColumnsInParts columns_;
  std::vector<Told> told_;  // in order of the cases
  Selection claim_{};
};

std::string shape_of(const GridRow& row) {
  std::string text = row.line_template + '\n';
  for (const auto& axis : row.axes) {
    for (const std::string& token : axis) text += token + '\t';
    text += '\n';
  }
  return text;
}

/// A row of the new run, with the cases of the old run that have the same lines.
struct MatchedRow {
  const GridRow& row;
  int64_t old_first = -1;  // the first case of the old run's same row; -1: there is no such row
  std::vector<int64_t> old_cases{};  // without such a row, the old case of each case, or -1

  int64_t old_case(int64_t i) const { return old_first >= 0 ? old_first + i : old_cases[i]; }
};

/// The rows of the new run. Rows that both runs have are matched as a whole; lines of other rows
/// are matched by their hash.
std::vector<MatchedRow> match(const RunPlan& before, const RunPlan& after) {
  std::unordered_map<std::string, std::vector<const GridRow*>> rows;
  for (auto row = before.rows.rbegin(); row != before.rows.rend(); ++row)
    rows[shape_of(*row)].push_back(&*row);
  std::vector<MatchedRow> matched;
  bool has_rest = false;
  for (const GridRow& row : after.rows) {
    auto& same = rows[shape_of(row)];
    matched.push_back({.row = row, .old_first = same.empty() ? -1 : same.back()->first});
    if (same.empty())
      has_rest = true;
    else
      same.pop_back();
  }
  if (!has_rest) return matched;
  std::unordered_map<std::size_t, std::vector<int64_t>> lines;
  const std::hash<std::string> hash;
  for (const auto& [shape, left] : rows)
    for (const GridRow* row : left)
      for (int64_t i = row->count - 1; i >= 0; --i)
        lines[hash(case_line(*row, i))].push_back(row->first + i);
  for (MatchedRow& rest : matched) {
    if (rest.old_first >= 0) continue;
    for (int64_t i = 0; i < rest.row.count; ++i) {
      const auto found = lines.find(hash(case_line(rest.row, i)));
      const bool is_there = found != lines.end() && !found->second.empty();
      rest.old_cases.push_back(is_there ? found->second.back() : -1);
      if (is_there) found->second.pop_back();
    }
  }
  return matched;
}

class Differ {
 public:
  Differ(const RunStore& before, const RunStore& after, int64_t limit)
      : before_(before), after_(after) {
    diff_.limit = limit;
    diff_.complete = summarize(after).outlook_of_judged() != Outlook::kIncomplete;
  }

  RunDiff run() {
    const RunPlan &old_plan = before_.store().plan(), &new_plan = after_.store().plan();
    std::vector<bool> met(static_cast<std::size_t>(old_plan.planned), false);
    for (const MatchedRow& matched : match(old_plan, new_plan))
      for (int64_t i = 0; i < matched.row.count; ++i) {
        const ComparedCase is = after_.at(matched.row.first + i);
        if (!is.ran()) continue;
        const ComparedCase was = before_.at(matched.old_case(i));
        if (!was.ran()) {
          add(matched.row.schema, change_of_new(is), {}, is);
          continue;
        }
        met[was.index] = true;
        add(matched.row.schema, change_of(was, is), was, is);
      }
    for (const GridRow& row : old_plan.rows)
      for (int64_t i = row.first; i < row.first + row.count; ++i) {
        if (met[i]) continue;
        if (const ComparedCase was = before_.at(i); was.ran())
          add(row.schema, change_of_old(was), was, {});
      }
    return std::move(diff_);
  }

 private:
  Change change_of(const ComparedCase& was, const ComparedCase& is) const {
    const VerdictCode old_verdict = was.verdict(), new_verdict = is.verdict();
    if (was.is_judged() && !is.is_judged()) return Change::kNoLongerJudged;
    if (!was.is_judged() && is.is_judged() && !is.fails()) return Change::kNewlyJudged;
    if (was.fails() && !is.fails()) return Change::kFixed;
    if (is.fails() && (!was.fails() || (is_death(new_verdict) && !is_death(old_verdict))))
      return Change::kBroken;
    const bool same_answers = old_verdict == new_verdict && was.bytes.subject == is.bytes.subject &&
                              was.bytes.oracle == is.bytes.oracle;
    if (!same_answers || before_.tells_otherwise(was, after_, is)) return Change::kChanged;
    return is.fails() ? Change::kStillFailing : Change::kSame;
  }

  /// The change of a case that is in the new run only. Its old verdict counts as "not judged" if
  /// the old subject did not claim it; otherwise the old grid lacked the case.
  Change change_of_new(const ComparedCase& is) const {
    const bool was_claimed = before_.why_not_claimed(after_.store(), is.index).empty();
    if (was_claimed) return is.fails() ? Change::kAddedFailing : Change::kAdded;
    if (is.fails()) return Change::kBroken;
    return is.is_judged() ? Change::kNewlyJudged : Change::kSame;
  }

  /// The change of a case that is in the old run only.
  Change change_of_old(const ComparedCase& was) const {
    const bool is_claimed = after_.why_not_claimed(before_.store(), was.index).empty();
    if (is_claimed) return Change::kRemoved;
    return was.is_judged() ? Change::kNoLongerJudged : Change::kSame;
  }

  void add(const std::string& schema, Change change, const ComparedCase& was,
           const ComparedCase& is) {
    const auto at = static_cast<std::size_t>(change);
    ++diff_.counts[at];
    if (change == Change::kSame) return;
    ++diff_.by_schema[schema][at];
    const bool is_told = change != Change::kAdded && change != Change::kNewlyJudged;
    if (!is_told || diff_.counts[at] > diff_.limit) return;
    DiffRow row;
    row.change = change;
    row.line = is.index >= 0 ? after_.store().line(is.index) : before_.store().line(was.index);
    if (was.index >= 0) {
      row.old_verdict = name(was.verdict());
      std::tie(row.old_subject, row.old_oracle) = before_.answers(was);
    }
    if (is.index >= 0) {
      row.new_case = is.index;
      row.new_verdict = name(is.verdict());
      std::tie(row.new_subject, row.new_oracle) = after_.answers(is);
    }
    if (change == Change::kNoLongerJudged && is.index < 0) {
      row.new_verdict = name(VerdictCode::kNotJudged);
      row.new_subject = after_.why_not_claimed(before_.store(), was.index);
      row.new_oracle = kSpared;
    }
    diff_.rows.push_back(std::move(row));
  }

  ComparedRun before_, after_;
  RunDiff diff_;
};

std::string side_text(const std::string& verdict, const std::string& subject,
                      const std::string& oracle) {
  return verdict.empty() ? "not there"
                         : fmt::format("{}: {} where the oracle has {}", verdict, subject, oracle);
}

}  // namespace

std::string_view change_name(Change change) { return kNames[static_cast<std::size_t>(change)]; }

int64_t worse_of(const ChangeCounts& counts) {
  int64_t worse = 0;
  for (const Change change : {Change::kBroken, Change::kNoLongerJudged, Change::kAddedFailing})
    worse += counts[static_cast<std::size_t>(change)];
  return worse;
}

RunDiff diff_runs(const RunStore& before, const RunStore& after, int64_t limit) {
  return Differ(before, after, limit).run();
}

std::string diff_headline(const RunDiff& diff) {
  const int64_t worse = diff.worse();
  if (worse == 0)
    return diff.complete ? "Nothing got worse."
                         : "Nothing that ran got worse, but the new run is incomplete.";
  return fmt::format("{} {} got worse.{}", grouped(worse), worse == 1 ? "case" : "cases",
                     diff.complete ? "" : " The new run is incomplete.");
}

std::string diff_text(const RunDiff& diff) {
  std::string text = diff_headline(diff);
  for (int i = 0; i < kChangeCount; ++i)
    fmt::format_to(std::back_inserter(text), "\n  {:<17}{}", kNames[i], grouped(diff.counts[i]));
  for (const DiffRow& row : diff.rows)
    fmt::format_to(std::back_inserter(text), "\n{}: {}\n  before  {}\n  after   {}",
                   change_name(row.change), row.line,
                   side_text(row.old_verdict, row.old_subject, row.old_oracle),
                   side_text(row.new_verdict, row.new_subject, row.new_oracle));
  return text;
}

std::string diff_json(const RunDiff& diff, int indent) {
  using Json = nlohmann::ordered_json;
  const auto counts_json = [](const ChangeCounts& counts) {
    Json json;
    for (int i = 0; i < kChangeCount; ++i) json[kKeys[i]] = counts[i];
    return json;
  };
  Json json = {{"$schema", json_schemas::kDiff}};
  json.update(counts_json(diff.counts));
  json["worse"] = diff.worse();
  json["complete"] = diff.complete;
  json["by_schema"] = Json::object();
  for (const auto& [schema, counts] : diff.by_schema)
    json["by_schema"][schema] = counts_json(counts);
  json["rows"] = Json::array();
  for (const DiffRow& row : diff.rows)
    json["rows"].push_back(
        {{"change", kKeys[static_cast<std::size_t>(row.change)]},
         {"line", row.line},
         {"old",
          {{"verdict", row.old_verdict}, {"subject", row.old_subject}, {"oracle", row.old_oracle}}},
         {"new",
          {{"verdict", row.new_verdict},
           {"subject", row.new_subject},
           {"oracle", row.new_oracle}}}});
  return dump_json(json, indent);
}

}  // namespace upcast::reports
