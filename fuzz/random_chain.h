// Random chains, mutations of chains, and the results that their calls take.
#pragma once

#include <functional>

#include "cases/chain.h"
#include "cases/draw/choices.h"
#include "oracle/answer.h"

namespace upcast::fuzz {

/// The call with the result of the one before in the place of the operand that it takes. A result
/// that is no tensor, or has more than 512 elements, is not taken: the call is as it was.
Case with_taken(const ChainCall& call, const Answer& before);
/// Whether with_taken() takes it.
bool is_taken(const ChainCall& call, const Answer& before);

/// One change: a call comes, goes, takes another operand, or is mutated itself (mutate.h).
void mutate_chain(Random& random, Chain& chain);
/// `a` with one call of `b` in the place of one of its own.
Chain cross_chains(Random& random, Chain a, const Chain& b);

using AskCase = std::function<Reply(const Case& c)>;
/// 2 to 6 calls, each of which takes the result of the one before it, in a shape that goes with it.
/// `ask` answers each call while the chain grows. A call that is refused is left out, but now and
/// then one ends the chain. All calls have one default dtype. There are fewer calls where several
/// tries find none that can follow.
Chain random_chain(Random& random, const AskCase& ask);

}  // namespace upcast::fuzz
