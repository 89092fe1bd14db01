// A chain with the oracle's answer to each call.
#pragma once

#include <vector>

#include "fuzz/random_chain.h"

namespace upcast::fuzz {

/// A chain of calls, each of which takes the result before it, with the oracle's replies. The
/// vectors are parallel.
struct AskedChain {
  Chain chain;                 // an operand that is taken has a dtype and a shape there
  std::vector<Case> cases;     // each call with the values that it takes
  std::vector<Reply> replies;  // the oracle's reply to each of `cases`

  const Case& last() const { return cases.back(); }
  const Reply& reply() const { return replies.back(); }
  /// The chain in the form in which another side is asked.
  Chain request() const;
  /// `count` calls of the chain, from the call `first` on. That call has the values that it takes
  /// spelled out.
  Chain part(std::size_t first, std::size_t count) const;
};

/// Asks the oracle each call, with its own result of the call before. If a call takes nothing,
/// another chain begins. A call that is refused, or dies, is the last of its chain. Calls out of
/// scope (out_of_scope.h) and those that the oracle cannot answer are left out. All get the default
/// dtype of the first.
std::vector<AskedChain> ask_by_calls(Chain chain, const AskCase& oracle);

}  // namespace upcast::fuzz
