// Concludes a case: combines what judge, known differences and truth say of two replies.
#pragma once

#include <functional>
#include <optional>

#include "oracle/judge.h"
#include "oracle/known/known_matcher.h"
#include "oracle/rule_arbiter.h"
#include "oracle/signature.h"

namespace upcast {

/// Settings that a driver gives for the conclusion of its cases.
struct ConcludeSettings {
  Sides sides{};
  Arbiter arbiter = nullptr;      // who rules on values that differ; null: no ruling
  RuleArbiter* rules = nullptr;   // who rules on dtype, shape, strides, refusals; null: no ruling
  KnownMatcher* known = nullptr;  // the entries that may explain a difference; null: none
  /// Whether the driver tells `known` about each grid row and case itself, so that entries which
  /// its run could prove stale are counted. If false, conclude() tells it about each case that
  /// differs.
  bool enters_rows = false;
  /// Of the cases that an entry explains, one in this many gets a ruling (KnownMatcher::explain). A
  /// ruling costs as much as twenty cases, and a campaign meets an entry a million times.
  std::int64_t rule_known_every = 1;
  /// Whether a case with this verdict and known difference (0: none) gets a ruling and a signature.
  /// Empty function: each case does.
  std::function<bool(VerdictCode, int known)> is_recorded{};
  /// Whether an explained difference gets a signature too.
  bool signs_explained = false;
};

struct Conclusion {
  Verdict verdict{};
  int known = 0;                         // the entry's id where the verdict is kKnown, else 0
  std::optional<Signature> signature{};  // the signature of a difference that no entry explains
};

/// The verdict from two replies alone: deaths, else the verdict of judge().
Verdict judge_replies(const Case& c, const Reply& subject, const Reply& oracle, Sides sides);

/// Known differences explain a difference first. Where values differ, the truth rules. An entry
/// that blames the oracle does not explain a case in which the subject is off too. If both sides
/// are right, each within its own bound, they agree, whatever bug an entry declares. PyTorch's
/// rules tell who is wrong about an unexplained dtype, shape, strides or refusal. The expectation
/// of the case's line comes last: a known difference excuses the oracle from it, nothing excuses
/// the subject.
Conclusion conclude(const Case& c, const Reply& subject, const Reply& oracle,
                    const ConcludeSettings& settings);

/// Concludes a case as conclude() above does, from a verdict that does not come from
/// judge_replies().
Conclusion conclude(const Case& c, Verdict found, const Reply& subject, const Reply& oracle,
                    const ConcludeSettings& settings);

}  // namespace upcast
