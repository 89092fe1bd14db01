#include "oracle/known/known_matcher.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/contradiction.h"
#include "oracle/judge.h"
#include "oracle/known/cause.h"
#include "oracle/known/model_values.h"
#include "oracle/shared_places.h"
#include "oracle/version_range.h"

namespace upcast {
namespace {

/// The case with contiguous tensors that share no storage.
Case lying_apart(Case c) {
  const auto set_apart = [](Operand& operand) {
    operand.strides.clear();
    operand.offset = 0;
    operand.shares = kOwnStorage;
  };
  for (Operand& operand : c.arguments) set_apart(operand);
  set_apart(c.out);
  set_apart(c.second_out);
  return c;
}

constexpr std::size_t kMaxEntries = 255;  // an id is a byte in the run store

/// Whether a side is libtorch:cpu, of any version.
bool is_libtorch_cpu(const Side& side) {
  return side.bounds == Implementation::kLibTorch && side.device == Device::kCpu;
}

/// Whether a side is PyTorch as users run it: with vector paths and oneDNN.
bool is_libtorch_native(const Side& side) {
  return side.is_libtorch() && side.bounds == Implementation::kLibTorchNative;
}

/// Whether a side is the way of a framework that an entry names; the side may have further
/// settings.
bool is_way_of(const Side& named, const Side& side) {
  return named.vendor == Vendor::kPython && side.vendor == Vendor::kPython &&
         named.target == side.target &&
         std::all_of(
             named.settings.begin(), named.settings.end(),
             [&side](const Side::Setting& each) { return side.setting(each.key) == each.value; });
}

/// Whether an entry about the side `named` also covers `side`, in any version. An entry about one
/// vector path of LibTorch covers all vector paths. An entry about oneDNN covers all sides that use
/// it.
bool is_named(const Side& named, const Side& side) {
  if (named == without_version(side) || is_way_of(named, side)) return true;
  return is_libtorch_native(named) && is_libtorch_native(side) &&
         (side.has_onednn || !named.has_onednn);
}

bool is_about(const KnownDifference& entry, const Side& side) {
  return is_named(parse_side(entry.subject), side) ||
         std::any_of(entry.also.begin(), entry.also.end(),
                     [&side](const std::string& also) { return is_named(parse_side(also), side); });
}

bool is_truth(const Side& side) { return side.vendor == Vendor::kTruth; }

/// Whether two cases are equal, except for the expectation.
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
  if (entry.subject.empty()) {
    const bool of_oracle = is_libtorch_cpu(oracle) ||
                           (oracle.is_libtorch() && !oracle.answers_values) ||
                           (is_libtorch_native(oracle) && !subject.is_libtorch());
    if (of_oracle && holds_for_oracle) return Wrong::kOracle;
    const bool is_accused = is_truth(oracle)
                                ? is_libtorch_cpu(subject) || is_libtorch_native(subject)
                                : !libtorch_of_subject.empty() && is_libtorch_cpu(subject);
    return is_accused && holds_for_subject ? Wrong::kSubject : Wrong::kNeither;
  }
  if (is_about(entry, oracle) && !(is_libtorch_native(oracle) && subject.is_libtorch()))
    return holds_for_oracle ? Wrong::kOracle : Wrong::kNeither;
  return is_about(entry, subject) && holds_for_subject ? Wrong::kSubject : Wrong::kNeither;
}

bool KnownScope::finds_stale(const KnownDifference& entry) const {
  return subject.vendor == Vendor::kUpcast &&
         (entry.subject.empty() ? is_libtorch_cpu(oracle)
                                : parse_side(entry.subject) == without_version(oracle));
}

bool KnownScope::is_about_paths(const KnownDifference& entry) const {
  const auto is_path = [](const Side& side) {
    return is_libtorch_cpu(side) || is_libtorch_native(side);
  };
  if (!entry.subject.empty() && is_libtorch_native(parse_side(entry.subject))) return true;
  return is_path(subject) && is_path(oracle) && subject.version == oracle.version;
}

KnownScope known_scope(const Side& subject, const Side& oracle,
                       const std::map<std::string, std::string>& versions, bool enumerates) {
  const auto version = [&versions](std::string_view key) {
    const auto found = versions.find(std::string(key));
    return found == versions.end() ? std::string() : found->second;
  };
  const bool has_one = oracle.is_libtorch() || (subject.is_libtorch() && is_truth(oracle));
  return {subject, oracle, has_one ? version("libtorch") : "", enumerates,
          version(kLibTorchOfSubject)};
}

KnownMatcher::KnownMatcher(std::vector<KnownDifference> entries, const KnownScope& scope)
    : matched_(entries.size() + 1),
      of_paths_(paths_against(scope.oracle.bounds)),
      shares_faults_(scope.subject.is_libtorch()),
      enumerates_(scope.enumerates) {
  if (entries.size() > kMaxEntries) {
    throw UsageError("there are more than 255 known differences; join some, or fix them");
  }
  int id = 0;
  for (KnownDifference& entry : entries) {
    ++id;
    DeclaredAnswer answer(entry,
                          // The declared answer is read even if the entry does not apply, so that
                          // every run notices a faulty entry.
                          of_paths_);
    const KnownScope::Wrong wrong = scope.wrong_side(entry);
    if (wrong == KnownScope::Wrong::kNeither) continue;
    Case own_case = parse_case(entry.case_line);
    std::shared_ptr<const Selector> calls = calls_of_cause(entry);
    const bool of_subject = wrong == KnownScope::Wrong::kSubject;
    const bool of_path = of_subject ? !entry.subject.empty() || is_truth(scope.oracle)
                                    : is_libtorch_native(scope.oracle);
    const bool explains_kind = entry.difference_class == "bug" || !scope.is_about_paths(entry);
    const bool counts = scope.finds_stale(entry);
    entries_.push_back({id, std::move(entry), std::move(answer), std::move(calls),
                        std::move(own_case), of_subject, of_path, explains_kind, counts, 0});
  }
  std::stable_partition(entries_.begin(), entries_.end(),
                        [](const Entry& entry) { return !entry.difference.is_general; });
  for (int place = 0; place < std::ssize(entries_); ++place) {
    index_.add(place, *entries_[place].difference.selector);
    index_.add(place, *entries_[place].calls);
  }
}

void KnownMatcher::start_block() { matched_.assign(matched_.size(), 0); }

void KnownMatcher::enter_row(const GridRow& row) {
  of_row_.clear();
  of_case_.clear();
  of_calls_.clear();
  for (const int place : index_.items_of(row.prototype.callable())) {
    Entry& entry = entries_[place];
    if (entry.difference.selector->matches_any(row)) of_row_.push_back(&entry);
    if (entry.calls->matches_any(row)) of_calls_.push_back(&entry);
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
  return shares_faults_
             ? entry.answer.is_scalar_path(c, models::ours_of(c), wrong.answer, right.answer)
             : entry.answer.is(c, right.answer, wrong.answer);
}

void KnownMatcher::enter_alone(const Case& c) {
  GridRow row;
  row.prototype = c;
  row.count = 1;
  start_block();
  enter_row(row);
  enter_case(c);
}

KnownMatcher::Match KnownMatcher::explain(const Case& c, VerdictCode verdict, const Reply& subject,
                                          const Reply& oracle, std::int64_t rule_every,
                                          bool of_subject) {
  std::vector<Entry*> entries = of_case_;
  for (Entry* entry : of_calls_)
    if (entry->calls->matches(c)) entries.push_back(entry);
  std::erase_if(entries, [&](const Entry* entry) {
    return (of_subject && !entry->of_subject) ||
           !entry->difference.is_of(kind_of(entry->of_subject ? verdict : mirrored(verdict)));
  });
  for (Entry* entry : entries)
    if (is_declared(*entry, c, subject, oracle) &&
        (entry->explains_kind || !contradict_in_kind(subject, oracle)))
      return match_of(*entry, c, verdict, rule_every);
  Entry* first = nullptr;
  if (verdict == VerdictCode::kDifferValue) {
    first = first_of_several(entries, c, subject.answer, oracle.answer);
    if (first == nullptr) first = first_of_two(entries, c, subject.answer, oracle.answer);
    if (first == nullptr) first = first_of_shared_places(entries, c, subject.answer, oracle.answer);
  }
  return first == nullptr ? Match{} : match_of(*first, c, verdict, rule_every);
}

KnownMatcher::Entry* KnownMatcher::first_of_several(const std::vector<Entry*>& entries,
                                                    const Case& c, const Answer& subject,
                                                    const Answer& oracle) const {
  for (const bool of_subject : {false, true}) {
    const Answer& wrong = of_subject ? subject : oracle;
    Answer left = of_subject ? oracle : subject;
    Entry* first = nullptr;
    for (Entry* entry : entries) {
      if (!entry->of_path || entry->of_subject != of_subject) continue;
      Answer next = entry->answer.without_declared(c, left, wrong);
      if (next.bytes == left.bytes || (!entry->explains_kind && contradict_in_kind(left, next)))
        continue;
      left = std::move(next);
      if (first == nullptr) first = entry;
    }
    if (first != nullptr && judge(c, left, wrong, of_paths_).code == VerdictCode::kAgree)
      return first;
  }
  return nullptr;
}

KnownMatcher::Entry* KnownMatcher::first_of_shared_places(const std::vector<Entry*>& entries,
                                                          const Case& c, const Answer& subject,
                                                          const Answer& oracle) const {
  const std::vector<bool> shared = overwritten(c, oracle);
  if (shared.empty() || subject.bytes.size() != oracle.bytes.size()) return nullptr;
  const auto size = static_cast<std::size_t>(itemsize(oracle.dtype));
  const auto agrees_elsewhere = [&](Answer expected) {
    if (expected.bytes.size() != oracle.bytes.size()) return false;
    for (std::size_t i = 0; i < shared.size(); ++i)
      if (shared[i])
        std::memcpy(expected.bytes.data() + i * size, oracle.bytes.data() + i * size, size);
    return judge(c, expected, oracle, {}).code == VerdictCode::kAgree;
  };
  const Case apart = lying_apart(c);
  const Answer right = models::ours_of(apart);
  const auto explains = [&](const Entry* entry) {
    if (entry->difference.is_general || entry->answer.is_of_every_op()) return false;
    const std::optional<Answer> wrong = entry->answer.computed(apart, right);
    if (!wrong || wrong->bytes == right.bytes) return false;
    const std::optional<Answer> computed = entry->answer.computed(c, subject);
    return agrees_elsewhere(subject) || (computed && agrees_elsewhere(*computed));
  };
  const auto found = std::find_if(entries.begin(), entries.end(), explains);
  return found == entries.end() ? nullptr : *found;
}

KnownMatcher::Entry* KnownMatcher::first_of_two(const std::vector<Entry*>& entries, const Case& c,
                                                const Answer& subject, const Answer& oracle) const {
  if (shares_faults_) return nullptr;
  for (Entry* entry : entries) {
    if (entry->of_path || entry->of_subject) continue;
    const std::optional<Answer> computed = entry->answer.computed(c, subject);
    if (!computed || computed->bytes == subject.bytes) continue;
    for (const Entry* other : entries)
      if (!other->of_path && !other->of_subject && other->answer.is_value() &&
          other->answer.is(c, *computed, oracle))
        return entry;
  }
  return nullptr;
}

KnownMatcher::Match KnownMatcher::match_of(Entry& entry, const Case& c, VerdictCode verdict,
                                           std::int64_t rule_every) {
  if (verdict != VerdictCode::kDifferValue || !blames_oracle_alone(entry, c))
    return Match{.id = entry.id};
  const std::int64_t wanted = entry.rulings++;
  return Match{.id = entry.id,
               .is_to_be_ruled = wanted < kAlwaysRuled || wanted % rule_every == 0,
               .is_bug = entry.difference.difference_class == "bug"};
}

bool KnownMatcher::blames_oracle_alone(const Entry& entry, const Case& c) const {
  const auto& both_off = entry.difference.both_off;
  return !shares_faults_ && !entry.of_subject && (both_off == nullptr || !both_off->matches(c));
}

std::vector<std::pair<int, std::int64_t>> KnownMatcher::matched() const {
  std::vector<std::pair<int, std::int64_t>> counted;
  for (std::size_t id = 1; id < matched_.size(); ++id) {
    if (matched_[id] > 0) counted.emplace_back(static_cast<int>(id), matched_[id]);
  }
  return counted;
}

}  // namespace upcast
