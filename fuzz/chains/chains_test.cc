#include <gtest/gtest.h>

#include "cases/notation.h"
#include "cases/operands.h"
#include "fuzz/chain_codec.h"
#include "fuzz/chains/asked_chain.h"
#include "fuzz/chains/open_values.h"
#include "oracle/impl_subject.h"
#include "oracle/testing/usage_error.h"

namespace upcast::fuzz {
namespace {

using protocol::Chains;

Reply ours(const Case& c) {
  ImplSubject subject;
  return {.answer = answer_of(subject, c)};
}

std::vector<AskedChain> asked(const std::string& text) {
  return ask_by_calls(parse_chain(text), &ours);
}

TEST(ChainText, IsReadAsItIsPrinted) {
  const std::string text =
      "add.Tensor(float16[2]{1,2}, 2); [takes 1] exp_(float16[2]); [takes 2] where.self(bool[2], "
      "float16[2], float32[])";
  EXPECT_EQ(print_chain(parse_chain(text)), text);
}

TEST(ChainText, AFaultNamesItsCall) {
  for (const auto& [text, said] :
       {std::pair("[takes 1] neg(int8[1])", "call 1: the first call has no call before it"),
        std::pair("neg(int8[1]); [takes 4] neg(int8[1])", "call 2: write [takes 1]"),
        std::pair("neg(int8[1]); [takes 2] neg(int8[1])", "call 2: neg has no tensor operand 2"),
        std::pair("neg(int8[1]); [takes 2] add(int8[1], 2)", "call 2: add.Tensor has no tensor"),
        std::pair("neg(int8[1]); ngg(int8[1])", "call 2: ")})
    try {
      parse_chain(text);
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(said)) << error.what();
    }
}

TEST(ChainCodec, HoldsSixCallsAndWhatFourWere) {
  Chain chain{{parse_case("neg(int8[1])"), 0}};
  std::vector<std::uint8_t> four;
  while (chain.size() < kMaxCalls) {
    chain.push_back({parse_case("neg(int8[1])"), 1});
    if (chain.size() == 4) four = encode_chain(chain);
  }
  EXPECT_EQ(decode_chain(encode_chain(chain)), chain);
  EXPECT_EQ(decode_chain(four), Chain(chain.begin(), chain.begin() + 4));
  chain.push_back(chain.back());
  EXPECT_EQ(decode_chain(encode_chain(chain)).size(), kMaxCalls);
}

/// A subject may claim a few ops in one dtype. A chain then has calls of those alone, and there are
/// many such chains.
TEST(RandomChain, HasOnlyCallablesAndDTypesThatAreClaimed) {
  const std::vector<FoundOp> callables{find_callable("add.Tensor"), find_callable("exp")};
  int calls = 0, asked = 0;
  const AskCase ask = [&](const Case& c) {
    for (const int i : tensor_arguments(c))
      if (c.operand(i).dtype != DType::kFloat32) {
        Reply declined;
        decline("no such dtype", declined.answer);
        return declined;
      }
    ++asked;
    return ours(c);
  };
  Random random(3);
  for (int i = 0; i < 50; ++i)
    for (const ChainCall& call : random_chain(random, callables, ask)) {
      const std::string_view op = call.c.callable();
      EXPECT_TRUE(op == "add.Tensor" || op == "exp") << print_case(call.c);
      for (const int position : tensor_arguments(call.c))
        EXPECT_EQ(call.c.operand(position).dtype, DType::kFloat32) << print_case(call.c);
      ++calls;
    }
  EXPECT_GE(calls, 75) << "a chain has two calls and more";
  EXPECT_GE(asked, calls);
}

TEST(AskByCalls, EachCallTakesTheResultBefore) {
  const auto chains = asked(
      "add(int8[2]{1,2}, 2.5); [takes 1] mul_(int8[2], int8[2]{2,3}); [takes 2] "
      "sub(float32[2]{1,1}, int8[])");
  ASSERT_EQ(chains.size(), 1);
  EXPECT_EQ(chains[0].reply().text(), "float32[2]{-6,-12.5}");
  EXPECT_EQ(print_case(chains[0].cases[1]), "mul_.Tensor(float32[2]{3.5,4.5}, int8[2]{2,3})");
  // an operand that is taken is printed with the dtype and shape of the result before it
  EXPECT_TRUE(print_chain(chains[0].chain).ends_with("sub.Tensor(float32[2]{1,1}, float32[2])"));
  EXPECT_EQ(print_chain(chains[0].part(1, 1)), print_case(chains[0].cases[1]));
}

TEST(AskByCalls, EndsAtARefusalAndBeginsAnewWhereNothingIsTaken) {
  const auto chains = asked(
      "neg(int8[2]); neg(int8[3]); [takes 1] neg(int8[3]); [takes 1] bitwise_and(float32[3], "
      "float32[3]); [takes 1] neg(int8[3])");
  ASSERT_EQ(chains.size(), 3);
  EXPECT_EQ(chains[0].chain.size(), 1);
  ASSERT_EQ(chains[1].chain.size(), 3);
  EXPECT_EQ(chains[1].reply().answer.tag, Answer::Tag::kRefusal);
  EXPECT_EQ(print_chain(chains[2].chain), "neg(int8[3])");
}

/// Why a right side may pass on other values than our own answer to a call; "" if it may not.
std::string open(const std::string& line, Chains chains = Chains::kFused) {
  const Case c = parse_case(line);
  return why_open(c, ours(c).answer, Implementation::kForeign, chains);
}

TEST(OpenValues, ExactOnesAreHandedOnByAll) {
  for (const char* line :
       {"add(int32[2], int8[2])", "neg(float16[2])", "add(float16[2]{1,2}, float16[2]{0.5,4})",
        "mul(float32[1]{0.1}, float32[1]{0.1})", "lt(float16[2], 3.7)",
        "floor(bfloat16[2]{1.5,nan})", "add(float32[0], float32[0])", "div(float64[1]{1}, 3)"})
    EXPECT_EQ(open(line), "") << line;
}

TEST(OpenValues, OthersAreNot) {
  for (const char* line :
       {"exp(float32[2])", "sin(float64[1]{1})", "add(float16[1]{1000}, float16[1]{0.1})",
        "mul(float16[1]{300}, float16[1]{300})", "div(bfloat16[1]{1}, 3)"})
    EXPECT_NE(open(line), "") << line;
}

TEST(OpenValues, WhatIsRoundedBetweenCallsIsHandedOnByAll) {
  for (const char* line : {"add(float16[1]{1000}, float16[1]{0.1})", "div(bfloat16[1]{1}, 3)",
                           "mul(float16[1]{300}, float16[1]{300})"})
    EXPECT_EQ(open(line, Chains::kRounded), "") << line;
  EXPECT_NE(open("exp(float32[2])", Chains::kRounded), "");
}

TEST(OpenValues, AnOracleThatIsOffDecidesNothing) {
  const Case c = parse_case("add(int32[1]{1}, int32[1]{2})");
  Answer wrong = ours(c).answer;
  wrong.bytes[0] = std::byte{9};
  EXPECT_NE(why_open(c, wrong, Implementation::kForeign, Chains::kRounded), "");
}

}  // namespace
}  // namespace upcast::fuzz
