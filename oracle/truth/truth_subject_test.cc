#include "oracle/truth/truth_subject.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/judge.h"

namespace upcast {
namespace {

Answer answer_of(std::string_view line) {
  TruthSubject truth;
  return answer_of(truth, parse_case(line));
}

TEST(TruthSubject, AnswersWholeCalls) {
  EXPECT_EQ(to_text(answer_of("add.Tensor(int32[2]{1,2}, 5.5)")), "float32[2]{6.5,7.5}");
  EXPECT_EQ(to_text(answer_of("sqrt(float16[3]{4,9,-0.0})")), "float16[3]{2,3,-0}");
  EXPECT_EQ(to_text(answer_of("mul.out(float32[2]{1,3}, float32[]{0x1.8p+1}, out=float64[2])")),
            "float64[2]{3,9}");
  EXPECT_EQ(answer_of("add.Tensor(bool[2], float16[2]) @default=float64").dtype, DType::kFloat16);
}

TEST(TruthSubject, LeavesOpenWhetherANumberIsRoundedFirst) {
  const Answer near = answer_of("mul.Tensor(float16[2]{1.5,1}, 1.00048828125)");
  EXPECT_EQ(to_text(near), "float16[2]{1.501,1}") << "not rounded";
  EXPECT_EQ(near.leeway, (std::vector<double>{0x1p-10, 0})) << "as far as 1.5";
  const Answer of_other_kind = answer_of("mul.Tensor(float16[1]{0.5}, 100000.0)");
  EXPECT_EQ(to_text(of_other_kind), "float16[1]{49984}");
  EXPECT_TRUE(of_other_kind.leeway.empty()) << "an infinity is wrong";
  EXPECT_TRUE(answer_of("mul.Tensor(float16[1]{1.5}, 1.5)").leeway.empty()) << "nothing to round";
  EXPECT_TRUE(answer_of("mul.Tensor(float16[1]{1.5}, int64[1]{2049})").leeway.empty())
      << "a tensor with dimensions is rounded";
}

TEST(TruthSubject, AThresholdThatNothingIsAboveLeavesSoftplusFinite) {
  for (const char* threshold : {"nan", "inf", "1e300"})
    EXPECT_EQ(to_text(answer_of(
                  "softplus(float64[2]{800,inf}, threshold=" + std::string(threshold) + ")")),
              "float64[2]{800,inf}")
        << threshold;
}

TEST(TruthSubject, FollowsStridesAndBroadcasting) {
  EXPECT_EQ(to_text(answer_of("sub.Tensor(float32[2,1]{10,20}, float32[3]{1,2,3})")),
            "float32[2,3]{9,8,7,19,18,17}");
  EXPECT_EQ(to_text(answer_of("mul.Tensor(float32[2,2]{1,2,3,4}:permuted, 10)")),
            "float32[2,2]{10,20,30,40}");
}

TEST(TruthSubject, LeavesOpenWhatIsComputedAgainFromWhatHasLeeway) {
  TruthSubject truth;
  Answer answer;
  const char* const operands = "float32[2,2]{1,2,4,8}, float32[2,2]{3,3,3,3})";
  truth.answer(parse_case("addcdiv_(float32[2,2]:strides(1,1){0,1,1,2}, " + std::string(operands)),
               answer);
  ASSERT_EQ(answer.leeway.size(), 4U);
  EXPECT_TRUE(std::isinf(answer.leeway[1]) && std::isinf(answer.leeway[2]));
  EXPECT_FALSE(std::isinf(answer.leeway[0]) || std::isinf(answer.leeway[3]));
  truth.answer(parse_case("addcdiv_(float32[2,2]{0,1,1,2}, " + std::string(operands)), answer);
  ASSERT_EQ(answer.leeway.size(), 4U);
  for (const double leeway : answer.leeway) EXPECT_FALSE(std::isinf(leeway));
}

TEST(TruthSubject, SaysWhyItHasNone) {
  for (const char* line :
       {"ldexp.Tensor(float32[2], float32[2])", "isclose(float32[2], float32[2])",
        "native_dropout_backward(float32[2], bool[2], 2.0)"}) {
    const Answer answer = answer_of(line);
    EXPECT_EQ(answer.tag, Answer::Tag::kNotJudged) << line << " " << to_text(answer);
    EXPECT_TRUE(answer.detail.starts_with("no truth: ")) << line << " " << answer.detail;
  }
}

TEST(TruthSubject, HasNoSettings) { EXPECT_THROW(parse_side("truth?precision=3"), UsageError); }

}  // namespace
}  // namespace upcast
