#include "fuzz/findings/version_answer.h"

#include <gtest/gtest.h>

#include "cases/notation.h"
#include "fuzz/findings/testing/tensor_answer.h"
#include "oracle/subject.h"

namespace upcast::fuzz {
namespace {

/// A finding: exp of 1 in float32, for which the oracle gives `answer`.
Finding answered(const std::string& answer, VerdictCode found = VerdictCode::kDifferValue) {
  Finding finding{.c = parse_case("exp(float32[1]{1})")};
  finding.verdict.found = found;
  finding.subject.answer = testing::tensor_answer("float32[1]{2.7182817}");
  finding.oracle.answer = testing::tensor_answer(answer);
  if (is_failure(found))
    finding.signature = signature_of(finding.c, found, finding.subject, finding.oracle,
                                     upcast::sides_of("impl:cpu", "libtorch:cpu"));
  return finding;
}

VersionAnswer answer_against_2(const Finding& there) {
  return version_answer(answered("float32[1]{2}"), there,
                        upcast::sides_of("impl:cpu", "libtorch:cpu"), Role::kOracle);
}

TEST(VersionAnswer, ShowsWhereTheErrorIsAsLarge) {
  EXPECT_EQ(answer_against_2(answered("float32[1]{2}")), VersionAnswer::kShows);
  EXPECT_EQ(answer_against_2(answered("float32[1]{2.1}")), VersionAnswer::kShows);
  EXPECT_EQ(answer_against_2(answered("float32[1]{9}")), VersionAnswer::kShows);
}

TEST(VersionAnswer, AnotherDifferenceIsNotThisFinding) {
  EXPECT_EQ(answer_against_2(answered("float32[1]{2.718}")), VersionAnswer::kDiffersOtherwise)
      << "a smaller error by four orders of magnitude";
  EXPECT_EQ(answer_against_2(answered("float32[1]{nan}")), VersionAnswer::kDiffersOtherwise);
  EXPECT_EQ(answer_against_2(answered("float64[1]{2}", VerdictCode::kDifferDType)),
            VersionAnswer::kDiffersOtherwise);
}

TEST(VersionAnswer, OnlyAnAgreementIsRight) {
  EXPECT_EQ(answer_against_2(answered("float32[1]{2.7182817}", VerdictCode::kAgree)),
            VersionAnswer::kRight);
  EXPECT_EQ(answer_against_2(answered("float32[1]{2.7182817}", VerdictCode::kNotJudged)),
            VersionAnswer::kNotJudged);
}

}  // namespace
}  // namespace upcast::fuzz
