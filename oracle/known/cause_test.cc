#include "oracle/known/cause.h"

#include <gtest/gtest.h>

#include "cases/notation.h"

namespace upcast {
namespace {

bool speaks_of(const std::string& select, const std::string& answer, const std::string& line,
               const std::string& kind = "value") {
  KnownDifference entry;
  entry.selector_text = select;
  entry.selector = std::make_shared<const Selector>(Selector(select));
  entry.kinds = {kind};
  entry.wrong_answer = answer;
  return calls_of_cause(entry)->matches(parse_case(line));
}

TEST(Cause, AnEntrySpeaksOfEveryValueClass) {
  const std::string select = "exp(float16[*], values=special)";
  EXPECT_TRUE(speaks_of(select, "nan", "exp(float16[2]{1,2})"));
  EXPECT_FALSE(speaks_of(select, "nan", "exp(float32[2]{1,2})"));
  EXPECT_FALSE(speaks_of(select, "nan", "log(float16[2]{1,2})"));
}

TEST(Cause, AModelSpeaksOfAllOperandsOfItsCallables) {
  const std::string select = "logit(float32[1]{0.5})";
  EXPECT_FALSE(speaks_of(select, "nan", "logit(float64[3], eps=0.1)"));
  EXPECT_TRUE(speaks_of(select, "model:activation_formula", "logit(float64[3], eps=0.1)"));
  EXPECT_FALSE(speaks_of(select, "model:activation_formula", "logit_(float64[3])"));
}

TEST(Cause, AModelOfAConversionSpeaksOfAllCalls) {
  EXPECT_TRUE(speaks_of("copy_(bfloat16[1], *)", "model:converted_through_float32", "add(3, 4)"));
}

TEST(Cause, OnlyATrapAndATimeoutSpeakOfOtherOperandsThatKill) {
  const std::string select = "lcm(int32[1]{-2147483648}, *)";
  EXPECT_TRUE(speaks_of(select, "crash(SIGFPE)", "lcm(int64[1]{3}, int64[1])", "crash"));
  EXPECT_FALSE(speaks_of(select, "crash(SIGSEGV)", "lcm(int64[1]{3}, int64[1])", "crash"));
  EXPECT_TRUE(speaks_of(select, "timeout", "lcm(int64[1]{3}, int64[1])", "timeout"));
}

}  // namespace
}  // namespace upcast
