#include "oracle/host/known_matcher.h"

#include <algorithm>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/host/versions.h"
#include "oracle/impl_subject.h"
#include "oracle/judge.h"

namespace upcast {
namespace {

constexpr std::size_t kMaxEntries = 255;  // an id is a byte in the run store

/// libtorch:cpu?capability=native or avx2: one entry is about both.
bool takes_vector_paths(std::string_view subject) {
  return implementation_of(subject) == Implementation::kLibTorchNative;
}

Answer our_answer(const Case& c) {
  ImplSubject ours;
  Answer answer;
  ours.answer(c, answer);
  return answer;
}

/// Equal but for the expectation.
bool is_own_case(const Case& c, Case own_case) {
  own_case.expectation = c.expectation;
  return c == own_case;
}

}  // namespace

bool KnownScope::applies(const KnownDifference& entry) const {
  const bool of_a_side =
      entry.subject.empty()
          ? oracle == "libtorch:cpu" || oracle == "libtorch:meta"
          : entry.subject == subject || entry.subject == oracle ||
                (takes_vector_paths(entry.subject) && takes_vector_paths(subject));
  return of_a_side && version_in_range(libtorch, entry.versions);
}

bool KnownScope::finds_stale(const KnownDifference& entry) const {
  return subject.starts_with("impl:") &&
         (entry.subject.empty() ? oracle == "libtorch:cpu" : entry.subject == oracle);
}

KnownMatcher::KnownMatcher(std::vector<KnownDifference> entries, const KnownScope& scope)
    : matched_(entries.size() + 1),
      shares_faults_(scope.subject.starts_with("libtorch:")),
      enumerates_(scope.enumerates) {
  if (entries.size() > kMaxEntries) {
    throw UsageError("there are more than 255 known differences; join some, or fix them");
  }
  int id = 0;
  for (KnownDifference& entry : entries) {
    ++id;
    if (!scope.applies(entry)) continue;
    DeclaredAnswer answer(entry.wrong_answer, entry.id);
    Case own_case = parse_case(entry.case_line);
    const bool of_subject = !entry.subject.empty() && entry.subject != scope.oracle;
    const bool counts = scope.finds_stale(entry);
    entries_.push_back(
        {id, std::move(entry), std::move(answer), std::move(own_case), of_subject, counts});
  }
}

void KnownMatcher::start_block() { matched_.assign(matched_.size(), 0); }

void KnownMatcher::enter_row(const GridRow& row) {
  of_row_.clear();
  of_case_.clear();
  for (const Entry& entry : entries_) {
    if (entry.difference.selector->matches_any(row)) of_row_.push_back(&entry);
  }
}

void KnownMatcher::count(const Case& c) {
  of_case_.clear();
  for (const Entry* entry : of_row_) {
    if (!entry->difference.selector->matches(c)) continue;
    of_case_.push_back(entry);
    if (entry->counts && (enumerates_ || is_own_case(c, entry->own_case))) ++matched_[entry->id];
  }
}

int KnownMatcher::explain(const Case& c, VerdictCode verdict, const Answer& subject,
                          const Answer& oracle, const DeadSide* subject_dead,
                          const DeadSide* oracle_dead) const {
  for (const Entry* entry : of_case_) {
    if (entry->difference.kind != kind_of(verdict)) continue;
    const bool of_subject = entry->of_subject;
    const DeadSide* const wrong_dead = of_subject ? subject_dead : oracle_dead;
    const DeadSide* const right_dead = of_subject ? oracle_dead : subject_dead;
    if (right_dead != nullptr) {
      if (shares_faults_ && wrong_dead != nullptr && entry->answer.is(*wrong_dead) &&
          entry->answer.is(*right_dead))
        return entry->id;
      continue;
    }
    const bool exact = wrong_dead != nullptr ? entry->answer.is(*wrong_dead)
                       : of_subject          ? entry->answer.is_partly(c, oracle, subject)
                       : shares_faults_ ? entry->answer.is_beside(c, our_answer(c), oracle, subject)
                                        : entry->answer.is(c, subject, oracle);
    if (exact) return entry->id;
  }
  return 0;
}

bool KnownMatcher::blames_oracle_alone(int id) const {
  const auto entry = std::find_if(entries_.begin(), entries_.end(),
                                  [id](const Entry& one) { return one.id == id; });
  return !shares_faults_ && entry != entries_.end() && !entry->of_subject;
}

std::vector<std::pair<int, std::int64_t>> KnownMatcher::matched() const {
  std::vector<std::pair<int, std::int64_t>> counted;
  for (std::size_t id = 1; id < matched_.size(); ++id) {
    if (matched_[id] > 0) counted.emplace_back(static_cast<int>(id), matched_[id]);
  }
  return counted;
}

}  // namespace upcast
