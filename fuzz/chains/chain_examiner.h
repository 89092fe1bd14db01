// Judges both sides' replies to chains. The subject is asked whole chains, many at once; the oracle
// is asked one call at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/chains/asked_chain.h"
#include "fuzz/findings/child_side.h"
#include "oracle/conclude.h"
#include "oracle/protocol/process_subject.h"

namespace upcast::fuzz {

/// A chain with both sides' replies and the verdict about them.
struct ChainFinding {
  AskedChain asked;
  Reply subject{};
  Verdict verdict{};
  std::string known{};  // id of the known difference that explains the chain; "": none
  std::optional<Signature> signature{};  // set only for an unexplained difference

  bool differs() const { return signature.has_value(); }
};

class ChainExaminer {
 public:
  /// Makes subject and oracle. Throws UsageError if the subject cannot be made, or cannot answer
  /// chains.
  ChainExaminer(const std::string& subject, const std::string& oracle,
                std::vector<KnownDifference> known);

  /// The callables that the subject claims to answer. Throws UsageError if there are none.
  std::vector<FoundOp> callables() const;
  /// Why the subject does not claim to answer a call; "" if it does.
  std::string_view why_not(const Case& c) const { return subject_->manifest()->why_not(c); }
  /// The oracle's reply to one call. It is not judged, and the oracle is not asked, if the subject
  /// does not claim to answer it.
  Reply ask_oracle(const Case& c);
  /// Asks the oracle each call, and makes chains of the calls with its replies (ask_by_calls). A
  /// call that the subject does not claim to answer is in no chain.
  std::vector<AskedChain> by_calls(const Chain& chain);
  /// Asks the subject the chains, and judges its answers. Dtype, shape, strides and refusal of a
  /// chain's last call always count. Its values count only if the values that it takes are known to
  /// the last bit (open_values.h).
  std::vector<ChainFinding> examine(std::vector<AskedChain> chains);

  const std::string& subject() const { return subject_name_; }
  const std::string& oracle() const { return oracle_.name(); }
  Sides sides() const { return sides_; }

 private:
  void judge(ChainFinding& finding);
  KnownMatcher& matcher();

  std::string subject_name_;
  ChildSide oracle_;
  std::unique_ptr<protocol::ProcessSubject> subject_;
  Sides sides_;
  RuleArbiter rules_;
  std::vector<KnownDifference> known_;
  std::optional<KnownMatcher> matcher_;
};

}  // namespace upcast::fuzz
