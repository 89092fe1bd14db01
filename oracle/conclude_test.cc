// Tests of judge, known differences and truth together, without a process.
#include "oracle/conclude.h"

#include <gtest/gtest.h>

#include "impl/core/cast.h"
#include "oracle/testing/fake_sides.h"

namespace upcast {
namespace {

using testing::floats;
using testing::refusal;
using Outcome = Ruling::Outcome;

int asked = 0;

template <Outcome kOutcome>
Ruling rules(const Case&, const Answer&, const Answer&, Sides) {
  ++asked;
  return {.outcome = kOutcome};
}

class Conclude : public ::testing::Test {
 protected:
  Conclude() { asked = 0; }

  Conclusion of(float oracle) const {
    return conclude(case_, {.answer = floats({1})}, {.answer = floats({oracle})}, settings_);
  }

  Case case_ = parse_case("add.Tensor(float32[1], float32[1])");
  KnownMatcher known_{
      parse_known_differences(testing::known_entry("minus-one", "value", "-1"), "known.toml"),
      {parse_side("impl:cpu"), parse_side("libtorch:cpu"), "2.15.0", true}};
  ConcludeSettings settings_;
};

TEST_F(Conclude, AgreementAsksNoArbiter) {
  settings_.arbiter = &rules<Outcome::kSubjectIsOff>;
  settings_.known = &known_;
  const Conclusion found = of(1);
  EXPECT_EQ(found.verdict, (Verdict{.values_judged = 1}));
  EXPECT_FALSE(found.signature);
  EXPECT_EQ(asked, 0);
  EXPECT_EQ(of(2).verdict.found, VerdictCode::kDifferValue) << "the control";
  EXPECT_EQ(asked, 1);
}

TEST_F(Conclude, ADifferenceHasARulingAndASignature) {
  EXPECT_EQ(of(2).verdict.ruling.outcome, Outcome::kNotAsked) << "without an arbiter";
  settings_.arbiter = &rules<Outcome::kSubjectIsOff>;
  const Conclusion found = of(2);
  EXPECT_EQ(found.verdict.code, VerdictCode::kDifferValue);
  EXPECT_EQ(found.verdict.ruling.outcome, Outcome::kSubjectIsOff);
  ASSERT_TRUE(found.signature);
  EXPECT_EQ(found.signature->answers, "x->x'");
}

/// If the ruling refuses an entry about the oracle, an entry about the subject may explain the
/// case.
TEST_F(Conclude, ASubjectThatIsOffIsExplainedByAnEntryOfItsOwn) {
  const auto found = [this](const std::string& toml) {
    KnownMatcher known(parse_known_differences(toml, "known.toml"),
                       {parse_side("python:torch?via=decomp"), parse_side("libtorch:cpu"), "2.15.0",
                        true, "2.15.0"});
    settings_.known = &known;
    return of(-1);
  };
  settings_.arbiter = &rules<Outcome::kSubjectIsOff>;
  const std::string of_oracle = testing::known_entry("minus-one", "value", "-1");
  std::string of_subject = testing::known_entry("one", "value", "1");
  of_subject.replace(of_subject.find("oracle ="), 8,
                     "subject = 'python:torch?via=decomp'\nanswer =");
  EXPECT_EQ(found(of_oracle).known, 0);
  EXPECT_EQ(found(of_subject).known, 1);
  EXPECT_EQ(found(of_oracle + of_subject).known, 2);
  settings_.arbiter = &rules<Outcome::kOracleIsOff>;
  EXPECT_EQ(found(of_oracle + of_subject).known, 1);
}

TEST_F(Conclude, WhereBothAreRightTheyAgreeAndWhatWasFoundStays) {
  settings_.arbiter = &rules<Outcome::kBothAreRight>;
  Conclusion found = of(2);
  EXPECT_EQ(found.verdict.code, VerdictCode::kAgree);
  EXPECT_EQ(found.verdict.found, VerdictCode::kDifferValue);
  EXPECT_FALSE(found.signature);
  settings_.signs_explained = true;
  EXPECT_TRUE(of(2).signature);
  settings_.is_recorded = [](VerdictCode, int) { return false; };
  found = of(2);
  EXPECT_EQ(found.verdict.code, VerdictCode::kDifferValue) << "not asked where nothing is kept";
  EXPECT_FALSE(found.signature);
}

/// The number 1.00048828125 rounds to 1 in float16. It may be rounded before the op or not, which
/// gives two answers. The verdict is within_choice for either.
TEST_F(Conclude, ANumberMayBeRoundedFirst) {
  settings_.arbiter = &rules<Outcome::kBothAreOff>;
  const auto of_line = [this](const char* line, float subject, float oracle) {
    const auto half = [](float value) {
      Answer answer = floats({value});
      answer.dtype = DType::kFloat16;
      answer.bytes.resize(2);
      cast_elements(DType::kFloat32, reinterpret_cast<const std::byte*>(&value), DType::kFloat16,
                    answer.bytes.data(), 1);
      return answer;
    };
    return conclude(parse_case(line), {.answer = half(subject)}, {.answer = half(oracle)},
                    settings_);
  };
  constexpr const char* kProduct = "mul.Tensor(float16[1]{1.5}, 1.00048828125)";
  const Conclusion choice = of_line(kProduct, 1.5009765625F, 1.5F);
  EXPECT_EQ(choice.verdict.code, VerdictCode::kWithinChoice);
  EXPECT_EQ(choice.verdict.found, VerdictCode::kDifferValue);
  EXPECT_EQ(asked, 0) << "the truth costs more";
  EXPECT_EQ(of_line(kProduct, 1.5F, 1.5009765625F).verdict.code, VerdictCode::kWithinChoice)
      << "either side may be the one that rounds";
  EXPECT_EQ(of_line(kProduct, 1.5009765625F, 1.4990234375F).verdict.code, VerdictCode::kDifferValue)
      << "neither way leads there";
  EXPECT_EQ(of_line("mul.Tensor(float16[1]{1.5}, float32[1]{1.00048828125})", 1.5F, 1.5009765625F)
                .verdict.code,
            VerdictCode::kDifferValue)
      << "a tensor with dimensions has a say in the dtype";
  constexpr float kInf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(of_line("mul.Tensor(float16[1]{0.5}, 100000.0)", 49984, kInf).verdict.code,
            VerdictCode::kDifferValue)
      << "the result loses its kind";
}

TEST_F(Conclude, AKnownDifferenceExplainsUnlessTheSubjectIsOffToo) {
  settings_.known = &known_;
  EXPECT_EQ(of(-1).verdict.code, VerdictCode::kKnown);
  EXPECT_EQ(of(-1).known, 1);
  EXPECT_EQ(of(2).verdict.code, VerdictCode::kDifferValue) << "another wrong answer";
  settings_.arbiter = &rules<Outcome::kOracleIsOff>;
  const Conclusion known = of(-1);
  EXPECT_EQ(known.verdict.code, VerdictCode::kKnown);
  EXPECT_EQ(known.verdict.found, VerdictCode::kDifferValue);
  EXPECT_EQ(asked, 1) << "one ruling serves the entry and the record";
  settings_.arbiter = &rules<Outcome::kBothAreOff>;
  const Conclusion off = of(-1);
  EXPECT_EQ(off.verdict.code, VerdictCode::kDifferValue);
  EXPECT_EQ(off.known, 0);
}

TEST_F(Conclude, NoBugIsToldOfAnOracleThatIsWithinItsBounds) {
  settings_.known = &known_;
  settings_.arbiter = &rules<Outcome::kBothAreRight>;
  const Conclusion right = of(-1);
  EXPECT_EQ(right.verdict.code, VerdictCode::kAgree);
  EXPECT_EQ(right.known, 0);
  settings_.arbiter = &rules<Outcome::kUndecided>;
  EXPECT_EQ(of(-1).verdict.code, VerdictCode::kKnown) << "it explains what is not decided";
}

TEST_F(Conclude, OfAnEntrysManyCasesOneInSoManyIsRuledOn) {
  settings_.known = &known_;
  settings_.arbiter = &rules<Outcome::kBothAreOff>;
  settings_.rule_known_every = 1000;
  settings_.is_recorded = [](VerdictCode, int known) { return known == 0; };
  for (int i = 0; i < KnownMatcher::kAlwaysRuled; ++i)
    EXPECT_EQ(of(-1).verdict.code, VerdictCode::kDifferValue) << i;
  EXPECT_EQ(of(-1).verdict.code, VerdictCode::kKnown);
}

TEST_F(Conclude, AnExpectationIsJudgedLast) {
  case_ = parse_case("add.Tensor(float32[1], float32[1]) -> float32[1]{1}");
  EXPECT_EQ(of(1).verdict.code, VerdictCode::kAgree);
  settings_.known = &known_;
  EXPECT_EQ(of(-1).verdict.code, VerdictCode::kKnown) << "the oracle is excused";
  const Conclusion differs = of(2);
  EXPECT_EQ(differs.verdict.code, VerdictCode::kDifferValue) << "the stronger statement";
  ASSERT_EQ(differs.verdict.unmet.size(), 1U);
  EXPECT_EQ(differs.verdict.unmet[0].who, Role::kOracle);
  case_ = parse_case("add.Tensor(float32[1], float32[1]) -> refuses");
  const Conclusion unmet = of(1);
  EXPECT_EQ(unmet.verdict.code, VerdictCode::kExpectation);
  EXPECT_EQ(unmet.verdict.unmet.at(0).who, Role::kBoth);
  const Conclusion excused = of(-1);
  EXPECT_EQ(excused.verdict.code, VerdictCode::kExpectation);
  EXPECT_EQ(excused.verdict.found, VerdictCode::kDifferValue);
  EXPECT_EQ(excused.known, 0) << "nothing excuses the subject";
}

TEST_F(Conclude, ADeathOfEitherSideIsTold) {
  const Conclusion found = conclude(case_, {.death = "timeout"},
                                    {.death = "crash(SIGFPE)", .why = "said so"}, settings_);
  EXPECT_EQ(found.verdict.code, VerdictCode::kCrash);
  EXPECT_EQ(found.verdict.deaths,
            (std::vector<Death>{{Role::kSubject, "timeout", ""},
                                {Role::kOracle, "crash(SIGFPE)", "said so"}}));
  EXPECT_EQ(found.signature->answers, "timeout->SIGFPE");
  const Conclusion hangs =
      conclude(case_, {.answer = floats({1})}, {.death = "timeout"}, settings_);
  EXPECT_EQ(hangs.verdict.code, VerdictCode::kTimeout);
}

TEST_F(Conclude, WhatADriverFoundItselfIsSignedToo) {
  Verdict alias{.code = VerdictCode::kDifferAlias, .found = VerdictCode::kDifferAlias};
  settings_.known = &known_;
  const Reply reply{.answer = floats({1})};
  const Conclusion found = conclude(case_, alias, reply, reply, settings_);
  EXPECT_EQ(found.verdict, alias);
  EXPECT_EQ(found.signature->kind, "alias");
}

TEST_F(Conclude, RulesRuleOnEveryDifferenceThatNothingExplains) {
  RuleArbiter rules(parse_side("plugin:mine.so"), parse_side("libtorch:cpu"));
  settings_.rules = &rules;
  settings_.is_recorded = [](VerdictCode, int) { return false; };
  const auto outcome = [this](const Reply& subject, const Reply& oracle) {
    return conclude(case_, subject, oracle, settings_).verdict.ruling.outcome;
  };
  const Reply right{.answer = floats({1})};
  const Reply refused{.answer = refusal()};
  const Reply dead{.answer = {}, .death = "crash(SIGSEGV)"};
  EXPECT_EQ(outcome(refused, right), Outcome::kSubjectIsOff) << "recorded or not";
  EXPECT_EQ(outcome(right, refused), Outcome::kUndecided);
  EXPECT_EQ(outcome(right, right), Outcome::kNotAsked);
  EXPECT_EQ(outcome(dead, right), Outcome::kNotAsked);
  settings_.rules = nullptr;
  EXPECT_EQ(outcome(refused, right), Outcome::kNotAsked);
}

}  // namespace
}  // namespace upcast
