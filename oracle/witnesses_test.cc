// Tests of the question to witnesses, of their votes, and of who stands alone. No process is
// started.
#include "oracle/witnesses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "impl/core/error.h"
#include "oracle/judge.h"
#include "oracle/testing/fake_sides.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

using testing::FakeSide;
using testing::floats;
using testing::refusal;
using What = Difference::What;

/// The elements that the truth leaves open, for a truth that knows only the first element.
std::vector<std::size_t> all_but_the_first(const Case&, const Answer& answer) {
  std::vector<std::size_t> open;
  for (std::size_t i = 1; i < answer.bytes.size() / sizeof(float); ++i) open.push_back(i);
  return open;
}

std::vector<std::size_t> no_gap(const Case&, const Answer&) { return {}; }

Answer doubles(std::vector<float> values) {
  Answer answer = floats(std::move(values));
  answer.dtype = DType::kFloat64;
  answer.bytes.resize(2 * answer.bytes.size());
  return answer;
}

class AskWitnesses : public ::testing::Test {
 protected:
  /// The verdict on two answers, after witnesses with these answers were asked.
  Verdict of(const Answer& subject, const Answer& oracle, const std::vector<Answer>& witnesses,
             Gaps gaps = &all_but_the_first) {
    std::vector<Witnesses::Named> sides;
    for (const Answer& answer : witnesses)
      sides.push_back({"test:" + std::to_string(sides.size()),
                       std::make_unique<FakeSide>([=](const Case&) { return answer; })});
    return of(subject, oracle, std::move(sides), gaps);
  }

  Verdict of(const Answer& subject, const Answer& oracle, std::vector<Witnesses::Named> sides,
             Gaps gaps = &all_but_the_first) {
    Verdict verdict = judge(case_, subject, oracle, {});
    Witnesses(std::move(sides), gaps)
        .ask(case_, {.answer = subject}, {.answer = oracle}, {}, verdict, [this] { ++between_; });
    return verdict;
  }

  static std::vector<Vote> votes(const Verdict& verdict) {
    std::vector<Vote> votes;
    for (const Witness& witness : verdict.witnesses) votes.push_back(witness.with);
    return votes;
  }

  Case case_ = parse_case("add.Tensor(float32[2], float32[2])");
  int between_ = 0;
};

TEST(WhoStandsAlone, AMajorityOfThoseThatSaySomethingDecides) {
  using enum Vote;
  const auto alone = [](std::vector<Vote> votes, int alike = 0) {
    return who_stands_alone(votes, alike);
  };
  EXPECT_EQ(alone({kSubject}), Alone::kOracle);
  EXPECT_EQ(alone({kOracle}), Alone::kSubject);
  EXPECT_EQ(alone({kSubject, kSubject, kOracle}), Alone::kOracle);
  EXPECT_EQ(alone({kOracle, kNeither, kOracle}), Alone::kSubject);
  EXPECT_EQ(alone({kSubject, kOracle}), Alone::kNeither) << "a tie is no majority";
  EXPECT_EQ(alone({kSubject, kOracle, kSilent}), Alone::kNeither);
  EXPECT_EQ(alone({kSubject, kSilent, kSilent}), Alone::kOracle) << "silence is no vote";
  EXPECT_EQ(alone({kSubject, kBoth, kBoth}), Alone::kNeither) << "who is with both is a vote";
  EXPECT_EQ(alone({kNeither, kNeither, kSubject}, 2), Alone::kBoth);
  EXPECT_EQ(alone({kNeither, kNeither, kSubject}, 1), Alone::kNeither)
      << "two that say two things are no majority";
  EXPECT_EQ(alone({kSilent}), Alone::kNeither);
  EXPECT_EQ(alone({}), Alone::kNeither);
}

