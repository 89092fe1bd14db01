// A chain with the oracle's answer to each call.
#pragma once

#include <vector>

#include "fuzz/random_chain.h"

namespace upcast::fuzz {

/// Calls each of which takes the result before it. Parallel vectors.
struct AskedChain {
  Chain chain;                 // what is taken stands there as a dtype and a shape
  std::vector<Case> cases;     // each with the values that it takes
  std::vector<Reply> replies;  // the oracle's, on its own result before

  const Case& last() const { return cases.back(); }
  const Reply& reply() const { return replies.back(); }
  /// The chain as another side is asked it.
  Chain request() const;
  /// The calls from `first` on, `count` of them; the first one with the values that it took.
  Chain part(std::size_t first, std::size_t count) const;
};

/// The oracle is asked each call on its own result before. Where a call takes nothing, another
/// chain begins; one that is refused, or dies, is the last of its chain. Calls out of scope
/// (out_of_scope.h) and those that the oracle cannot answer are left out. All get the default
/// dtype of the first.
std::vector<AskedChain> ask_by_calls(Chain chain, const AskCase& oracle);

}  // namespace upcast::fuzz
