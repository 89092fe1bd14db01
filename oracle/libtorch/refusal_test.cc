// Tests that each class of refusal is recognised, by calls that provoke it in LibTorch.
#include "oracle/libtorch/refusal.h"

#include <gtest/gtest.h>

#include "cases/notation.h"
#include "oracle/libtorch/libtorch_subject.h"

namespace upcast {
namespace {

struct Provoked {
  std::string_view line;
  RejectionCode code;
};

class Refusal : public testing::TestWithParam<Provoked> {};

TEST_P(Refusal, IsClassifiedByItsMessage) {
  LibTorchSubject subject(parse_side("libtorch:cpu"));
  const Answer answer = answer_of(subject, parse_case(GetParam().line));
  ASSERT_EQ(answer.tag, Answer::Tag::kRefusal) << GetParam().line;
  EXPECT_EQ(name(answer.rejection), name(GetParam().code))
      << GetParam().line << ": " << answer.detail;
}

using enum RejectionCode;
INSTANTIATE_TEST_SUITE_P(
    Cases, Refusal,
    testing::Values(Provoked{"add.Tensor(uint16[4], uint16[4])", kUnsupportedDType},
                    Provoked{"exp(complex32[4])", kUnsupportedDType},
                    Provoked{"sub.Tensor(bool[4], bool[4])", kUnsupportedDType},
                    Provoked{"add.Tensor(uint16[4], int32[4])", kPromotion},
                    Provoked{"add.Tensor(float8_e5m2[4], float32[4])", kPromotion},
                    Provoked{"mul.Tensor(float8_e5m2[4], 1+2j)", kPromotion},
                    Provoked{"promote_types(bits8, int32)", kPromotion},
                    Provoked{"promote_types(qint8, int32)", kPromotion},
                    Provoked{"promote_types(int1, int32)", kPromotion},
                    Provoked{"add_.Tensor(int32[4], float32[4])", kResultCast},
                    Provoked{"add.Tensor(float32[3], float32[4])", kShapeMismatch},
                    Provoked{"add_.Tensor(float32[1], float32[4])", kShapeMismatch},
                    Provoked{"add.Tensor(int32[4], int32[4], alpha=1.5)", kBadAttribute},
                    Provoked{"add.Tensor(uint8[4], uint8[4], alpha=300)", kAttributeOverflow},
                    Provoked{"floor_divide(int32[2]{1,2}, int32[2]{0,1})", kZeroDivision},
                    Provoked{"neg.out(int32[4], out=float32[4])", kDTypeMismatch}),
    [](const auto& test) {
      std::string text(test.param.line);
      std::string named;
      for (char c : text)
        if (std::isalnum(static_cast<unsigned char>(c))) named += c;
      return named;
    });

TEST(RefusalMessage, EndsAtItsFirstLine) {
  EXPECT_EQ(libtorch::first_line("one\ntwo"), "one");
  EXPECT_EQ(libtorch::first_line("one"), "one");
  EXPECT_EQ(libtorch::first_line(""), "");
}

TEST(RefusalMessage, ThatIsUnknownIsOfNoClass) {
  EXPECT_EQ(libtorch::classify("something else"), kOther);
}

}  // namespace
}  // namespace upcast
