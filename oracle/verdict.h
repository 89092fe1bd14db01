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

/// The result of comparing two answers. The codes are stored in the run store's columns
/// (docs/run_store.md), so they never change.
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
  kExpectation,  // a side does not meet the expectation of the case's own line
  // Counts as agreement: the sides chose differently whether to round a number first (decision
  // 0003).
  kWithinChoice,
  kDifferAccepts  // the subject answers what the oracle refuses; kDifferRefusal is the reverse
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

/// The verdict that the case would have if subject and oracle changed places.
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

/// Which side a part of a verdict is about. kJudge stands for our own code.
enum class Role : std::uint8_t { kSubject, kOracle, kBoth, kJudge };
inline constexpr std::array<std::string_view, 4> kRoleNames{"subject", "oracle", "both", "judge"};
constexpr std::string_view name(Role role) { return kRoleNames[static_cast<int>(role)]; }

/// Why a case was not judged.
enum class NotJudged : std::uint8_t {
  kNone,
  kSideCannotSay,  // a side cannot say; `why` is its reason
  // A kernel refuses, but the other side has no kernels, because it answers no values.
  kNoKernel,
  kMachineRefuses,  // the machine decides whether the call is refused; `why`: HostDefined::id
  kMachineDecides,  // the machine decides every value; `why`: HostDefined::id
  kNoTruth,         // no element has a truth
  kComparison       // the case only shows an answer, with which other systems are compared
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
    kTyping,  // only one of two answers that are dtypes is weakly typed
    kShape,
    kResults,  // the number of results
    kStrides,
    kRefusal,  // one side refuses, the other one answers
    kElement,
    kBytes,  // the elements of a dtype that has no values; both texts are empty
    // A storage after the call; `element` is the operand's position, and both texts are empty.
    kStorage
  };

  What what = What::kDType;
  int result = 0;                   // number of the result: 0, or 1 for the second one
  std::int64_t element = 0;         // number of the element in logical order
  DType dtype = DType::kUndefined;  // for an element: its dtype
  // What each side has there; values are exact, as case lines write them.
  std::string subject{}, oracle{};
  /// For an element of a floating dtype: its error, and what the bounds of both sides allow, in ulp
  /// of the result dtype (oracle/ulp.h). If the oracle knows the exact value, it is the error to
  /// that value. The error is infinite if only one side has a special value there (a NaN, an
  /// infinity, a zero of a sign), or the two have different ones.
  double ulp = 0, allowed = 0;
  // Number of steps between the two values, if both are real and finite.
  std::optional<std::uint64_t> steps{};

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
    kBothAreRight,  // both are within their bounds in every element that differs
    kUndecided
  };

  Outcome outcome = Outcome::kNotAsked;
  /// The element that was ruled on. It is the first differing element in which the subject is off,
  /// or else the first differing element.
  int result = 0;
  std::int64_t element = 0;
  std::string truth{};  // the exact value of the element, rounded once; "": it has none
  /// Both sides' errors to the exact value, and what their bounds allow, in ulp of the result
  /// dtype. 0: correctly rounded. Infinite: a special value is missing or wrong, or a whole number
  /// is wrong.
  double subject_ulp = 0, oracle_ulp = 0;
  double subject_bound = 0, oracle_bound = 0;
  // For kUndecided: why there is no truth; "": each side is within its own bound.
  std::string why{};
  /// What PyTorch's rules give, as our implementation applies them: "dtype float64", "shape [2,3]",
  /// "a refusal". "" if rules were not asked. A side that is not off gives the same.
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
  std::string how{};  // how it died: "crash(SIGFPE)", "crash(exit 3)", "timeout"; or kBrokenAnswer
  std::string why{};  // what the side printed last, or what is wrong with its answer; may be ""

  bool operator==(const Death&) const = default;
};

/// The expectation of a case's line that an answer does not meet.
struct Unmet {
  enum class Wanted : std::uint8_t { kRefusal, kAnswer, kBool, kDType, kShape, kValues };

  Role who = Role::kSubject;  // whose answer it is; kBoth: the two sides answer alike
  Wanted wanted = Wanted::kAnswer;
  std::string expected{};  // what the line expects, as "True", "int32", "[2,3]"; "" for other kinds
  std::string answer{};    // to_text
  /// For kValues: the first element that differs, with the answer's value as `subject` and the
  /// expected one as `oracle`. Nothing if even the numbers of elements differ.
  std::optional<Difference> difference{};

  bool operator==(const Unmet&) const = default;
};
inline constexpr std::array<std::string_view, 6> kWantedNames{"refusal", "answer", "bool",
                                                              "dtype",   "shape",  "values"};
constexpr std::string_view name(Unmet::Wanted wanted) {
  return kWantedNames[static_cast<int>(wanted)];
}

/// With which side a witness agrees about the question that it was asked.
enum class Vote : std::uint8_t {
  kSilent,  // the witness died, cannot say, or its answer says nothing about the question
  kSubject,
  kOracle,
  kBoth,  // the sides' values differ, but the witness is within the bounds of both
  kNeither
};
inline constexpr std::array<std::string_view, 5> kVoteNames{"silent", "subject", "oracle", "both",
                                                            "neither"};
constexpr std::string_view name(Vote vote) { return kVoteNames[static_cast<int>(vote)]; }

/// A witness's answer. A witness is a side that is neither subject nor oracle.
struct Witness {
  std::string side{}, answer{};  // Reply::text
  // What the answer has at the place in question: "nan", "refuses", "float64".
  std::string has{};
  Vote with = Vote::kSilent;

  bool operator==(const Witness&) const = default;
};

/// Which sides stand alone. A side does if a majority of the witnesses gives another answer than it
/// does.
enum class Alone : std::uint8_t { kNeither, kSubject, kOracle, kBoth };
inline constexpr std::array<std::string_view, 4> kAloneNames{"nobody", "subject", "oracle", "both"};
constexpr std::string_view name(Alone alone) { return kAloneNames[static_cast<int>(alone)]; }

/// The verdict on two answers to one case.
///
/// The run store keeps it as JSON (oracle/verdict_json.h). Sentences are made of it only when it is
/// shown (oracle/verdict_text.h), and no program reads these. A verdict of agreement holds no
/// string and allocates nothing.
struct Verdict {
  VerdictCode code = VerdictCode::kAgree;
  /// The verdict of judge(). `code` differs from it in four cases: a known difference explains it
  /// (kKnown), the truth finds both sides right (kAgree), a choice leads to both answers
  /// (kWithinChoice), or a line's expectation is not met (kExpectation).
  VerdictCode found = VerdictCode::kAgree;
  NotJudged not_judged = NotJudged::kNone;
  std::string why{};  // of not_judged
  std::int64_t values_judged = 0;
  // The largest error of the values that were compared by ulp, up to the first that differs.
  double max_ulp = 0;
  std::optional<Difference> difference{};
  Ruling ruling{};
  std::vector<Death> deaths{};
  std::vector<Unmet> unmet{};
  /// Set if the truth did not decide and there are witnesses. `asked`: an open place, with what
  /// subject and oracle have there; for values it is the place where most witnesses differ. Then
  /// come the witnesses' answers, and who stands alone.
  std::optional<Difference> asked{};
  std::vector<Witness> witnesses{};
  Alone alone = Alone::kNeither;

  bool operator==(const Verdict&) const = default;
};

}  // namespace upcast
