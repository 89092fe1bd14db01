#include "fuzz/random_chain.h"

#include <algorithm>

#include "cases/operands.h"
#include "cases/simplify.h"
#include "fuzz/callable_ids.h"
#include "fuzz/mutate.h"
#include "fuzz/out_of_scope.h"
#include "fuzz/random_case.h"

namespace upcast::fuzz {
namespace {

constexpr std::int64_t kMaxTaken = 512;  // elements
constexpr int kTries = 12;               // how many random calls are asked for one place in a chain
constexpr int kMostDeclined = 400;       // how many more may be declined without being asked
constexpr int kRefusals = 4;             // percentage of calls after the first that may be refused

bool can_be_taken(const Answer& result) {
  return result.tag == Answer::Tag::kTensor && kElementwise.contains(result.dtype) &&
         numel(result.sizes) <= kMaxTaken && !result.without_values;
}

/// Precondition: can_be_taken(result).
Operand operand_of(const Answer& result) {
  Operand operand = tensor(result.dtype, result.sizes);
  operand.values = result.bytes;
  if (result.strides != contiguous_strides(result.sizes)) operand.strides = result.strides;
  return operand;
}

bool answers(const Reply& reply) {
  return !reply.died() && reply.answer.tag == Answer::Tag::kTensor;
}

bool is_exact(const FoundOp& callable) {
  const Accuracy& accuracy = callable.op->spec->accuracy;
  return accuracy.float32.libtorch == 0 && accuracy.reduced.libtorch == 0;
}

/// A random one of the callables. Exact ops are drawn more often, because a call that follows an
/// inexact op can seldom be judged.
const FoundOp& any_callable(Random& random, std::span<const FoundOp> callables) {
  constexpr int kTriesForAnExactOne = 8;
  int tries = random.chance(50) ? kTriesForAnExactOne : 0;
  while (true) {
    const FoundOp& found = callables[random.below(callables.size())];
    if (tries-- <= 0 || is_exact(found)) return found;
  }
}

/// Now and then gives a call's tensors, except the one that is taken, a dtype that rounds or wraps
/// soon. A fused chain may skip such a rounding or wrapping, which is a bug to find.
void make_narrow(Random& random, int taken, Case& c) {
  if (!random.chance(40)) return;
  const DType dtype = random.from({DType::kFloat16, DType::kBFloat16, DType::kFloat32,
                                   DType::kUInt8, DType::kInt8, DType::kInt16});
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    if (i != taken && operand.shares == kOwnStorage && operand.dtype != DType::kBool)
      c = with_dtype(c, i, dtype);
  }
  c.values = random.from(
      {ValueClass::kRandom, ValueClass::kRandom, ValueClass::kSpecial, ValueClass::kConsecutive});
}

/// A random call that takes the result `before`. Its other tensors broadcast with it. The call
/// takes no result if it has no tensor operand.
ChainCall call_on(Random& random, std::span<const FoundOp> callables, const Answer& before) {
  ChainCall call{.c = random_call(random, any_callable(random, callables), before.sizes)};
  const std::vector<int> positions = tensor_positions(call.c.schema());
  if (positions.empty()) return call;
  call.takes = 1 + random.below(static_cast<int>(std::min<std::size_t>(3, positions.size())));
  Operand& operand = call.c.arguments[positions[static_cast<std::size_t>(call.takes - 1)]];
  if (operand.tag != Operand::Tag::kTensor) operand = operand_of(before);
  call.c = with_taken(call, before);
  return call;
}

}  // namespace

bool is_taken(const ChainCall& call, const Answer& before) {
  return taken_position(call) != kOutPosition && can_be_taken(before);
}

Case with_taken(const ChainCall& call, const Answer& before) {
  Case c = call.c;
  if (!is_taken(call, before)) return c;
  const int position = taken_position(call);
  c.arguments[position] = operand_of(before);
  for (int i = kOutPosition; i < static_cast<int>(c.arguments.size()); ++i)
    if (c.operand(i).shares == position) c.operand(i).shares = kOwnStorage;
  return c;
}

void mutate_chain(Random& random, Chain& chain) {
  const std::size_t at = random.below(chain.size());
  if (random.chance(20) && chain.size() < kMaxCalls)
    chain.push_back({random_case(random), random.below(4)});
  else if (random.chance(15) && chain.size() > 1)
    chain.erase(chain.begin() + static_cast<std::ptrdiff_t>(at));
  else if (random.chance(20))
    chain[at].takes = at == 0 ? 0 : random.below(4);
  else
    mutate(random, chain[at].c);
  chain.front().takes = 0;
}

Chain cross_chains(Random& random, Chain a, const Chain& b) {
  a[random.below(a.size())] = random.from(b);
  a.front().takes = 0;
  return a;
}

Chain random_chain(Random& random, std::span<const FoundOp> callables, const AskCase& ask) {
  const int length = random.from({2, 2, 2, 2, 3, 3, 3, 4, 5, 6});
  Chain chain;
  Answer before;
  int declined = 0;
  for (int tries = 0; tries < kTries && static_cast<int>(chain.size()) < length; ++tries) {
    ChainCall call = chain.empty()
                         ? ChainCall{.c = random_call(random, any_callable(random, callables))}
                         : call_on(random, callables, before);
    if (chain.empty() == (call.takes != 0)) continue;
    make_narrow(random, taken_position(call), call.c);
    if (!chain.empty()) call.c.defaults = chain.front().c.defaults;
    if (!why_not_asked(call.c).empty()) continue;
    const Reply reply = ask(call.c);
    if (reply.answer.tag == Answer::Tag::kNotJudged) {
      if (++declined <= kMostDeclined) --tries;
      continue;
    }
    const bool may_refuse = !chain.empty() && random.chance(kRefusals);
    if (answers(reply) ? !can_be_taken(reply.answer) : !may_refuse) continue;
    tries = declined = 0;
    chain.push_back(call);
    if (!answers(reply)) break;
    before = reply.answer;
  }
  // An operand that takes the result before has no values of its own in a chain.
  for (ChainCall& call : chain)
    if (call.takes != 0) call.c.arguments[taken_position(call)].values.clear();
  return chain;
}

}  // namespace upcast::fuzz