TEST_F(AskWitnesses, OfValuesTheyAreAskedAboutWhatTheTruthLeavesOpen) {
  const Verdict verdict =
      of(floats({1, 2}), floats({1, 3}), {floats({9, 2}), floats({1, 3}), floats({1, 2})});
  EXPECT_EQ(votes(verdict), (std::vector{Vote::kSubject, Vote::kOracle, Vote::kSubject}))
      << "what element 0 is, the truth knows";
  ASSERT_TRUE(verdict.asked);
  EXPECT_EQ(verdict.asked->element, 1);
  EXPECT_EQ(verdict.asked->subject, "2");
  EXPECT_EQ(verdict.asked->oracle, "3");
  EXPECT_EQ(verdict.witnesses[0].answer, "float32[2]{9,2}");
  EXPECT_EQ(verdict.witnesses[0].has, "2");
  EXPECT_EQ(verdict.alone, Alone::kOracle);
  EXPECT_EQ(between_, 3);
  EXPECT_TRUE(
      sentence(verdict).ends_with("the oracle stands alone: 2 of 3 witnesses are with the subject"))
      << sentence(verdict);
}

TEST_F(AskWitnesses, OfManyElementsOneIsShownWhereTheMostDiffer) {
  const Answer both = floats({1, 2, 3, 4, 5});
  const Verdict verdict =
      of(both, both, {floats({9, 7, 3, 8, 5}), floats({9, 2, 3, 8, 5}), refusal()});
  EXPECT_EQ(verdict.asked->element, 3);
  EXPECT_EQ(verdict.asked->oracle, "4");
  EXPECT_EQ(verdict.witnesses[1].has, "8");
  EXPECT_EQ(verdict.witnesses[2].has, "refuses");
}

TEST_F(AskWitnesses, NoWitnessIsAskedWhatTheTruthDecides) {
  for (const Verdict& verdict : {of(floats({1, 2}), floats({2, 2}), {floats({1, 2})}),
                                 of(floats({1, 2}), floats({1, 3}), {floats({1, 2})}, &no_gap),
                                 of(floats({1}), floats({1}), {floats({1})})}) {
    EXPECT_FALSE(verdict.asked);
    EXPECT_TRUE(verdict.witnesses.empty());
    EXPECT_EQ(verdict.alone, Alone::kNeither);
  }
  EXPECT_EQ(between_, 0);
  EXPECT_TRUE(of(floats({1, 2}), floats({2, 2}), {floats({1, 2})}, nullptr).asked)
      << "the control: without a truth all is open";
}

TEST_F(AskWitnesses, OfAgreementTheyTellWhetherBothStandAlone) {
  const Answer both = floats({1, 2});
  EXPECT_EQ(of(both, both, {both, both}).alone, Alone::kNeither);
  EXPECT_EQ(votes(of(both, both, {both})), std::vector{Vote::kBoth});
  EXPECT_EQ(of(both, both, {floats({1, 5}), floats({1, 5}), both}).alone, Alone::kBoth);
  EXPECT_EQ(of(both, both, {floats({1, 5}), floats({1, 6}), both}).alone, Alone::kNeither);
  EXPECT_EQ(of(both, both, {floats({7, 2})}).alone, Alone::kNeither) << "element 0 is decided";
  const Verdict refused = of(refusal(), refusal(), {both, both, refusal()});
  EXPECT_EQ(refused.asked->what, What::kRefusal);
  EXPECT_EQ(refused.alone, Alone::kBoth);
  EXPECT_EQ(refused.witnesses[0].has, "answers");
}

TEST_F(AskWitnesses, ARefusalADTypeAndAShapeAreQuestionsOfTheirOwn) {
  const Answer answer = floats({1, 2});
  const Verdict refused = of(refusal(), answer, {floats({5, 6}), refusal(), doubles({1, 2})});
  EXPECT_EQ(votes(refused), (std::vector{Vote::kOracle, Vote::kSubject, Vote::kOracle}))
      << "who answers is with who answers, whatever the answer";
  EXPECT_EQ(refused.alone, Alone::kSubject);
  const Verdict dtype = of(answer, doubles({1, 2}), {floats({5, 6}), doubles({7, 8}), refusal()});
  EXPECT_EQ(votes(dtype), (std::vector{Vote::kSubject, Vote::kOracle, Vote::kNeither}));
  EXPECT_EQ(dtype.witnesses[1].has, "float64");
  const Verdict shape = of(answer, floats({1}), {floats({3}), floats({1, 2, 3})});
  EXPECT_EQ(votes(shape), (std::vector{Vote::kOracle, Vote::kNeither}));
  EXPECT_EQ(shape.witnesses[0].has, "[1]");
}

