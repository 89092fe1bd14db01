#include "fuzz/chains/asked_chain.h"

#include "cases/operands.h"
#include "fuzz/out_of_scope.h"

namespace upcast::fuzz {
namespace {

/// A call as a chain prints it: the operand that takes the result before it has that result's dtype
/// and shape, and no values.
ChainCall as_printed(const ChainCall& call, const Case& asked) {
  ChainCall printed{asked, call.takes};
  Operand& operand = printed.c.arguments[taken_position(call)];
  operand = tensor(operand.dtype, operand.sizes);
  return printed;
}

bool is_asked(const Case& c, const Reply& reply) {
  return why_not_asked(c).empty() && reply.answer.tag != Answer::Tag::kNotJudged &&
         reply.answer.tag != Answer::Tag::kBroken;
}

}  // namespace

Chain AskedChain::request() const {
  Chain calls;
  for (std::size_t i = 0; i < chain.size(); ++i) calls.push_back({cases[i], chain[i].takes});
  return calls;
}

Chain AskedChain::part(std::size_t first, std::size_t count) const {
  Chain calls{{cases[first], 0}};
  calls.insert(calls.end(), chain.begin() + static_cast<std::ptrdiff_t>(first + 1),
               chain.begin() + static_cast<std::ptrdiff_t>(first + count));
  return calls;
}

std::vector<AskedChain> ask_by_calls(Chain chain, const AskCase& oracle) {
  std::vector<AskedChain> chains;
  bool goes_on = false;
  for (ChainCall& call : chain) {
    call.c.defaults = chain.front().c.defaults;
    goes_on = goes_on && is_taken(call, chains.back().reply().answer);
    if (!goes_on) call.takes = 0;
    const Case c = goes_on ? with_taken(call, chains.back().reply().answer) : call.c;
    Reply reply;
    if (why_not_asked(c).empty()) reply = oracle(c);
    if (!is_asked(c, reply)) {
      goes_on = false;
      continue;
    }
    if (!goes_on) chains.emplace_back();
    AskedChain& asked = chains.back();
    asked.chain.push_back(goes_on ? as_printed(call, c) : call);
    asked.cases.push_back(c);
    asked.replies.push_back(std::move(reply));
    goes_on = !asked.reply().died() && asked.reply().answer.tag == Answer::Tag::kTensor;
  }
  return chains;
}

}  // namespace upcast::fuzz
