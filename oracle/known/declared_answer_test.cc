#include "oracle/known/declared_answer.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/testing/fake_sides.h"
#include "oracle/testing/usage_error.h"

namespace upcast {
namespace {

using testing::floats;
using testing::refusal;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

bool declared(std::string_view text, const Answer& right, const Answer& oracle) {
  return DeclaredAnswer(text, "an-entry")
      .is(parse_case("add.Tensor(float32[2], float32[2])"), right, oracle);
}

TEST(DeclaredAnswer, RefusesIsARefusal) {
  EXPECT_TRUE(declared("refuses", floats({1, 2}), refusal()));
  EXPECT_FALSE(declared("refuses", floats({1, 2}), floats({1, 2})));
}

TEST(DeclaredAnswer, AnswersWhereARefusalIsRight) {
  Answer right = refusal();
  right.rejection = RejectionCode::kPromotion;
  EXPECT_TRUE(declared("answers", right, floats({1, 2})));
  EXPECT_TRUE(declared("answers(promotion)", right, floats({1, 2})));
  EXPECT_FALSE(declared("answers(result_cast)", right, floats({1, 2})));
  EXPECT_FALSE(declared("answers", right, right));
  EXPECT_FALSE(declared("answers", floats({1, 2}), floats({1, 3})));
}

TEST(DeclaredAnswer, DTypeIsADType) {
  EXPECT_TRUE(declared("float32", refusal(), floats({1, 2})));
  EXPECT_FALSE(declared("float64", refusal(), floats({1, 2})));
  EXPECT_FALSE(declared("float32", floats({1, 2}), refusal()));
}

TEST(DeclaredAnswer, ValueStandsWhereverTheOracleIsWrong) {
  EXPECT_TRUE(declared("nan", floats({1, 2}), floats({1, kNan})));
  EXPECT_TRUE(declared("nan", floats({1, 2}), floats({kNan, kNan})));
  EXPECT_TRUE(declared("-128", floats({1, 2}), floats({-128, 2})));
  EXPECT_FALSE(declared("nan", floats({1, 2}), floats({3, kNan})));
  EXPECT_FALSE(declared("-128", floats({1, 2}), floats({-127, 2})));
}

TEST(DeclaredAnswer, AllNaNsAreOne) {
  const float negative = std::copysign(kNan, -1.0F);
  const float payload = std::bit_cast<float>(0x7fc01234U);
  for (const float nan : {kNan, negative, payload}) {
    EXPECT_TRUE(declared("nan", floats({1, 2}), floats({1, nan})));
    EXPECT_TRUE(declared("{1,nan}", floats({1, 2}), floats({1, nan})));
    EXPECT_FALSE(declared("0", floats({1, 2}), floats({1, nan})));
  }
}

TEST(DeclaredAnswer, ZerosKeepTheirSign) {
  EXPECT_TRUE(declared("-0.0", floats({1, 0}), floats({1, -0.0F})));
  EXPECT_FALSE(declared("0", floats({1, 0}), floats({1, -0.0F})));
}

/// float8_e8m0fnu has no zero. A 0 is converted to 2^-127, whose code is 0.
TEST(DeclaredAnswer, ZeroIsWhatItIsConvertedTo) {
  const auto with_bits = [](std::uint8_t bits) {
    return testing::tensor_of<std::uint8_t>(DType::kFloat8E8M0FNU, {bits});
  };
  EXPECT_TRUE(declared("0", with_bits(127), with_bits(0)));
  EXPECT_FALSE(declared("0", with_bits(127), with_bits(1)));
  EXPECT_FALSE(declared("-1", with_bits(127), with_bits(0)));
}

TEST(DeclaredAnswer, ValuesAreAllValues) {
  EXPECT_TRUE(declared("{1,3}", floats({1, 2}), floats({1, 3})));
  EXPECT_FALSE(declared("{1,3}", floats({1, 2}), floats({1, 4})));
  EXPECT_FALSE(declared("{1}", floats({1, 2}), floats({1, 3})));
}

TEST(DeclaredAnswer, DeathIsOfItsKind) {
  const Reply crash{.death = "crash(SIGFPE)"};
  const Reply timeout{.death = "timeout"};
  EXPECT_TRUE(DeclaredAnswer("crash(SIGFPE)", "x").is_death(crash));
  EXPECT_TRUE(DeclaredAnswer("crash", "x").is_death(crash));
  EXPECT_FALSE(DeclaredAnswer("crash", "x").is_death(timeout));
  EXPECT_TRUE(DeclaredAnswer("timeout", "x").is_death(timeout));
  EXPECT_FALSE(DeclaredAnswer("refuses", "x").is_death(crash));
}

TEST(DeclaredAnswer, ABrokenAnswerIsACrash) {
  const Answer broken{.tag = Answer::Tag::kBroken};
  EXPECT_TRUE(declared("crash", floats({1, 2}), broken));
  EXPECT_TRUE(declared("crash", refusal(), broken));
  EXPECT_FALSE(declared("crash(SIGFPE)", floats({1, 2}), broken));
  EXPECT_FALSE(declared("crash", floats({1, 2}), refusal()));
}

TEST(DeclaredAnswer, OtherTextsAreUsageErrorsThatNameTheEntry) {
  for (const char* text :
       {"", "refuse", "model:none-such", "dies", "answers(because)", "answers()"}) {
    const std::string said = usage_error_of([&] { DeclaredAnswer(text, "an-entry"); });
    EXPECT_NE(said.find("an-entry"), std::string::npos) << text;
  }
}

TEST(DeclaredAnswer, OfASubjectMayBeRightInSomeElements) {
  const Case c = parse_case("silu(float32[2]{-inf,-inf})");
  const DeclaredAnswer declared("model:activation_formula", "a test");
  ImplSubject ours;
  const Answer right = answer_of(ours, c);
  Answer wrong = right;
  // One element is wrong as LibTorch's is, the other one stays right.
  std::memcpy(wrong.bytes.data(), &kNan, sizeof kNan);
  EXPECT_TRUE(declared.is_partly(c, right, wrong));
  EXPECT_FALSE(declared.is(c, right, wrong));
  const float neither = 1;
  std::memcpy(wrong.bytes.data(), &neither, sizeof neither);
  EXPECT_FALSE(declared.is_partly(c, right, wrong));
}

}  // namespace
}  // namespace upcast
