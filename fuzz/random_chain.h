// Makes random chains, mutates chains, and passes results on to the next call.
#pragma once

#include <functional>

#include "cases/chain.h"
#include "cases/draw/choices.h"
#include "oracle/answer.h"

namespace upcast::fuzz {

/// The call with the result of the one before in the place of the operand that it takes. A result
/// that is no tensor, or has more than 512 elements, is not taken: the call stays as it is.
Case with_taken(const ChainCall& call, const Answer& before);
/// Whether with_taken() takes the result.
bool is_taken(const ChainCall& call, const Answer& before);

/// One change: a call comes, goes, takes another operand, or is mutated itself (mutate.h).
void mutate_chain(Random& random, Chain& chain);
/// `a` with one call of `b` in the place of one of its own.
Chain cross_chains(Random& random, Chain a, const Chain& b);

using AskCase = std::function<Reply(const Case& c)>;
/// A chain of 2 to 6 calls, each of which takes the result of the one before it, in a shape that
/// broadcasts with it. `ask` answers each call while the chain grows. A refused call is left out,
/// but now and then one ends the chain. All calls have one default dtype. The chain is shorter if
/// several tries find no call that can follow.
Chain random_chain(Random& random, const AskCase& ask);

}  // namespace upcast::fuzz
