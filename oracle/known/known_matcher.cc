#include "oracle/known/known_matcher.h"

#include <algorithm>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/judge.h"
#include "oracle/known/model_values.h"
#include "oracle/libtorch_name.h"
#include "oracle/version_range.h"

namespace upcast {
namespace {

constexpr std::size_t kMaxEntries = 255;  // an id is a byte in the run store

/// libtorch:cpu?capability=native or avx2: one entry is about both.
bool takes_vector_paths(std::string_view subject) {
  return implementation_of(subject) == Implementation::kLibTorchNative;
}

/// Equal but for the expectation.
bool is_own_case(const Case& c, Case own_case) {
  own_case.expectation = c.expectation;
  return c == own_case;
}

}  // namespace

KnownScope::Wrong KnownScope::wrong_side(const KnownDifference& entry) const {
  const bool holds_for_oracle = version_in_range(libtorch, entry.versions);
  const bool holds_for_subject = libtorch_of_subject.empty()
                                     ? holds_for_oracle
                                     : version_in_range(libtorch_of_subject, entry.versions);
  const std::string our_name = split_side_name(subject).name;
  const std::string their_name = split_side_name(oracle).name;
  if (entry.subject.empty()) {
    if ((their_name == "libtorch:cpu" || their_name == "libtorch:meta") && holds_for_oracle)
      return Wrong::kOracle;
    const bool other_version = !libtorch_of_subject.empty() && our_name == "libtorch:cpu";
    return other_version && holds_for_subject ? Wrong::kSubject : Wrong::kNobody;
  }
  if (entry.subject == their_name) return holds_for_oracle ? Wrong::kOracle : Wrong::kNobody;
  const bool of_subject = entry.subject == our_name ||
                          (takes_vector_paths(entry.subject) && takes_vector_paths(our_name));
  return of_subject && holds_for_subject ? Wrong::kSubject : Wrong::kNobody;
}

bool KnownScope::finds_stale(const KnownDifference& entry) const {
  const std::string their_name = split_side_name(oracle).name;
  return subject.starts_with("impl:") &&
         (entry.subject.empty() ? their_name == "libtorch:cpu" : entry.subject == their_name);
}

KnownScope known_scope(const std::string& subject, const std::string& oracle,
                       const std::map<std::string, std::string>& versions, bool enumerates) {
  const auto version = [&versions](std::string_view key) {
    const auto found = versions.find(std::string(key));
    return found == versions.end() ? std::string() : found->second;
  };
  const bool has_libtorch = split_side_name(oracle).name.starts_with("libtorch:");
  return {subject, oracle, has_libtorch ? version("libtorch") : "", enumerates,
          version(kLibTorchOfSubject)};
}

KnownMatcher::KnownMatcher(std::vector<KnownDifference> entries, const KnownScope& scope)
    : matched_(entries.size() + 1),
      shares_faults_(split_side_name(scope.subject).name.starts_with("libtorch:")),
      enumerates_(scope.enumerates) {
  if (entries.size() > kMaxEntries) {
    throw UsageError("there are more than 255 known differences; join some, or fix them");
  }
  int id = 0;
  for (KnownDifference& entry : entries) {
    ++id;
    DeclaredAnswer answer(entry);  // of each entry, so that no run passes over a faulty one
    const KnownScope::Wrong wrong = scope.wrong_side(entry);
    if (wrong == KnownScope::Wrong::kNobody) continue;
    Case own_case = parse_case(entry.case_line);
    const bool of_subject = wrong == KnownScope::Wrong::kSubject;
    const bool of_path = of_subject && !entry.subject.empty();
    const bool counts = scope.finds_stale(entry);
    entries_.push_back({id, std::move(entry), std::move(answer), std::move(own_case), of_subject,
                        of_path, counts, 0});
  }
}

void KnownMatcher::start_block() { matched_.assign(matched_.size(), 0); }

void KnownMatcher::enter_row(const GridRow& row) {
  of_row_.clear();
  of_case_.clear();
  for (Entry& entry : entries_) {
    if (entry.difference.selector->matches_any(row)) of_row_.push_back(&entry);
  }
}

void KnownMatcher::count(const Case& c) {
  of_case_.clear();
  for (Entry* entry : of_row_) {
    if (!entry->difference.selector->matches(c)) continue;
    of_case_.push_back(entry);
    if (entry->counts && (enumerates_ || is_own_case(c, entry->own_case))) ++matched_[entry->id];
  }
}

bool KnownMatcher::is_declared(const Entry& entry, const Case& c, const Reply& subject,
                               const Reply& oracle) const {
  const Reply& wrong = entry.of_subject ? subject : oracle;
  const Reply& right = entry.of_subject ? oracle : subject;
  if (right.died())
    return shares_faults_ && entry.answer.is_death(wrong) && entry.answer.is_death(right);
  if (wrong.died()) return entry.answer.is_death(wrong);
  if (entry.of_path) return entry.answer.is_partly(c, right.answer, wrong.answer);
  return shares_faults_ ? entry.answer.is_beside(c, models::ours_of(c), wrong.answer, right.answer)
                        : entry.answer.is(c, right.answer, wrong.answer);
}

int KnownMatcher::explain(const Case& c, VerdictCode verdict, const Reply& subject,
                          const Reply& oracle) {
  for (Entry* entry : of_case_) {
    if (entry->difference.kind != kind_of(verdict) || !is_declared(*entry, c, subject, oracle))
      continue;
    const bool is_off = verdict == VerdictCode::kDifferValue && is_ruled(*entry, c) &&
                        arbiter_(c, subject.answer, oracle.answer, sides_).subject_is_off;
    return is_off ? 0 : entry->id;
  }
  return 0;
}

bool KnownMatcher::blames_oracle_alone(const Entry& entry, const Case& c) const {
  const auto& both_off = entry.difference.both_off;
  return !shares_faults_ && !entry.of_subject && (both_off == nullptr || !both_off->matches(c));
}

bool KnownMatcher::is_ruled(Entry& entry, const Case& c) const {
  if (arbiter_ == nullptr || !blames_oracle_alone(entry, c)) return false;
  const std::int64_t wanted = entry.rulings++;
  return wanted < kAlwaysRuled || wanted % rule_every_ == 0;
}

std::vector<std::pair<int, std::int64_t>> KnownMatcher::matched() const {
  std::vector<std::pair<int, std::int64_t>> counted;
  for (std::size_t id = 1; id < matched_.size(); ++id) {
    if (matched_[id] > 0) counted.emplace_back(static_cast<int>(id), matched_[id]);
  }
  return counted;
}

}  // namespace upcast
