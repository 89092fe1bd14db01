#include "oracle/verdict_text.h"

#include <fmt/format.h>

#include <cmath>

#include "cases/counted.h"
#include "oracle/host_defined.h"

namespace upcast {
namespace {

void add(std::string& text, const std::string& more) {
  if (!text.empty() && !more.empty()) text += "; ";
  text += more;
}

std::string error_text(double ulp) {
  return std::isinf(ulp) ? "the wrong value" : fmt::format("{:.3g} ulp", ulp);
}

std::string element_text(const Difference& found) {
  std::string text =
      fmt::format("element {}: {} against {}", place_text(found.element, found.result),
                  found.subject, found.oracle);
  const DType real = to_real(found.dtype);
  if (!is_floating(real)) return text;
  text += fmt::format(", {:.3g} ulp of {}", found.ulp, name(real));
  if (found.steps) text += fmt::format(", {} {}", *found.steps, noun(*found.steps, "step"));
  return text + fmt::format(", allowed {:.3g}", found.allowed);
}

/// The reason of the HostDefined rule with this id; the id itself if this version of upcast does
/// not have the rule.
std::string_view host_reason(std::string_view id) {
  for (const HostDefined& rule : host_defined_rules())
    if (rule.id == id) return rule.reason;
  return id;
}

std::string not_judged_text(const Verdict& verdict) {
  switch (verdict.not_judged) {
    case NotJudged::kNone:
      return "";
    case NotJudged::kSideCannotSay:
      return verdict.why;
    case NotJudged::kNoKernel:
      return "a kernel of one side refuses, and the other side computes no values and so has no "
             "kernels";
    case NotJudged::kMachineRefuses:
      return std::string(host_reason(verdict.why));
    case NotJudged::kMachineDecides:
      return fmt::format("the machine decides every value: {}", host_reason(verdict.why));
    case NotJudged::kNoTruth:
      return "no truth: no element is decided";
    case NotJudged::kComparison:
      return "only one system answers; the answer is kept for comparison";
  }
  return "";
}

/// Words for the outcomes that blame a side, in the order of the outcomes.
constexpr std::string_view kBlame[]{"", "the subject is off", "the oracle is off", "both are off"};

}  // namespace

std::string place_text(std::int64_t element, int result) {
  return result == 0 ? fmt::to_string(element)
                     : fmt::format("{} of result {}", element, result + 1);
}

std::string sentence(const Difference& found) {
  using What = Difference::What;
  switch (found.what) {
    case What::kElement:
      return element_text(found);
    case What::kBytes:
      return "bytes of a dtype without values differ";
    case What::kResults:
      return fmt::format("the number of results differs: {} against {}", found.subject,
                         found.oracle);
    case What::kStorage:
      return fmt::format("one side changed the storage of operand {}", found.element);
    case What::kRefusal:
      return fmt::format("the subject {}, the oracle {}", found.subject, found.oracle);
    default:
      return fmt::format("{} against {}", found.subject, found.oracle);
  }
}

std::string why_undecided(const Ruling& ruling) {
  if (!ruling.why.empty()) return ruling.why;
  return fmt::format("subject {:.3g} ulp, oracle {:.3g} ulp, each within its bound",
                     ruling.subject_ulp, ruling.oracle_ulp);
}

std::string sentence(const Ruling& ruling) {
  using Outcome = Ruling::Outcome;
  if (ruling.outcome == Outcome::kNotAsked) return "";
  if (ruling.both_are_right()) return "both are right: " + why_undecided(ruling);
  if (ruling.outcome == Outcome::kUndecided)
    return "who is right is undecided: " + why_undecided(ruling);
  if (!ruling.rules.empty())
    return fmt::format("{}: the {} and our own rules give {}",
                       kBlame[static_cast<int>(ruling.outcome)],
                       ruling.subject_is_off() ? "oracle" : "subject", ruling.rules);
  return fmt::format("truth of element {} {}: {} (subject {}, oracle {})",
                     place_text(ruling.element, ruling.result), ruling.truth,
                     kBlame[static_cast<int>(ruling.outcome)], error_text(ruling.subject_ulp),
                     error_text(ruling.oracle_ulp));
}

std::string sentence(const Death& death) {
  if (death.how == kBrokenAnswer)
    return fmt::format("the {}'s answer is broken{}{}", name(death.side),
                       death.why.empty() ? "" : ": ", death.why);
  return fmt::format("{}{}: {}{}{}", name(death.side),
                     death.side == Role::kJudge ? " (our own code)" : "", death.how,
                     death.why.empty() ? "" : ", ", death.why);
}

std::string expectation_text(const Unmet& unmet) {
  switch (unmet.wanted) {
    case Unmet::Wanted::kRefusal:
      return "the line expects a refusal";
    case Unmet::Wanted::kAnswer:
      return "the line expects an answer";
    case Unmet::Wanted::kShape:
      return "the line expects shape " + unmet.expected;
    case Unmet::Wanted::kValues:
      return "the line expects other values" +
             (unmet.difference ? ", " + sentence(*unmet.difference) : "");
    default:
      return "the line expects " + unmet.expected;
  }
}

std::string sentence(const Unmet& unmet) {
  const std::string who =
      unmet.who == Role::kBoth ? "both answer" : fmt::format("the {} answers", name(unmet.who));
  return fmt::format("{} {}: {}", who, unmet.answer, expectation_text(unmet));
}

std::string asked_text(const Difference& asked) {
  const std::string place = asked.what == Difference::What::kElement
                                ? fmt::format("element {}", place_text(asked.element, asked.result))
                                : std::string(name(asked.what));
  return asked.subject == asked.oracle
             ? fmt::format("{}: {}", place, asked.subject)
             : fmt::format("{}: {} against {}", place, asked.subject, asked.oracle);
}

std::string_view with_text(Vote vote) {
  switch (vote) {
    case Vote::kSilent:
      return "says nothing about it";
    case Vote::kSubject:
      return "with the subject";
    case Vote::kOracle:
      return "with the oracle";
    case Vote::kBoth:
      return "with both";
    case Vote::kNeither:
      return "with neither";
  }
  return "";
}

std::string alone_text(const Verdict& verdict) {
  if (verdict.witnesses.empty()) return "";
  const auto count = [&](Vote vote) {
    return std::count_if(verdict.witnesses.begin(), verdict.witnesses.end(),
                         [=](const Witness& witness) { return witness.with == vote; });
  };
  const std::int64_t saying = std::ssize(verdict.witnesses) - count(Vote::kSilent);
  if (saying == 0) return "no witness says anything about it";
  switch (verdict.alone) {
    case Alone::kNeither:
      return fmt::format(
          "no side stands alone: of {} witnesses {} {} with the subject, {} with the "
          "oracle, {} with both, {} with neither",
          saying, count(Vote::kSubject), count(Vote::kSubject) == 1 ? "is" : "are",
          count(Vote::kOracle), count(Vote::kBoth), count(Vote::kNeither));
    case Alone::kSubject:
      return fmt::format("the subject stands alone: {} of {} witnesses are with the oracle",
                         count(Vote::kOracle), saying);
    case Alone::kOracle:
      return fmt::format("the oracle stands alone: {} of {} witnesses are with the subject",
                         count(Vote::kSubject), saying);
    case Alone::kBoth:
      return fmt::format("both stand alone: {} of {} witnesses are with neither",
                         count(Vote::kNeither), saying);
  }
  return "";
}

std::string sentence(const Verdict& verdict) {
  std::string text = not_judged_text(verdict);
  if (verdict.difference) add(text, sentence(*verdict.difference));
  for (const Death& death : verdict.deaths) add(text, sentence(death));
  for (const Unmet& unmet : verdict.unmet) add(text, sentence(unmet));
  if (verdict.code == VerdictCode::kWithinChoice)
    add(text,
        "within the choice of docs/decisions/0003: a number may be rounded to the common dtype "
        "first");
  // A ruling by rules is left out here, because reports give it a sentence of its own
  // (reports/blame.h).
  if (verdict.ruling.rules.empty() && verdict.found >= VerdictCode::kDifferValue &&
      !is_of_refusal(verdict.found))
    add(text, sentence(verdict.ruling));
  add(text, alone_text(verdict));
  return text;
}

}  // namespace upcast
