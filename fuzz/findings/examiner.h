// Examines single cases: asks both sides, judges, and survives the death of a side.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/known_differences.h"
#include "fuzz/findings/child_side.h"
#include "oracle/conclude.h"

namespace upcast::fuzz {

/// A case, both replies and the verdict.
struct Finding {
  Case c;
  Verdict verdict{};
  Reply subject{};
  Reply oracle{};
  std::string known{};  // the id of the known difference that explains it; may be ""
  std::optional<Signature> signature{};  // for a difference, also for an explained one
};

/// Holds two sides, and concludes cases as `upcast run` does. Only the expectation of a line is
/// left out.
class Examiner {
 public:
  /// `known`: the entries by which differences are explained; `arbiter` rules where values differ.
  Examiner(std::string subject, std::string oracle, double time_limit,
           std::vector<KnownDifference> known, Arbiter arbiter = nullptr);

  Finding examine(const Case& c);
  /// The side that is wrong: by the exact value or PyTorch's rules, else by the known difference
  /// that explains the finding. Nothing if neither tells.
  std::optional<Role> wrong_side(const Finding& finding);
  /// The version of LibTorch that answers; "" if none does. If both sides are LibTorch it is the
  /// oracle's, or with `of_subject` the subject's.
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
      matcher_;  // made with the first difference, because it asks for versions
};

}  // namespace upcast::fuzz
