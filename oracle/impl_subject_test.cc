// One element, one answer: whatever instructions the loop has, and however many threads share it.
#include "oracle/impl_subject.h"

#include <gtest/gtest.h>

#include "cases/grid.h"
#include "cases/known_differences.h"
#include "cases/notation.h"
#include "impl/core/error.h"
#include "impl/cpu/cpu_engine.h"
#include "oracle/judge.h"

namespace upcast {
namespace {

constexpr Sides kNoTolerance{Implementation::kOurs, Implementation::kOurs};

ImplSubject cpu(CpuSettings settings) {
  return ImplSubject(std::make_unique<CpuEngine>(settings), {});
}

/// Equal bit for bit, all NaNs being one.
void expect_same(const Case& c, ImplSubject& one, ImplSubject& other) {
  Answer first, second;
  one.answer(c, first);
  other.answer(c, second);
  const Verdict verdict = judge(c, first, second, kNoTolerance);
  ASSERT_EQ(verdict.code, VerdictCode::kAgree) << print_case(c) << ": " << verdict.detail;
  ASSERT_EQ(verdict.max_ulp, 0) << print_case(c);
}

TEST(ImplSubject, EveryCapabilityGivesTheSameBits) {
  const Plan plan = make_grid("ops");
  ImplSubject baseline = cpu({.capability = Capability::kBaseline});
  ImplSubject middle = cpu({.capability = std::min(Capability::kV3, best_capability())});
  ImplSubject best;
  constexpr std::int64_t kEvery = 29;
  std::int64_t compared = 0;
  for (std::int64_t index = 0; index < plan.planned; index += kEvery, ++compared) {
    const GridRow& row = plan.row_of(index);
    Case c = row.prototype;
    row.decode(index - row.first, c);
    expect_same(c, baseline, best);
    expect_same(c, middle, best);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(compared, 1000);
}

TEST(ImplSubject, ThreadsGiveTheSameBits) {
  ImplSubject one;
  ImplSubject four = cpu({.threads = 4});
  for (const char* line :
       {"add.Tensor(float32[400000], int32[400000], values=random, seed=1)",
        "exp(float16[400001], values=random, seed=2)",
        "mul.Tensor(float32[500,800]:permuted, float64[800], values=random, seed=3)",
        "add_.Tensor(float32[3,150000], float32[150000], values=random, seed=4)",
        "lt.Tensor(float32[200000,3], float32[3], values=random, seed=5)",
        "where.self(bool[700,700], int8[700], float32[700,1], values=random, seed=6)",
        "frexp.Tensor(float64[300000], values=random, seed=7)"})
    expect_same(parse_case(line), one, four);
}

TEST(ImplSubject, AThreadsDivisionByZeroIsRefused) {
  ImplSubject four = cpu({.threads = 4});
  Answer answer;
  four.answer(parse_case("remainder.Tensor(int32[400000], int32[])"), answer);
  EXPECT_EQ(answer.tag, Answer::Tag::kTensor);
  four.answer(parse_case("remainder.Tensor(int32[400000], int32[]{0})"), answer);
  ASSERT_EQ(answer.tag, Answer::Tag::kRefusal);
  EXPECT_EQ(answer.rejection, RejectionCode::kZeroDivision);
}

TEST(ImplSubject, AnswersTheTruthOfEveryKnownDifference) {
  const auto entries = load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml");
  ASSERT_FALSE(entries.empty());
  ImplSubject ours;
  Answer answer;
  for (const KnownDifference& entry : entries) {
    const Case c = parse_case(entry.case_line + " -> " + entry.truth);
    ours.answer(c, answer);
    const Verdict verdict = judge_expectation(c, answer, "impl:cpu");
    EXPECT_EQ(verdict.code, VerdictCode::kAgree) << entry.id << ": " << verdict.detail;
  }
}

TEST(ImplSubject, SettingsAreReadFromItsName) {
  EXPECT_EQ(
      make_cpu_subject("impl:cpu?capability=baseline&threads=3")->versions().at("impl.capability"),
      "baseline");
  for (const char* wrong :
       {"impl:cpu?capability=avx9", "impl:cpu?threads=0", "impl:cpu?threads=x", "impl:cpu?speed=1"})
    EXPECT_THROW(make_cpu_subject(wrong), UsageError) << wrong;
}

}  // namespace
}  // namespace upcast
