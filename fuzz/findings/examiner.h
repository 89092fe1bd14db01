// Examines single cases: asks both sides, judges them, and survives the death of a side's process.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/known_differences.h"
#include "fuzz/findings/child_side.h"
#include "oracle/conclude.h"

namespace upcast::fuzz {

/// A case, both sides' replies to it, and the verdict.
struct Finding {
  Case c;
  Verdict verdict{};
  Reply subject{};
  Reply oracle{};
  std::string known{};  // id of the known difference that explains the case; "": none
  std::optional<Signature> signature{};  // set for any difference, also for an explained one
};

/// Holds two sides, and judges cases as `upcast run` does. Only the expectation of a case line is
/// not checked.
class Examiner {
 public:
  /// `known`: the known differences that may explain a case. `arbiter`: rules who is right if
  /// values differ.
  Examiner(std::string subject, std::string oracle, double time_limit,
           std::vector<KnownDifference> known, Arbiter arbiter = nullptr);

  Finding examine(const Case& c);
  /// The side that is wrong in a finding: by the exact value or PyTorch's rules, else by the known
  /// difference that explains it. Nothing if neither tells.
  std::optional<Role> wrong_side(const Finding& finding);
  /// The version of the LibTorch among the sides; "" if there is none. If both sides are LibTorch:
  /// the oracle's version, or the subject's if `of_subject`.
  std::string libtorch_version(bool of_subject = false);
  const std::string& subject() const { return subject_.name(); }
  const std::string& oracle() const { return oracle_.name(); }
  Sides sides() const { return sides_; }

 private:
  KnownScope scope();
  KnownMatcher* matcher();

  ChildSide subject_;
  ChildSide oracle_;
  Sides sides_;
  RuleArbiter rules_;
  std::vector<KnownDifference> known_;
  Arbiter arbiter_;
  std::optional<KnownMatcher>
      matcher_;  // made at the first difference, because it asks sides for their versions
};

}  // namespace upcast::fuzz