TEST_F(AskWitnesses, StridesAreNoQuestionForWhoHasNone) {
  Answer subject = floats({1, 2}), oracle = floats({1, 2}), jax = floats({1, 2});
  oracle.strides = {2};
  jax.without_strides = true;
  const Verdict verdict = of(subject, oracle, {jax, oracle});
  EXPECT_EQ(votes(verdict), (std::vector{Vote::kSilent, Vote::kOracle}));
  EXPECT_EQ(verdict.witnesses[0].has, "");
  EXPECT_EQ(verdict.alone, Alone::kSubject);
}

TEST_F(AskWitnesses, ValuesOfAnotherDTypeSayNothing) {
  EXPECT_EQ(votes(of(floats({1, 2}), floats({1, 3}), {doubles({1, 2}), floats({1})})),
            (std::vector{Vote::kSilent, Vote::kSilent}));
  EXPECT_EQ(votes(of(floats({1, 2}), floats({1, 3}), {refusal()})), std::vector{Vote::kNeither})
      << "a refusal says something";
}

TEST_F(AskWitnesses, NaNIsNaNAndAZeroHasASign) {
  EXPECT_EQ(votes(of(floats({1, NAN}), floats({1, 0}),
                     {floats({1, -std::nanf("1")}), floats({1, -0.F}), floats({1, 0})})),
            (std::vector{Vote::kSubject, Vote::kNeither, Vote::kOracle}));
}

class Dying : public Subject {
 public:
  explicit Dying(bool is_usage) : is_usage_(is_usage) {}
  void answer(const Case&, Answer&) override {
    if (is_usage_) throw UsageError("no such program");
    throw SideDied{false, "crash(SIGSEGV)", "last words"};
  }

 private:
  bool is_usage_;
};

TEST_F(AskWitnesses, OneThatDiesIsRecordedAndTheOthersAreAsked) {
  Answer unable;
  unable.tag = Answer::Tag::kNotJudged;
  unable.detail = "no such op";
  std::vector<Witnesses::Named> sides;
  sides.push_back({"test:a", std::make_unique<Dying>(false)});
  sides.push_back({"test:b", std::make_unique<Dying>(true)});
  sides.push_back({"test:c", std::make_unique<FakeSide>([=](const Case&) { return unable; })});
  sides.push_back({"test:d", std::make_unique<FakeSide>([](const Case&) {
                     return floats({1, 2});
                   })});
  const Verdict verdict = of(floats({1, 2}), floats({1, 3}), std::move(sides));
  EXPECT_EQ(votes(verdict),
            (std::vector{Vote::kSilent, Vote::kSilent, Vote::kSilent, Vote::kSubject}));
  EXPECT_EQ(verdict.witnesses[0].answer, "crash(SIGSEGV), last words");
  EXPECT_EQ(verdict.witnesses[1].answer, "crash(does not start), no such program");
  EXPECT_EQ(verdict.witnesses[2].answer, "not_judged(no such op)");
  EXPECT_EQ(verdict.alone, Alone::kOracle);
}

TEST_F(AskWitnesses, WhereASideDiedNoWitnessIsAsked) {
  Verdict verdict{.code = VerdictCode::kCrash, .found = VerdictCode::kCrash};
  std::vector<Witnesses::Named> sides;
  sides.push_back({"test:a", std::make_unique<FakeSide>([](const Case&) { return floats({1}); })});
  EXPECT_FALSE(Witnesses(std::move(sides), nullptr)
                   .ask(case_, {.death = "timeout"}, {.answer = floats({1})}, {}, verdict, [] {}));
  EXPECT_TRUE(verdict.witnesses.empty());
}

}  // namespace
}  // namespace upcast
