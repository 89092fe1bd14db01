// Makes random chains of calls, mutates chains, and passes results on to the next call.
#pragma once

#include <functional>
#include <span>

#include "cases/chain.h"
#include "cases/draw/choices.h"
#include "oracle/answer.h"

namespace upcast::fuzz {

/// The call with the result `before` as the operand that it takes. A result that is no tensor, or
/// has more than 512 elements, is not taken: the call stays as it is.
Case with_taken(const ChainCall& call, const Answer& before);
/// Whether with_taken() would take the result `before`.
bool is_taken(const ChainCall& call, const Answer& before);

/// Changes a chain in one way: adds a call, removes one, lets one take its result as another
/// operand, or mutates one (mutate.h).
void mutate_chain(Random& random, Chain& chain);
/// Crosses two chains: `a` with one call of `b` in the place of one of its own calls.
Chain cross_chains(Random& random, Chain a, const Chain& b);

using AskCase = std::function<Reply(const Case& c)>;
/// A random chain of 2 to 6 calls of `callables`, each of which takes the result of the one before.
/// Other operands have shapes that broadcast with that result. `ask` answers each call while the
/// chain grows. A refused call is left out, except that now and then one ends the chain. A call
/// whose answer is not judged is left out too. All calls have one default dtype. The chain is
/// shorter, or empty, if several tries find no call that can follow.
Chain random_chain(Random& random, std::span<const FoundOp> callables, const AskCase& ask);

}  // namespace upcast::fuzz
