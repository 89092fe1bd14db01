#include "fuzz/findings/examiner.h"

#include <algorithm>
#include <utility>

namespace upcast::fuzz {

Examiner::Examiner(std::string subject, std::string oracle, double time_limit,
                   std::vector<KnownDifference> known, Arbiter arbiter)
    : subject_(std::move(subject), time_limit),
      oracle_(std::move(oracle), time_limit),
      sides_(sides_of(subject_.name(), oracle_.name())),
      rules_(parse_side(subject_.name()), parse_side(oracle_.name())),
      known_(std::move(known)),
      arbiter_(std::move(arbiter)) {}

std::string Examiner::libtorch_version(bool of_subject) {
  for (ChildSide* side : {of_subject ? &subject_ : &oracle_, of_subject ? &oracle_ : &subject_})
    if (const auto found = side->versions().find("libtorch"); found != side->versions().end())
      return found->second;
  return "";
}

KnownScope Examiner::scope() {
  return {.subject = parse_side(subject_.name()),
          .oracle = parse_side(oracle_.name()),
          .libtorch = libtorch_version(),
          .enumerates = false};
}

KnownMatcher* Examiner::matcher() {
  if (known_.empty()) return nullptr;
  if (!matcher_) matcher_.emplace(known_, scope());
  return &*matcher_;
}

std::optional<Role> Examiner::wrong_side(const Finding& finding) {
  switch (finding.verdict.ruling.outcome) {
    case Ruling::Outcome::kSubjectIsOff:
      return Role::kSubject;
    case Ruling::Outcome::kOracleIsOff:
      return Role::kOracle;
    case Ruling::Outcome::kBothAreOff:
      return Role::kBoth;
    default:
      break;
  }
  const auto entry = std::find_if(known_.begin(), known_.end(),
                                  [&](const auto& each) { return each.id == finding.known; });
  if (entry == known_.end()) return std::nullopt;
  switch (scope().wrong_side(*entry)) {
    case KnownScope::Wrong::kSubject:
      return Role::kSubject;
    case KnownScope::Wrong::kOracle:
      return Role::kOracle;
    case KnownScope::Wrong::kNeither:
      break;
  }
  return std::nullopt;
}

Finding Examiner::examine(const Case& c) {
  Finding finding{.c = c, .subject = subject_.ask(c), .oracle = oracle_.ask(c)};
  Case alone = c;
  alone.expectation.reset();
  Verdict found = judge_replies(alone, finding.subject, finding.oracle, sides_);
  ConcludeSettings settings{.sides = sides_, .arbiter = arbiter_, .rules = &rules_};
  if (is_failure(found.code)) settings.known = matcher();
  settings.signs_explained = true;
  Conclusion concluded =
      conclude(alone, std::move(found), finding.subject, finding.oracle, settings);
  finding.verdict = std::move(concluded.verdict);
  finding.signature = std::move(concluded.signature);
  if (concluded.known != 0)
    finding.known = known_[static_cast<std::size_t>(concluded.known) - 1].id;
  return finding;
}

}  // namespace upcast::fuzz
