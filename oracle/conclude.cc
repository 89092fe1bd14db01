#include "oracle/conclude.h"

#include <utility>

#include "oracle/judge.h"
#include "oracle/number_rounding.h"

namespace upcast {
namespace {

/// The steps by which conclude() reaches its conclusion about one case.
class Concluder {
 public:
  Concluder(const Case& c, const Reply& subject, const Reply& oracle,
            const ConcludeSettings& settings, Conclusion& conclusion)
      : case_(c),
        subject_(subject),
        oracle_(oracle),
        settings_(settings),
        conclusion_(conclusion),
        verdict_(conclusion.verdict) {}

  /// Whether the choice of decision 0003 explains the difference. This is asked before the truth,
  /// because it costs two of our own answers. A ruling of the truth costs ten times as much.
  bool is_within_choice() {
    if (!differ_by_rounding_of_numbers(case_, subject_.answer, oracle_.answer, settings_.sides))
      return false;
    verdict_.code = VerdictCode::kWithinChoice;
    return true;
  }

  void explain() {
    KnownMatcher& known = *settings_.known;
    if (!settings_.enters_rows) known.enter_alone(case_);
    const auto explanation = [&](bool of_subject) {
      return known.explain(case_, verdict_.found, subject_, oracle_, settings_.rule_known_every,
                           of_subject);
    };
    KnownMatcher::Match match = explanation(false);
    // An entry about the oracle does not excuse a wrong subject; an entry about the subject may.
    if (match.is_to_be_ruled && ruling().subject_is_off()) match = explanation(true);
    if (match.id == 0) return;
    // An entry that declares a bug does not accuse sides that are both within their bounds.
    if (match.is_to_be_ruled && match.is_bug && ruling().both_are_right()) return;
    conclusion_.known = match.id;
    verdict_.code = VerdictCode::kKnown;
  }

  void rule() {
    if (is_recorded() && ruling().both_are_right() && verdict_.code == verdict_.found)
      verdict_.code = VerdictCode::kAgree;
  }

  /// Asks PyTorch's rules who is wrong about an unexplained case. It asks for every such case,
  /// recorded or not, because that costs only one answer of ours.
  void rule_by_rules() {
    if (settings_.rules == nullptr || !is_failure(verdict_.code) || subject_.died() ||
        oracle_.died())
      return;
    Ruling ruling = settings_.rules->rule(case_, verdict_, subject_.answer, oracle_.answer);
    if (ruling.outcome != Ruling::Outcome::kNotAsked) verdict_.ruling = std::move(ruling);
  }

  /// Judges the expectation of the case's line. If the sides differ, that verdict stays, because it
  /// says more.
  void judge_expectations() {
    const bool known = conclusion_.known != 0;
    const bool alike = !known && !subject_.died() && !oracle_.died() &&
                       to_text(subject_.answer) == to_text(oracle_.answer);
    judge_expectation_of(subject_, alike ? Role::kBoth : Role::kSubject);
    if (!known && !alike) judge_expectation_of(oracle_, Role::kOracle);
    if (!verdict_.unmet.empty() && !is_failure(verdict_.code))
      verdict_.code = VerdictCode::kExpectation;
    if (verdict_.code != VerdictCode::kKnown) conclusion_.known = 0;
  }

  void sign() {
    const VerdictCode code =
        is_failure(verdict_.code) || !settings_.signs_explained ? verdict_.code : verdict_.found;
    if (is_failure(code) && is_recorded())
      conclusion_.signature = signature_of(case_, code, subject_, oracle_, settings_.sides);
  }

 private:
  bool is_recorded() const {
    return !settings_.is_recorded || settings_.is_recorded(verdict_.code, conclusion_.known);
  }

  /// The ruling of the arbiter on the case. The arbiter is asked at most once.
  const Ruling& ruling() {
    if (settings_.arbiter != nullptr && verdict_.ruling.outcome == Ruling::Outcome::kNotAsked)
      verdict_.ruling = settings_.arbiter(case_, subject_.answer, oracle_.answer, settings_.sides);
    return verdict_.ruling;
  }

  void judge_expectation_of(const Reply& reply, Role who) {
    if (reply.died()) return;
    if (auto unmet = judge_expectation(case_, reply.answer, who))
      verdict_.unmet.push_back(*std::move(unmet));
  }

  const Case& case_;
  const Reply& subject_;
  const Reply& oracle_;
  const ConcludeSettings& settings_;
  Conclusion& conclusion_;
  Verdict& verdict_;
};

/// Completes `conclusion`, which so far holds only the verdict of the judge.
void settle(const Case& c, const Reply& subject, const Reply& oracle,
            const ConcludeSettings& settings, Conclusion& conclusion) {
  const VerdictCode found = conclusion.verdict.found;
  if (settings.known != nullptr && settings.enters_rows) settings.known->enter_case(c);
  if (!is_failure(found) && !c.expectation) return;
  Concluder concluder(c, subject, oracle, settings, conclusion);
  const bool is_choice = found == VerdictCode::kDifferValue && concluder.is_within_choice();
  if (is_failure(found) && !is_choice && settings.known != nullptr) concluder.explain();
  if (found == VerdictCode::kDifferValue && !is_choice) concluder.rule();
  if (!is_choice) concluder.rule_by_rules();
  if (c.expectation) concluder.judge_expectations();
  concluder.sign();
}

}  // namespace

Verdict judge_replies(const Case& c, const Reply& subject, const Reply& oracle, Sides sides) {
  if (!subject.died() && !oracle.died()) return judge(c, subject.answer, oracle.answer, sides);
  Verdict verdict{.code = VerdictCode::kTimeout};
  for (const auto& [role, reply] :
       {std::pair(Role::kSubject, &subject), std::pair(Role::kOracle, &oracle)}) {
    if (!reply->died()) continue;
    if (!reply->timed_out()) verdict.code = VerdictCode::kCrash;
    verdict.deaths.push_back({role, reply->death, reply->why});
  }
  verdict.found = verdict.code;
  return verdict;
}

Conclusion conclude(const Case& c, Verdict found, const Reply& subject, const Reply& oracle,
                    const ConcludeSettings& settings) {
  Conclusion conclusion{.verdict = std::move(found)};
  settle(c, subject, oracle, settings, conclusion);
  return conclusion;
}

Conclusion conclude(const Case& c, const Reply& subject, const Reply& oracle,
                    const ConcludeSettings& settings) {
  Conclusion conclusion{.verdict = judge_replies(c, subject, oracle, settings.sides)};
  settle(c, subject, oracle, settings, conclusion);
  return conclusion;
}

}  // namespace upcast
