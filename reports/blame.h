// Tells who is wrong where two sides differ, as far as a run store can tell.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "reports/columns.h"
#include "reports/run_plan.h"
#include "reports/side_name.h"

namespace upcast::reports {

enum class Blame : uint8_t {
  kNone,  // the sides agree, or the case was not judged
  kSubject,
  kOracle,
  kBoth,
  kByDesign,     // both sides do what their documentation says
  kHostDefined,  // the answer depends on the machine or compiler
  kAmbiguous,    // more than one answer can be defended
  kExpectation,  // no side is wrong: the expectation in the case line is not met
  kUndecided,
  kTimeout  // a side gave no answer in time, which is not a wrong answer
};

/// The names of all kinds of blame, as in the page's data.
inline constexpr std::array<std::string_view, 10> kBlameNames{
    "nobody",       "subject",   "oracle",      "both",      "by_design",
    "host_defined", "ambiguous", "expectation", "undecided", "timeout"};

constexpr std::string_view name(Blame blame) { return kBlameNames[static_cast<size_t>(blame)]; }

/// The blame that follows from a ruling: kSubject, kOracle, kBoth or kUndecided. Nothing if there
/// is no ruling, or if it finds both sides right.
std::optional<Blame> blame_told(Ruling::Outcome outcome);

/// The blame for all cases that a known difference explains: for a bug the wrong side that it
/// names, else its class.
Blame blame_of(const KnownEntry& entry);

/// The blame for one case. `known`: the known difference that explains it; null if none does. A bug
/// whose only witness is the truth accuses no side if the truth does not decide the case.
Blame blame_of(VerdictCode verdict, const KnownEntry* known, AnswerByte subject, AnswerByte oracle,
               Ruling::Outcome ruling);
/// The blame for one case that has a record, by its verdict.
Blame blame_of(const Verdict& verdict, const KnownEntry* known);

/// The wrong side that a blame names, or kBoth. Nothing if no side is wrong, or if that is
/// undecided.
std::optional<Role> wrong_side(Blame blame);

/// Who is wrong in one case, as a sentence without its full stop: "plugin:mine, the subject, is
/// wrong here: LibTorch, the oracle, and our own rules give dtype float64". `verdict`: null for a
/// case without a record. "" if no side differs from the other, and for rule books.
std::string wrong_sentence(Blame blame, const KnownEntry* known, const Verdict* verdict,
                           const CalledSides& sides);
/// Who is wrong in a case that has a record, as the same kind of sentence. The verdict is the
/// record's.
std::string wrong_sentence(const Verdict& verdict, const KnownEntry* known,
                           const CalledSides& sides);

/// How many cases have each kind of blame.
struct BlameCounts {
  std::array<int64_t, kBlameNames.size()> cases{};

  int64_t of(Blame blame) const { return cases[static_cast<size_t>(blame)]; }
  void add(Blame blame) { ++cases[static_cast<size_t>(blame)]; }
  /// How many of the counted cases are differences: two answers differ, or a side died.
  int64_t differences() const;
};

/// The counts as a sentence: "Who is wrong in 12 differences: the oracle (libtorch:cpu) in 9, the
/// subject (impl:cpu) in 0; by design 2, undecided 1." "" without a difference.
std::string blame_sentence(const BlameCounts& counts, const std::string& subject,
                           const std::string& oracle);

}  // namespace upcast::reports
