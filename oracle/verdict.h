// The verdict on two answers to one case, as data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "impl/core/dtype.h"

namespace upcast {

/// The codes are those of the run store's columns (docs/run_store.md) and never change.
enum class VerdictCode : std::uint8_t {
  kAgree,
  kKnown,
  kNotJudged,
  kDifferDType,
  kDifferShape,
  kDifferStrides,
  kDifferRefusal,
  kDifferValue,
  kDifferAlias,
  kNondeterminism,
  kCrash,
  kTimeout,
  kExpectation,   // a side does not meet the line's own expectation
  kWithinChoice,  // agrees: a number may be rounded first or not (decision 0003)
  kDifferAccepts  // the subject answers what the oracle refuses; kDifferRefusal: reverse
};

inline constexpr std::array<std::string_view, 15> kVerdictNames{
    "agree",           "known",
    "not_judged",      "differ(dtype)",
    "differ(shape)",   "differ(strides)",
    "differ(refusal)", "differ(value)",
    "differ(alias)",   "differ(nondeterminism)",
    "crash",           "timeout",
    "expectation",     "within_choice",
    "differ(accepts)"};

constexpr std::string_view name(VerdictCode code) { return kVerdictNames[static_cast<int>(code)]; }

/// The kind of difference: "value" for kDifferValue, "crash" for kCrash.
constexpr std::string_view kind_of(VerdictCode code) {
  const std::string_view verdict = name(code);
  return verdict.starts_with("differ(") ? verdict.substr(7, verdict.size() - 8) : verdict;
}

/// Whether one side refuses and the other one answers.
constexpr bool is_of_refusal(VerdictCode code) {
  return code == VerdictCode::kDifferRefusal || code == VerdictCode::kDifferAccepts;
}

/// The verdict if subject and oracle change places.
constexpr VerdictCode mirrored(VerdictCode code) {
  if (code == VerdictCode::kDifferRefusal) return VerdictCode::kDifferAccepts;
  return code == VerdictCode::kDifferAccepts ? VerdictCode::kDifferRefusal : code;
}

constexpr bool is_agreement(VerdictCode code) {
  return code == VerdictCode::kAgree || code == VerdictCode::kWithinChoice;
}

/// Whether a verdict is a failure: any except agreement, known and not_judged.
constexpr bool is_failure(VerdictCode code) {
  return code >= VerdictCode::kDifferDType && !is_agreement(code);
}

/// Which side a part of a verdict is about. kJudge: our own code.
enum class Role : std::uint8_t { kSubject, kOracle, kBoth, kJudge };
inline constexpr std::array<std::string_view, 4> kRoleNames{"subject", "oracle", "both", "judge"};
constexpr std::string_view name(Role role) { return kRoleNames[static_cast<int>(role)]; }

/// Why a case was not judged.
enum class NotJudged : std::uint8_t {
  kNone,
  kSideCannotSay,   // `why`: what the side says
  kNoKernel,        // a kernel refuses, and a side without values has no kernels
  kMachineRefuses,  // the machine decides whether the call is refused; `why`: HostDefined::id
  kMachineDecides,  // the machine decides every value; `why`: HostDefined::id
  kNoTruth,         // no element has a truth
  kComparison       // an answer of one system, with which others are compared
};
inline constexpr std::array<std::string_view, 7> kNotJudgedNames{
    "none",     "side_cannot_say", "no_kernel", "machine_refuses", "machine_decides",
    "no_truth", "comparison"};
constexpr std::string_view name(NotJudged reason) {
  return kNotJudgedNames[static_cast<int>(reason)];
}

/// The first place where two answers differ, and what each of them has there.
struct Difference {
  enum class What : std::uint8_t {
    kDType,
    kTyping,  // "weakly typed", "strongly typed": of answers that are dtypes
    kShape,
    kResults,  // how many results there are
    kStrides,
    kRefusal,  // "refuses" and "answers"
    kElement,
    kBytes,   // for a dtype without values; both texts are empty
    kStorage  // `element` is the position of an operand; both texts are empty
  };

  What what = What::kDType;
  int result = 0;                   // 1: the second result
  std::int64_t element = 0;         // in logical order
  DType dtype = DType::kUndefined;  // of an element
  std::string subject{}, oracle{};  // both values, exact, as case lines write them
  /// For an element of a floating dtype: its error, and what the bounds of both sides allow, in ulp
  /// of the result dtype (oracle/ulp.h). The error is infinite where a NaN, an infinity or a zero
  /// of a sign is out of place; it is the error to the exact value where the oracle knows that.
  double ulp = 0, allowed = 0;
  std::optional<std::uint64_t> steps{};  // between two finite real values

  bool operator==(const Difference&) const = default;
};
inline constexpr std::array<std::string_view, 9> kWhatNames{
    "dtype", "typing", "shape", "results", "strides", "refusal", "element", "bytes", "storage"};
constexpr std::string_view name(Difference::What what) {
  return kWhatNames[static_cast<int>(what)];
}

/// The decision of a third party about who is right. The exact value decides about values
/// (oracle/truth/arbitrate.h). PyTorch's rules decide about dtype, shape, strides and refusals
/// (oracle/rule_arbiter.h).
struct Ruling {
  enum class Outcome : std::uint8_t {
    kNotAsked,
    kSubjectIsOff,
    kOracleIsOff,
    kBothAreOff,
    kBothAreRight,  // each within its own bound, in every element that differs
    kUndecided
  };

