#include "reports/run_diff.h"

#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

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

/// The texts of both answers to a noteworthy case, with values.
struct Answers {
  std::string subject, oracle;
};

/// A run for the comparison: its columns, and the answers of its noteworthy cases.
struct Cases {
  explicit Cases(const RunStore& run) : store(run), columns(load_columns({&run})) {
    store.for_each_record([this](const CaseRecord& row) {
      told.emplace(row.case_index, Answers{row.subject, row.oracle});
    });
    if (const auto& its_claim = run.plan().claim) claim = Selection::parse(its_claim->selection);
  }
  /// Why the subject does not claim case `i` of a run; "" if it does, or if the store does not say.
  std::string_view why_not_claimed(const RunStore& run, int64_t i) const {
    return claim == Selection{} ? "" : claim.why_not(parse_case(run.line(i)));
  }
  bool ran(int64_t i) const { return columns.verdict[i] != kNotStored; }
  VerdictCode verdict_of(int64_t i) const { return static_cast<VerdictCode>(columns.verdict[i]); }
  bool is_judged(int64_t i) const { return verdict_of(i) != VerdictCode::kNotJudged; }
  bool fails(int64_t i) const { return is_failure(verdict_of(i)); }
  /// The text of the subject's answer to case `i`; with values if the store keeps them.
  std::string subject_text(int64_t i) const {
    const auto found = told.find(i);
    return found == told.end() ? answer_name(columns.subject[i]) : found->second.subject;
  }
  std::string oracle_text(int64_t i) const {
    const auto found = told.find(i);
    return found == told.end() ? answer_name(columns.oracle[i]) : found->second.oracle;
  }

  const RunStore& store;
  RunColumns columns;
  std::unordered_map<int64_t, Answers> told;
  Selection claim{};
};

std::string shape_of(const GridRow& row) {
  std::string text = row.line_template + '\n';
  for (const auto& axis : row.axes) {
    for (const std::string& token : axis) text += token + '\t';
    text += '\n';
  }
  return text;
}

/// For each case of the new run, the number of the old run's case with the same line, or -1. Rows
/// that both runs have are matched as a whole; lines of other rows are matched by their hash.
std::vector<int64_t> match(const RunPlan& before, const RunPlan& after) {
  std::unordered_map<std::string, std::vector<const GridRow*>> rows;
  for (auto row = before.rows.rbegin(); row != before.rows.rend(); ++row)
    rows[shape_of(*row)].push_back(&*row);
  std::vector<int64_t> of(static_cast<std::size_t>(after.planned), -1);
  std::vector<const GridRow*> new_rest;
  for (const GridRow& row : after.rows) {
    auto& same = rows[shape_of(row)];
    if (same.empty()) {
      new_rest.push_back(&row);
      continue;
    }
    for (int64_t i = 0; i < row.count; ++i) of[row.first + i] = same.back()->first + i;
    same.pop_back();
  }
  std::unordered_map<std::size_t, std::vector<int64_t>> lines;
  const std::hash<std::string> hash;
  if (!new_rest.empty())
    for (const auto& [shape, left] : rows)
      for (const GridRow* row : left)
        for (int64_t i = row->count - 1; i >= 0; --i)
          lines[hash(case_line(*row, i))].push_back(row->first + i);
  for (const GridRow* row : new_rest)
    for (int64_t i = 0; i < row->count; ++i) {
      const auto found = lines.find(hash(case_line(*row, i)));
      if (found == lines.end() || found->second.empty()) continue;
      of[row->first + i] = found->second.back();
      found->second.pop_back();
    }
  return of;
}

