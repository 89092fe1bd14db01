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
  std::string known{};  // the id of the known difference that explains it, may be ""
  std::optional<Signature> signature{};  // of a difference, also of one that is explained
};

/// Holds two sides. Cases are concluded as `upcast run` concludes them, except that the expectation
/// of a line is left out.
class Examiner {
 public:
  /// `known`: the entries by which differences are explained; `arbiter` rules where values differ.
  Examiner(std::string subject, std::string oracle, double time_limit,
           std::vector<KnownDifference> known, Arbiter arbiter = nullptr);

  Finding examine(const Case& c);
  /// Who is wrong: by the exact value or PyTorch's rules, else by the known difference that
  /// explains it. Nothing where neither tells.
  std::optional<Role> wrong_side(const Finding& finding);
  /// The version of LibTorch that answers, of the oracle where both are LibTorch, unless the
  /// subject's is asked for; "" where none does.
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
  std::optional<KnownMatcher> matcher_;  // made with the first difference: it asks for versions
};

}  // namespace upcast::fuzz
