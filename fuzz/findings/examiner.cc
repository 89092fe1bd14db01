#include "fuzz/findings/examiner.h"

#include "cases/grid.h"

namespace upcast::fuzz {
namespace {

Verdict judged(const Finding& finding, Sides sides) {
  const Reply& subject = finding.subject;
  const Reply& oracle = finding.oracle;
  if (!subject.died() && !oracle.died())
    return judge(finding.c, subject.answer, oracle.answer, sides);
  const bool crashed = subject.death.starts_with("crash") || oracle.death.starts_with("crash");
  Verdict verdict{.code = crashed ? VerdictCode::kCrash : VerdictCode::kTimeout};
  for (const auto& [reply, side] :
       {std::pair(&subject, "subject: "), std::pair(&oracle, "oracle: ")})
    if (reply->died())
      verdict.detail += (verdict.detail.empty() ? side : std::string("; ") + side) + reply->death;
  return verdict;
}

DeadSide dead_side(const Reply& reply, Actor side) {
  return {.side = side, .timed_out = reply.death == "timeout", .how = reply.death, .why = {}};
}

}  // namespace

Examiner::Examiner(std::string subject, std::string oracle, double time_limit,
                   std::vector<KnownDifference> known, Arbiter arbiter)
    : subject_(std::move(subject), time_limit),
      oracle_(std::move(oracle), time_limit),
      sides_(sides_of(subject_.name(), oracle_.name())),
      known_(std::move(known)),
      arbiter_(arbiter) {}

std::string Examiner::libtorch_version(bool of_subject) {
  for (ChildSide* side : {of_subject ? &subject_ : &oracle_, of_subject ? &oracle_ : &subject_})
    if (const auto found = side->versions().find("libtorch"); found != side->versions().end())
      return found->second;
  return "";
}

std::string Examiner::explain(Finding& finding) {
  if (known_.empty()) return "";
  if (!matcher_) {
    matcher_.emplace(known_, KnownScope{.subject = parse_side(subject_.name()),
                                        .oracle = parse_side(oracle_.name()),
                                        .libtorch = libtorch_version(),
                                        .enumerates = false});
    matcher_->rule_by(arbiter_, sides_);
  }
  const Plan plan = plan_of_cases({finding.c}, "a case");
  matcher_->start_block();
  matcher_->enter_row(plan.rows.front());
  matcher_->enter_case(finding.c);
  const DeadSide subject = dead_side(finding.subject, Actor::kSubject);
  const DeadSide oracle = dead_side(finding.oracle, Actor::kOracle);
  const int id = matcher_->explain(
      finding.c, finding.verdict.code, finding.subject.answer, finding.oracle.answer,
      finding.subject.died() ? &subject : nullptr, finding.oracle.died() ? &oracle : nullptr);
  return id == 0 ? "" : known_[static_cast<std::size_t>(id) - 1].id;
}

Finding Examiner::examine(const Case& c) {
  Finding finding{.c = c};
  finding.subject = subject_.ask(c);
  finding.oracle = oracle_.ask(c);
  finding.verdict = judged(finding, sides_);
  if (finding.verdict.code < VerdictCode::kDifferDType) return finding;
  finding.signature =
      signature_of(c, finding.verdict.code, finding.subject, finding.oracle, sides_);
  finding.known = explain(finding);
  if (finding.known.empty() && finding.verdict.code == VerdictCode::kDifferValue &&
      arbiter_ != nullptr)
    finding.both_are_right =
        arbiter_(c, finding.subject.answer, finding.oracle.answer, sides_).both_are_right;
  return finding;
}

}  // namespace upcast::fuzz
