#include "reports/blame.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "cases/counted.h"
#include "oracle/side.h"
#include "oracle/verdict_text.h"

namespace upcast::reports {
namespace {

/// Which side is to blame for a crash, by the side that died. If neither died, our own code did,
/// and the crash is undecided.
Blame blame_of_deaths(bool subject_died, bool oracle_died) {
  if (subject_died && oracle_died) return Blame::kBoth;
  if (subject_died) return Blame::kSubject;
  return oracle_died ? Blame::kOracle : Blame::kUndecided;
}

Blame blame_by(VerdictCode verdict, const KnownEntry* known, bool subject_died, bool oracle_died,
               std::optional<Blame> told) {
  if (verdict == VerdictCode::kExpectation) return Blame::kExpectation;
  if (verdict == VerdictCode::kKnown) {
    const Blame declared = known == nullptr ? Blame::kUndecided : blame_of(*known);
    const bool is_bug = declared == Blame::kOracle || declared == Blame::kSubject;
    if (is_bug && told == Blame::kUndecided && known->witness == "truth") return Blame::kUndecided;
    // An entry declares one wrong side. Only the case itself can tell that the other side is wrong
    // as well.
    return is_bug && (told == Blame::kBoth || (subject_died && oracle_died)) ? Blame::kBoth
                                                                             : declared;
  }
  if (!is_failure(verdict)) return Blame::kNone;
  if (verdict == VerdictCode::kTimeout) return Blame::kTimeout;
  if (verdict == VerdictCode::kCrash) return blame_of_deaths(subject_died, oracle_died);
  return told.value_or(Blame::kUndecided);
}

/// A side's name and role: "LibTorch, the oracle". The name is "LibTorch" if only this side is
/// LibTorch, else the side's full name.
std::string side_words(Role role, const CalledSides& sides) {
  const Side subject = parse_side(sides.subject), oracle = parse_side(sides.oracle);
  const bool is_subject = role == Role::kSubject;
  const bool is_libtorch = (is_subject ? subject : oracle).is_libtorch();
  const std::string& called = is_subject ? sides.subject_name : sides.oracle_name;
  return fmt::format("{}, the {}",
                     is_libtorch && subject.vendor != oracle.vendor ? "LibTorch" : called,
                     name(role));
}

/// The evidence that one side, or both, are wrong, as a clause. "" if the verdict has no evidence.
std::string because(Blame blame, const Verdict& verdict, const CalledSides& sides) {
  const Ruling& ruling = verdict.ruling;
  if (blame == Blame::kUndecided)
    return ruling.outcome == Ruling::Outcome::kUndecided ? why_undecided(ruling) : "";
  if (!ruling.rules.empty())
    return fmt::format("{}, and our own rules give {}",
                       side_words(blame == Blame::kSubject ? Role::kOracle : Role::kSubject, sides),
                       ruling.rules);
  if (!ruling.truth.empty() && blame_told(ruling.outcome) == blame)
    return fmt::format("the exact value of element {}, rounded once, is {}",
                       place_text(ruling.element, ruling.result), ruling.truth);
  return "";
}

std::string blame_words(Blame blame, const CalledSides& sides) {
  switch (blame) {
    case Blame::kSubject:
      return side_words(Role::kSubject, sides) + ", is wrong here";
    case Blame::kOracle:
      return side_words(Role::kOracle, sides) + ", is wrong here";
    case Blame::kBoth:
      return "Both sides are wrong here";
    case Blame::kByDesign:
      return "By design: both sides do what they mean to do";
    case Blame::kHostDefined:
      return "Host-defined: the machine or compiler decides the answer";
    case Blame::kAmbiguous:
      return "Ambiguous: more than one answer can be defended";
    case Blame::kUndecided:
      return "It is undecided who is wrong";
    case Blame::kTimeout:
      return "A side gave no answer in time, which does not count as a wrong answer";
    case Blame::kNone:
    case Blame::kExpectation:
      return "";
  }
  return "";
}

}  // namespace

std::optional<Blame> blame_told(Ruling::Outcome outcome) {
  switch (outcome) {
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
               Ruling::Outcome ruling) {
  return blame_by(verdict, known, subject == kCrashByte, oracle == kCrashByte, blame_told(ruling));
}

Blame blame_of(const Verdict& verdict, const KnownEntry* known) {
  const auto died = [&](Role role) {
    return std::any_of(verdict.deaths.begin(), verdict.deaths.end(), [=](const Death& death) {
      return death.side == role && death.how != "timeout";
    });
  };
  return blame_by(verdict.code, known, died(Role::kSubject), died(Role::kOracle),
                  blame_told(verdict.ruling.outcome));
}

std::optional<Role> wrong_side(Blame blame) {
  if (blame == Blame::kSubject) return Role::kSubject;
  if (blame == Blame::kOracle) return Role::kOracle;
  return blame == Blame::kBoth ? std::optional(Role::kBoth) : std::nullopt;
}

std::string wrong_sentence(Blame blame, const KnownEntry* known, const Verdict* verdict,
                           const CalledSides& sides) {
  // A cell of a rule book's table has no right side.
  if (parse_side(sides.subject).vendor == Vendor::kRuleBook) return "";
  std::string text = blame_words(blame, sides);
  if (text.empty()) return text;
  const std::string why = verdict == nullptr ? "" : because(blame, *verdict, sides);
  if (!why.empty()) text += ": " + why;
  if (known == nullptr) return text;
  return text + fmt::format(" (known difference {}, class {}{})", known->name,
                            known->difference_class,
                            known->witness.empty() ? "" : "; witness: " + known->witness);
}

std::string wrong_sentence(const Verdict& verdict, const KnownEntry* known,
                           const CalledSides& sides) {
  return wrong_sentence(blame_of(verdict, known), known, &verdict, sides);
}

int64_t BlameCounts::differences() const {
  return std::accumulate(cases.begin(), cases.end(), int64_t{0}) - of(Blame::kNone) -
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
