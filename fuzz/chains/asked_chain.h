// Chains with the oracle's answer to each call.
#pragma once

#include <vector>

#include "fuzz/random_chain.h"

namespace upcast::fuzz {

/// A chain of calls, with the oracle's reply to each. Each call takes the result of the call
/// before. The three vectors have one entry a call.
struct AskedChain {
  Chain chain;                 // the calls; operands that are taken have dtype and shape only
  std::vector<Case> cases;     // the calls with the values that each one takes
  std::vector<Reply> replies;  // the oracle's reply to each of `cases`

  const Case& last() const { return cases.back(); }
  const Reply& reply() const { return replies.back(); }
  /// The chain as a request to another side.
  Chain request() const;
  /// `count` calls of the chain, from the call `first` on. In that call, the values that it takes
  /// are spelled out.
  Chain part(std::size_t first, std::size_t count) const;
};

/// Asks the oracle each call, with the oracle's own result of the call before. If a call takes
/// nothing, another chain begins. A call that is refused, or that ends the oracle's process, is the
/// last of its chain. Calls out of scope (out_of_scope.h) and those that the oracle cannot answer
/// are left out. All calls get the default dtype of the first.
std::vector<AskedChain> ask_by_calls(Chain chain, const AskCase& oracle);

}  // namespace upcast::fuzz
