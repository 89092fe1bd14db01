#include "reports/blame.h"

#include <fmt/format.h>

#include <numeric>

#include "reports/summary.h"

namespace upcast::reports {
namespace {

constexpr bool died(AnswerByte answer) { return answer == kCrashByte; }

/// Of a crash; our own code may have died, and neither side.
Blame blame_of_deaths(AnswerByte subject, AnswerByte oracle) {
  if (died(subject) && died(oracle)) return Blame::kBoth;
  if (died(subject)) return Blame::kSubject;
  return died(oracle) ? Blame::kOracle : Blame::kUndecided;
}

}  // namespace

std::optional<Blame> blame_told(const Ruling& ruling) {
  switch (ruling.outcome) {
    case Ruling::Outcome::kSubjectIsOff:
      return Blame::kSubject;
    case Ruling::Outcome::kOracleIsOff:
      return Blame::kOracle;
    case Ruling::Outcome::kBothAreOff:
      return Blame::kBoth;
    case Ruling::Outcome::kUndecided:
      return Blame::kUndecided;
    case Ruling::Outcome::kNotAsked:
    case Ruling::Outcome::kBothAreRight:
      break;
  }
  return std::nullopt;
}

Blame blame_of(const KnownEntry& entry) {
  if (entry.difference_class == "by_design") return Blame::kByDesign;
  if (entry.difference_class == "host_defined") return Blame::kHostDefined;
  if (entry.difference_class == "ambiguous") return Blame::kAmbiguous;
  if (entry.difference_class != "bug") return Blame::kUndecided;
  if (entry.wrong == "oracle") return Blame::kOracle;
  return entry.wrong == "subject" ? Blame::kSubject : Blame::kUndecided;
}

Blame blame_of(VerdictCode verdict, const KnownEntry* known, AnswerByte subject, AnswerByte oracle,
               std::optional<Blame> told) {
  if (verdict == VerdictCode::kExpectation) return Blame::kExpectation;
  if (verdict == VerdictCode::kKnown) {
    const Blame declared = known == nullptr ? Blame::kUndecided : blame_of(*known);
    const bool is_bug = declared == Blame::kOracle || declared == Blame::kSubject;
    if (is_bug && told == Blame::kUndecided && known->witness == "truth") return Blame::kUndecided;
    // The wrong side is declared; that the other one is off as well, only the case tells.
    return is_bug && (told == Blame::kBoth || (died(subject) && died(oracle))) ? Blame::kBoth
                                                                               : declared;
  }
  if (!is_failure(verdict)) return Blame::kNobody;
  if (verdict == VerdictCode::kTimeout) return Blame::kTimeout;
  if (verdict == VerdictCode::kCrash) return blame_of_deaths(subject, oracle);
  return told.value_or(Blame::kUndecided);
}

int64_t BlameCounts::differences() const {
  return std::accumulate(cases.begin(), cases.end(), int64_t{0}) - of(Blame::kNobody) -
         of(Blame::kExpectation) - of(Blame::kTimeout);
}

std::string blame_sentence(const BlameCounts& counts, const std::string& subject,
                           const std::string& oracle) {
  const int64_t all = counts.differences();
  if (all == 0) return "";
  std::string text =
      fmt::format("Who is wrong in {} {}: the oracle ({}) in {}, the subject ({}) in {}",
                  grouped(all), all == 1 ? "difference" : "differences", oracle,
                  grouped(counts.of(Blame::kOracle)), subject, grouped(counts.of(Blame::kSubject)));
  if (counts.of(Blame::kBoth) > 0)
    text += fmt::format(", both in {}", grouped(counts.of(Blame::kBoth)));
  struct Rest {
    Blame blame;
    std::string_view words;
  };
  std::string rest;
  for (const Rest& each :
       {Rest{Blame::kByDesign, "by design"}, Rest{Blame::kHostDefined, "host-defined"},
        Rest{Blame::kAmbiguous, "ambiguous"}, Rest{Blame::kUndecided, "undecided"}}) {
    if (counts.of(each.blame) == 0) continue;
    rest += fmt::format("{} {} {}", rest.empty() ? ";" : ",", each.words,
                        grouped(counts.of(each.blame)));
  }
  return text + rest + ".";
}

}  // namespace upcast::reports