Change change_of(const Cases& before, int64_t old_case, const Cases& after, int64_t new_case) {
  const VerdictCode old_verdict = before.verdict_of(old_case);
  const VerdictCode new_verdict = after.verdict_of(new_case);
  const bool was = is_failure(old_verdict);
  const bool is = is_failure(new_verdict);
  if (new_verdict == VerdictCode::kNotJudged && old_verdict != VerdictCode::kNotJudged)
    return Change::kNoLongerJudged;
  if (old_verdict == VerdictCode::kNotJudged && new_verdict != VerdictCode::kNotJudged && !is)
    return Change::kNewlyJudged;
  if (was && !is) return Change::kFixed;
  if (is && (!was || (is_death(new_verdict) && !is_death(old_verdict)))) return Change::kBroken;
  const bool same_answers = old_verdict == new_verdict &&
                            before.columns.subject[old_case] == after.columns.subject[new_case] &&
                            before.columns.oracle[old_case] == after.columns.oracle[new_case];
  const bool told = before.told.contains(old_case) && after.told.contains(new_case);
  if (!same_answers || (told && (before.subject_text(old_case) != after.subject_text(new_case) ||
                                 before.oracle_text(old_case) != after.oracle_text(new_case))))
    return Change::kChanged;
  return is ? Change::kStillFailing : Change::kSame;
}

class Differ {
 public:
  Differ(const RunStore& before, const RunStore& after, int64_t limit)
      : before_(before), after_(after) {
    diff_.limit = limit;
    diff_.complete = summarize(after).outlook_of_judged() != Outlook::kIncomplete;
  }

  RunDiff run() {
    const std::vector<int64_t> of = match(before_.store.plan(), after_.store.plan());
    std::vector<bool> met(before_.columns.verdict.size(), false);
    for (const GridRow& row : after_.store.rows())
      for (int64_t i = row.first; i < row.first + row.count; ++i) {
        if (!after_.ran(i)) continue;
        const bool both = of[i] >= 0 && before_.ran(of[i]);
        if (both) met[of[i]] = true;
        add(row.schema, both ? change_of(before_, of[i], after_, i) : change_of_new(i),
            both ? of[i] : -1, i);
      }
    for (const GridRow& row : before_.store.rows())
      for (int64_t i = row.first; i < row.first + row.count; ++i)
        if (before_.ran(i) && !met[i]) add(row.schema, change_of_old(i), i, -1);
    return std::move(diff_);
  }

 private:
  /// The change of a case that is in the new run only. Its old verdict counts as "not judged" if
  /// the old subject did not claim it; otherwise the old grid lacked the case.
  Change change_of_new(int64_t i) const {
    const bool was_claimed = before_.why_not_claimed(after_.store, i).empty();
    if (was_claimed) return after_.fails(i) ? Change::kAddedFailing : Change::kAdded;
    if (after_.fails(i)) return Change::kBroken;
    return after_.is_judged(i) ? Change::kNewlyJudged : Change::kSame;
  }

  /// The change of a case that is in the old run only.
  Change change_of_old(int64_t i) const {
    const bool is_claimed = after_.why_not_claimed(before_.store, i).empty();
    if (is_claimed) return Change::kRemoved;
    return before_.is_judged(i) ? Change::kNoLongerJudged : Change::kSame;
  }

  void add(const std::string& schema, Change change, int64_t old_case, int64_t new_case) {
    const auto at = static_cast<std::size_t>(change);
    ++diff_.counts[at];
    if (change == Change::kSame) return;
    ++diff_.by_schema[schema][at];
    const bool is_told = change != Change::kAdded && change != Change::kNewlyJudged;
    if (!is_told || diff_.counts[at] > diff_.limit) return;
    DiffRow row;
    row.change = change;
    row.line = new_case >= 0 ? after_.store.line(new_case) : before_.store.line(old_case);
    if (old_case >= 0) {
      row.old_verdict = name(before_.verdict_of(old_case));
      row.old_subject = before_.subject_text(old_case);
      row.old_oracle = before_.oracle_text(old_case);
    }
    if (new_case >= 0) {
      row.new_case = new_case;
      row.new_verdict = name(after_.verdict_of(new_case));
      row.new_subject = after_.subject_text(new_case);
      row.new_oracle = after_.oracle_text(new_case);
    }
    if (change == Change::kNoLongerJudged && new_case < 0) {
      row.new_verdict = name(VerdictCode::kNotJudged);
      row.new_subject = after_.why_not_claimed(before_.store, old_case);
      row.new_oracle = kSpared;
    }
    diff_.rows.push_back(std::move(row));
  }

  Cases before_, after_;
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