  Outcome outcome = Outcome::kNotAsked;
  /// The element that was ruled on: of those that differ, the first in which the subject is off, or
  /// the first one.
  int result = 0;
  std::int64_t element = 0;
  std::string truth{};  // the exact value of the element, rounded once; "": there is none
  /// Errors to the exact value, and what each side's bound allows, in ulp of the result dtype.
  /// 0: correctly rounded. Infinite: as in Difference, or a whole number that is wrong.
  double subject_ulp = 0, oracle_ulp = 0;
  double subject_bound = 0, oracle_bound = 0;
  std::string why{};  // for kUndecided: why there is no truth; "": both are within their bounds
  /// The result by our own rules, if rules are asked: "dtype float64", "shape [2,3]", "a refusal".
  /// A side that is not off gives the same.
  std::string rules{};

  bool subject_is_off() const {
    return outcome == Outcome::kSubjectIsOff || outcome == Outcome::kBothAreOff;
  }
  bool both_are_right() const { return outcome == Outcome::kBothAreRight; }

  bool operator==(const Ruling&) const = default;
};
inline constexpr std::array<std::string_view, 6> kOutcomeNames{
    "not_asked", "subject_is_off", "oracle_is_off", "both_are_off", "both_are_right", "undecided"};
constexpr std::string_view name(Ruling::Outcome outcome) {
  return kOutcomeNames[static_cast<int>(outcome)];
}

/// The value of Death::how for a side whose answer is broken.
inline constexpr const char* kBrokenAnswer = "broken";

/// A side that did not survive the case, or whose answer is broken.
struct Death {
  Role side = Role::kSubject;
  std::string how{};  // "crash(SIGFPE)", "crash(exit 3)", "timeout"; kBrokenAnswer
  std::string why{};  // what the side said last, or what is wrong with its answer; may be ""

  bool operator==(const Death&) const = default;
};

/// An expectation of the case's line that an answer does not meet.
struct Unmet {
  enum class Wanted : std::uint8_t { kRefusal, kAnswer, kBool, kDType, kShape, kValues };

  Role who = Role::kSubject;  // kBoth: they answer alike
  Wanted wanted = Wanted::kAnswer;
  std::string expected{};  // "True", "int32", "[2,3]"; "" for the other kinds
  std::string answer{};    // to_text
  /// For kValues: `subject` is the answer's value, `oracle` the expected one. Nothing if even their
  /// number differs.
  std::optional<Difference> difference{};

  bool operator==(const Unmet&) const = default;
};
inline constexpr std::array<std::string_view, 6> kWantedNames{"refusal", "answer", "bool",
                                                              "dtype",   "shape",  "values"};
constexpr std::string_view name(Unmet::Wanted wanted) {
  return kWantedNames[static_cast<int>(wanted)];
}

/// The side with which a witness agrees, in what it was asked.
enum class Vote : std::uint8_t {
  kSilent,  // it died, cannot say, or its answer does not hold what was asked
  kSubject,
  kOracle,
  kBoth,  // values differ, but the witness is within the bounds of both
  kNeither
};
inline constexpr std::array<std::string_view, 5> kVoteNames{"silent", "subject", "oracle", "both",
                                                            "neither"};
constexpr std::string_view name(Vote vote) { return kVoteNames[static_cast<int>(vote)]; }

/// A witness's answer. A witness is a side that is neither subject nor oracle.
struct Witness {
  std::string side{}, answer{};  // Reply::text
  std::string has{};             // at the place that was asked about: "nan", "refuses", "float64"
  Vote with = Vote::kSilent;

  bool operator==(const Witness&) const = default;
};

/// The sides whose answer no majority of the witnesses shares, if a majority shares another one.
enum class Alone : std::uint8_t { kNeither, kSubject, kOracle, kBoth };
inline constexpr std::array<std::string_view, 4> kAloneNames{"nobody", "subject", "oracle", "both"};
constexpr std::string_view name(Alone alone) { return kAloneNames[static_cast<int>(alone)]; }

/// The verdict on two answers to one case. The run store keeps it as JSON (oracle/verdict_json.h);
/// sentences are made of it when it is shown (oracle/verdict_text.h), and read by people only.
/// A verdict of agreement holds no string and allocates nothing.
struct Verdict {
  VerdictCode code = VerdictCode::kAgree;
  /// The verdict of judge(). `code` is another one if a known difference explains it (kKnown), if
  /// the truth finds both sides right (kAgree), if a choice leads to both (kWithinChoice), or if a
  /// line's expectation is not met (kExpectation).
  VerdictCode found = VerdictCode::kAgree;
  NotJudged not_judged = NotJudged::kNone;
  std::string why{};  // of not_judged
  std::int64_t values_judged = 0;
  double max_ulp = 0;  // of the values that were compared by ulp, up to the first that differs
  std::optional<Difference> difference{};
  Ruling ruling{};
  std::vector<Death> deaths{};
  std::vector<Unmet> unmet{};
  /// Set if the truth did not decide and there are witnesses. What they were asked: an open place,
  /// and what subject and oracle have there (for values: the place where most witnesses differ);
  /// then their answers, and who stands alone.
  std::optional<Difference> asked{};
  std::vector<Witness> witnesses{};
  Alone alone = Alone::kNeither;

  bool operator==(const Verdict&) const = default;
};

}  // namespace upcast
