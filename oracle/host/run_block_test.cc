#include "oracle/host/run_block.h"

#include <gtest/gtest.h>

#include "oracle/plugin/manifest.h"
#include "oracle/testing/fake_sides.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

using testing::FakeSide;
using testing::floats;
using testing::known_entry;
using testing::plan_of_lines;
using testing::refusal;
using testing::seeded_lines;

constexpr int kCases = 10;

Answer right(const Case& c) { return floats({static_cast<float>(c.seed)}); }

/// A side that answers `other` for cases with one of these seeds, and answers right for all others.
FakeSide::Function except(std::vector<std::uint64_t> seeds, Answer other) {
  return [seeds = std::move(seeds), other = std::move(other)](const Case& c) {
    return std::find(seeds.begin(), seeds.end(), c.seed) == seeds.end() ? right(c) : other;
  };
}

struct Ran {
  BlockResult result;
  int subject_asked;
  int oracle_asked;
};

/// How a test's run differs from one of impl:cpu against LibTorch without known differences.
struct Setup {
  std::string known{};
  std::vector<DeadSide> dead{};
  bool record_all = false;
  bool enumerates = true;
  std::string subject = "impl:cpu";
  Arbiter arbiter = nullptr;
  RuleArbiter* rules = nullptr;
};

Ran run(const std::vector<std::string>& lines, FakeSide::Function subject_function,
        FakeSide::Function oracle_function, const Setup& setup = {}) {
  const Plan plan = plan_of_lines(lines);
  FakeSide subject(std::move(subject_function));
  FakeSide oracle(std::move(oracle_function));
  KnownMatcher matcher(
      parse_known_differences(setup.known, "known.toml"),
      {parse_side(setup.subject), parse_side("libtorch:cpu"), "2.15.0", setup.enumerates});
  Journal journal;
  BlockRunner runner(plan, subject, oracle, matcher, journal, {}, setup.arbiter, nullptr, false,
                     setup.rules);
  Ran done{runner.run({0, 0, plan.planned, setup.record_all, setup.dead}), 0, 0};
  EXPECT_EQ(journal.read().side, Actor::kNone) << "a finished block leaves the journal";
  done.subject_asked = subject.asked;
  done.oracle_asked = oracle.asked;
  return done;
}

VerdictCode verdict(const Ran& run, int index) { return run.result.verdict.at(index); }

TEST(RunBlock, AgreementHasNoRecord) {
  const Ran done = run(seeded_lines(kCases), right, right);
  for (int i = 0; i < kCases; ++i) EXPECT_EQ(verdict(done, i), VerdictCode::kAgree) << i;
  EXPECT_EQ(done.result.values_judged, kCases);
  EXPECT_TRUE(done.result.records.empty());
  EXPECT_EQ(done.result.subject, std::vector<std::uint8_t>(kCases, code(DType::kFloat32)));
  EXPECT_TRUE(done.result.matched.empty());
}

TEST(RunBlock, RecordAllRecordsAgreement) {
  const Ran done = run(seeded_lines(3), right, right, {.record_all = true});
  ASSERT_EQ(done.result.records.size(), 3U);
  EXPECT_EQ(done.result.records[2].line, seeded_lines(3)[2]);
  EXPECT_EQ(done.result.records[2].subject, "float32[1]{2}");
}

TEST(RunBlock, DifferenceIsOfItsCaseOnly) {
  const Ran done = run(seeded_lines(kCases), right, except({4}, floats({-1})));
  EXPECT_EQ(verdict(done, 4), VerdictCode::kDifferValue);
  EXPECT_EQ(verdict(done, 5), VerdictCode::kAgree);
  ASSERT_EQ(done.result.records.size(), 1U);
  EXPECT_EQ(done.result.records[0].case_index, 4);
  EXPECT_EQ(done.result.records[0].oracle, "float32[1]{-1}");
  EXPECT_EQ(done.result.records[0].verdict.difference->oracle, "-1");
}

TEST(RunBlock, AnArbiterIsAskedWhereValuesDiffer) {
  const auto oracle = [](const Case& c) {
    return c.seed == 1 ? floats({-1}) : c.seed == 2 ? refusal() : right(c);
  };
  const Arbiter arbiter = [](const Case& c, const Answer&, const Answer& answer, Sides) {
    return Ruling{.outcome = Ruling::Outcome::kUndecided,
                  .why = std::to_string(c.seed) + " " + to_text(answer)};
  };
  const BlockResult result =
      run(seeded_lines(3), right, oracle, {.record_all = true, .arbiter = arbiter}).result;
  ASSERT_EQ(result.records.size(), 3U);
  const auto outcome = [&](int i) { return result.records[i].verdict.ruling.outcome; };
  EXPECT_EQ(sentence(result.records[0].verdict), "");
  EXPECT_EQ(result.records[1].verdict.ruling.why, "1 float32[1]{-1}");
  EXPECT_TRUE(sentence(result.records[1].verdict)
                  .ends_with("; who is right is undecided: 1 float32[1]{-1}"));
  EXPECT_EQ(outcome(0), Ruling::Outcome::kNotAsked);
  EXPECT_EQ(outcome(2), Ruling::Outcome::kNotAsked);
}

TEST(RunBlock, RulesDecideEveryCaseRecordedOrNot) {
  constexpr int kMany = 2 * kMaxRecords;
  const auto refuses = [](const Case& c) { return c.seed == 3 ? right(c) : refusal(); };
  RuleArbiter rules(parse_side("plugin:mine.so"), parse_side("libtorch:cpu"));
  const BlockResult result = run(seeded_lines(kMany), refuses, right, {.rules = &rules}).result;
  ASSERT_EQ(result.ruling.size(), static_cast<std::size_t>(kMany));
  EXPECT_EQ(std::count(result.ruling.begin(), result.ruling.end(), Ruling::Outcome::kSubjectIsOff),
            kMany - 1);
  EXPECT_EQ(result.ruling[3], Ruling::Outcome::kNotAsked);
  EXPECT_EQ(std::ssize(result.records), kMaxRecords) << "control: not all are recorded";
  EXPECT_TRUE(run(seeded_lines(kMany), refuses, right).result.ruling.empty())
      << "control: no rules";
  EXPECT_TRUE(run(seeded_lines(kMany), right, right, {.rules = &rules}).result.ruling.empty());
}

template <Ruling::Outcome kOutcome>
Ruling rules(const Case&, const Answer&, const Answer&, Sides) {
  return {.outcome = kOutcome};
}

Answer minus_one(const Case&) { return floats({-1}); }

TEST(RunBlock, WhatIsWithinBothBoundsAgreesAndSaysSo) {
  const auto ruled = [](Arbiter arbiter) {
    return run(seeded_lines(1), right, minus_one, {.record_all = true, .arbiter = arbiter}).result;
  };
  const BlockResult right_both = ruled(rules<Ruling::Outcome::kBothAreRight>);
  EXPECT_EQ(right_both.verdict.at(0), VerdictCode::kAgree);
  ASSERT_EQ(right_both.records.size(), 1U);
  const Verdict& agrees = right_both.records[0].verdict;
  EXPECT_EQ(agrees.found, VerdictCode::kDifferValue);
  EXPECT_TRUE(sentence(agrees).ends_with("each within its bound")) << sentence(agrees);
  EXPECT_EQ(right_both.records[0].signature, "");
  const BlockResult off = ruled(rules<Ruling::Outcome::kNotAsked>);
  EXPECT_EQ(off.verdict.at(0), VerdictCode::kDifferValue);
}

TEST(RunBlock, WitnessesAreAskedAboutRecordsAndInDoubtAboutAgreement) {
  const auto ran = [](bool doubts, bool has_witnesses) {
    const Plan plan = plan_of_lines(seeded_lines(4));
    FakeSide subject(right);
    FakeSide oracle(except({1}, floats({-1})));
    KnownMatcher matcher({}, {parse_side("impl:cpu"), parse_side("libtorch:cpu"), "2.15.0", true});
    Journal journal;
    std::vector<Witnesses::Named> sides;
    if (has_witnesses)
      sides.push_back({"test:wrong", std::make_unique<FakeSide>(except({2}, floats({-7})))});
    Witnesses witnesses(std::move(sides), nullptr);
    return BlockRunner(plan, subject, oracle, matcher, journal, {}, nullptr, &witnesses, doubts)
        .run({0, 0, plan.planned, false, {}});
  };
  const BlockResult asked = ran(false, true);
  ASSERT_EQ(asked.records.size(), 1U);
  EXPECT_EQ(asked.records[0].verdict.alone, Alone::kOracle);
  EXPECT_EQ(asked.doubted, 0);
  const BlockResult doubted = ran(true, true);
  ASSERT_EQ(doubted.records.size(), 2U) << "what the witness confirms is no record";
  EXPECT_EQ(doubted.records[1].case_index, 2);
  EXPECT_EQ(doubted.records[1].verdict.code, VerdictCode::kAgree);
  EXPECT_EQ(doubted.records[1].verdict.alone, Alone::kBoth);
  EXPECT_EQ(doubted.doubted, 3);
  EXPECT_EQ(doubted.verdict, asked.verdict) << "a witness changes no verdict";
  EXPECT_EQ(ran(false, false).records[0].verdict.witnesses.size(), 0U);
}

TEST(RunBlock, AKnownDifferenceOfTheOracleExplainsNoSubjectThatIsOff) {
  const std::string both_off = "both_off = 'add.Tensor(float32[1], *)'\n";
  const auto verdict_where = [](Arbiter arbiter, const std::string& subject,
                                const std::string& more = "") {
    return verdict(run(seeded_lines(1), right, minus_one,
                       {.known = known_entry("minus-one", "value", "-1") + more,
                        .subject = subject,
                        .arbiter = arbiter}),
                   0);
  };
  const Arbiter against = rules<Ruling::Outcome::kBothAreOff>;
  EXPECT_EQ(verdict_where(rules<Ruling::Outcome::kOracleIsOff>, "impl:cpu"), VerdictCode::kKnown);
  EXPECT_EQ(verdict_where(against, "impl:cpu"), VerdictCode::kDifferValue);
  EXPECT_EQ(verdict_where(against, "plugin:mine.so"), VerdictCode::kDifferValue);
  EXPECT_EQ(verdict_where(against, "impl:cpu", both_off), VerdictCode::kKnown);
  EXPECT_EQ(verdict_where(against, "impl:cpu", "both_off = 'add.Tensor(float64[1], *)'\n"),
            VerdictCode::kDifferValue)
      << "a selector of other cases";
}

TEST(RunBlock, RecordsOfAVerdictAreLimited) {
  const int many = kMaxRecords + 30;
  const Ran done = run(seeded_lines(many), right, [](const Case&) { return refusal(); });
  EXPECT_EQ(done.result.records.size(), static_cast<std::size_t>(kMaxRecords));
  EXPECT_EQ(verdict(done, many - 1), VerdictCode::kDifferAccepts) << "the columns go on";
}

TEST(RunBlock, AKnownDifferenceHasARecordNextToFrequentOnes) {
  const int frequent = kMaxKnownRecords + 3;
  const Ran done =
      run(seeded_lines(frequent + 2), right,
          [](const Case& c) {
            return c.seed < static_cast<std::uint64_t>(frequent) ? refusal() : floats({-1});
          },
          {.known = known_entry("refused", "refusal", "refuses") +
                    known_entry("minus-one", "value", "-1")});
  ASSERT_EQ(done.result.records.size(), static_cast<std::size_t>(kMaxKnownRecords) + 1);
  EXPECT_EQ(done.result.records.back().case_index, frequent) << "the first one only";
  EXPECT_EQ(done.result.records.back().known, 2);
}

TEST(RunBlock, DeadSideIsNotAskedAndTheOtherOneIs) {
  const Ran done = run(seeded_lines(kCases), right, right,
                       {.dead = {{3, Actor::kOracle, false, "crash(SIGFPE)", "said so"}}});
  EXPECT_EQ(verdict(done, 3), VerdictCode::kCrash);
  EXPECT_EQ(done.subject_asked, kCases);
  EXPECT_EQ(done.oracle_asked, kCases - 1);
  EXPECT_EQ(done.result.oracle[3], kCrashByte);
  EXPECT_EQ(done.result.subject[3], code(DType::kFloat32));
  ASSERT_EQ(done.result.records.size(), 1U);
  EXPECT_EQ(done.result.records[0].oracle, "crash(SIGFPE)");
  EXPECT_EQ(sentence(done.result.records[0].verdict), "oracle: crash(SIGFPE), said so");
  EXPECT_NE(done.result.records[0].signature.find(" answer->SIGFPE"), std::string::npos)
      << done.result.records[0].signature;
}

Answer unable(const Case&) { return {.tag = Answer::Tag::kNotJudged, .detail = "no such op"}; }

TEST(RunBlock, TheOracleIsNotAskedWhereTheSubjectDoesNotAnswer) {
  const FakeSide::Function some = [](const Case& c) { return c.seed == 2 ? unable(c) : right(c); };
  const Ran done = run(seeded_lines(kCases), some, right, {.record_all = true});
  EXPECT_EQ(done.subject_asked, kCases);
  EXPECT_EQ(done.oracle_asked, kCases - 1);
  EXPECT_EQ(verdict(done, 2), VerdictCode::kNotJudged);
  EXPECT_EQ(done.result.oracle.at(2), kNotRunByte);
  EXPECT_EQ(done.result.records.at(2).verdict.why, "no such op");
  EXPECT_EQ(done.result.records.at(2).oracle,
            "not_judged(not asked, because the other side does not answer)");
  EXPECT_EQ(verdict(done, 3), VerdictCode::kAgree) << "the next case is asked as ever";
}

TEST(RunBlock, AnExpectationIsTheOraclesEvenWhereTheSubjectDoesNotAnswer) {
  const Ran done = run({"add.Tensor(float32[1], float32[1]) -> refuses"}, unable, right);
  EXPECT_EQ(done.oracle_asked, 1);
  EXPECT_EQ(verdict(done, 0), VerdictCode::kExpectation);
}

/// A side that may answer a block ahead, or may have a manifest.
struct SpecialSide : FakeSide {
  using FakeSide::FakeSide;
  bool answers_ahead() const override { return is_ahead; }
  const Manifest* manifest() const override { return its_manifest ? &*its_manifest : nullptr; }
  bool is_ahead = false;
  std::optional<Manifest> its_manifest;
};

Ran run_special(SpecialSide subject, SpecialSide oracle) {
  const Plan plan = plan_of_lines({"add.Tensor(float32[1], float32[1])"});
  KnownMatcher matcher({}, {});
  Journal journal;
  BlockRunner runner(plan, subject, oracle, matcher, journal);
  Ran done{runner.run({0, 0, plan.planned, true, {}}), 0, 0};
  done.subject_asked = subject.asked;
  done.oracle_asked = oracle.asked;
  return done;
}

TEST(RunBlock, ASideThatAnswersAheadIsAskedForAllThatWasAnnounced) {
  SpecialSide ahead(right);
  ahead.is_ahead = true;
  EXPECT_EQ(run_special(SpecialSide(unable), ahead).oracle_asked, 1);
  EXPECT_EQ(run_special(SpecialSide(unable), SpecialSide(right)).oracle_asked, 0) << "control";
}

TEST(RunBlock, TheSubjectIsNotAskedForWhatTheOraclesManifestLacks) {
  SpecialSide oracle(unable);
  oracle.its_manifest = Manifest::parse(R"({"name": "it", "version": "1", "ops": ["mul"]})");
  const Ran done = run_special(SpecialSide(right), oracle);
  EXPECT_EQ(done.subject_asked, 0);
  EXPECT_EQ(verdict(done, 0), VerdictCode::kNotJudged);
  EXPECT_EQ(done.result.records.at(0).verdict.why, "no such op");
  oracle.its_manifest = Manifest::parse(R"({"name": "it", "version": "1", "ops": ["add"]})");
  EXPECT_EQ(run_special(SpecialSide(right), oracle).subject_asked, 1) << "control";
}

TEST(RunBlock, WhatNothingExplainsHasASignature) {
  const Ran done = run(seeded_lines(kCases), right, except({4, 6}, floats({-1})));
  ASSERT_EQ(done.result.records.size(), 2U);
  EXPECT_TRUE(done.result.records[0].signature.starts_with("FuzzerHash="));
  EXPECT_EQ(done.result.records[0].signature, done.result.records[1].signature);
  const BlockResult agreed = run(seeded_lines(1), right, right, {.record_all = true}).result;
  ASSERT_EQ(agreed.records.size(), 1U);
  EXPECT_EQ(agreed.records[0].signature, "") << "the control";
}

TEST(RunBlock, TimeoutOfASideIsATimeout) {
  const Ran done = run(seeded_lines(kCases), right, right,
                       {.dead = {{9, Actor::kSubject, true, "timeout", ""}}});
  EXPECT_EQ(verdict(done, 9), VerdictCode::kTimeout);
  EXPECT_EQ(done.result.subject[9], kTimeoutByte);
}

TEST(RunBlock, BothSidesMayBeDead) {
  const Ran done = run(seeded_lines(kCases), right, right,
                       {.dead = {{0, Actor::kOracle, false, "crash(SIGFPE)", ""},
                                 {0, Actor::kSubject, true, "timeout", ""}}});
  EXPECT_EQ(verdict(done, 0), VerdictCode::kCrash);
  EXPECT_EQ(sentence(done.result.records.at(0).verdict), "subject: timeout; oracle: crash(SIGFPE)");
  EXPECT_EQ(done.subject_asked, kCases - 1);
}

TEST(RunBlock, AnotherLibTorchMayDieOfWhatTheOracleDies) {
  const std::string known = known_entry("dies", "crash", "crash(SIGFPE)");
  const auto verdict_of = [&](const std::string& subject, const std::string& how) {
    const std::vector<DeadSide> dead{{0, Actor::kOracle, false, "crash(SIGFPE)", ""},
                                     {0, Actor::kSubject, false, how, ""}};
    return verdict(
        run(seeded_lines(1), right, right, {.known = known, .dead = dead, .subject = subject}), 0);
  };
  constexpr const char* kVectors = "libtorch:cpu?capability=native";
  EXPECT_EQ(verdict_of(kVectors, "crash(SIGFPE)"), VerdictCode::kKnown);
  EXPECT_EQ(verdict_of(kVectors, "crash(SIGSEGV)"), VerdictCode::kCrash);
  EXPECT_EQ(verdict_of("impl:cpu", "crash(SIGFPE)"), VerdictCode::kCrash);
}

TEST(RunBlock, AnOraclesFaultExplainsAnotherLibTorchThatIsRight) {
  const auto ones = [](const Case&) { return floats({1, 1, 1}); };
  const std::string known = known_entry("minus-one", "value", "-1");
  const auto verdict_of = [&](const std::string& subject, const FakeSide::Function& answer) {
    const auto oracle = [](const Case&) { return floats({1, -1, -1}); };
    return verdict(run({"add.Tensor(float32[3]{0,0,0}, float32[3]{1,1,1})"}, answer, oracle,
                       {.known = known, .subject = subject}),
                   0);
  };
  constexpr const char* kVectors = "libtorch:cpu?capability=native";
  EXPECT_EQ(verdict_of("impl:cpu", ones), VerdictCode::kKnown);
  EXPECT_EQ(verdict_of(kVectors, ones), VerdictCode::kKnown);
  const auto wrong_tail = [](const Case&) { return floats({1, 1, -1}); };
  EXPECT_EQ(verdict_of(kVectors, wrong_tail), VerdictCode::kKnown)
      << "wrong as the oracle in its tail";
  const auto wrong_itself = [](const Case&) { return floats({1, 2, -1}); };
  EXPECT_EQ(verdict_of(kVectors, wrong_itself), VerdictCode::kDifferValue)
      << "wrong in its own way";
}

TEST(RunBlock, AnEntryOfASubjectIsAboutVectorPathsOnly) {
  const auto ones = [](const Case&) { return floats({1}); };
  const auto twos = [](const Case&) { return floats({2}); };
  std::string known = known_entry("two", "value", "2");
  known.replace(known.find("oracle = "), 9,
                "subject = 'libtorch:cpu?capability=native'\nanswer = ");
  const auto verdict_of = [&](const std::string& subject) {
    return verdict(run({"add.Tensor(float32[1], float32[1])"}, twos, ones,
                       {.known = known, .subject = subject}),
                   0);
  };
  EXPECT_EQ(verdict_of("libtorch:cpu?capability=native"), VerdictCode::kKnown);
  EXPECT_EQ(verdict_of("libtorch:cpu?capability=avx2"), VerdictCode::kKnown);
  EXPECT_EQ(verdict_of("impl:cpu"), VerdictCode::kDifferValue);
  EXPECT_EQ(verdict_of("libtorch:cpu?capability=default"), VerdictCode::kDifferValue);
}

TEST(RunBlock, OurOwnDeathRunsNoSide) {
  const Ran done = run(seeded_lines(kCases), right, right,
                       {.dead = {{2, Actor::kJudge, false, "crash(SIGABRT)", ""}}});
  EXPECT_EQ(verdict(done, 2), VerdictCode::kCrash);
  EXPECT_EQ(done.subject_asked, kCases - 1);
  EXPECT_EQ(done.oracle_asked, kCases - 1);
  EXPECT_EQ(done.result.subject[2], kNotRunByte);
  EXPECT_EQ(done.result.records.at(0).line, "") << "the case may be what cannot be made";
  EXPECT_EQ(sentence(done.result.records.at(0).verdict), "judge (our own code): crash(SIGABRT)");
}

TEST(RunBlock, UnmetExpectationOfAnAgreeingCaseIsUnexpected) {
  const std::string call = "add.Tensor(float32[1], float32[1])";
  EXPECT_EQ(verdict(run({call + " -> float32[1]"}, right, right), 0), VerdictCode::kAgree);
  const Ran unmet = run({call + " -> float64[1]"}, right, right);
  EXPECT_EQ(verdict(unmet, 0), VerdictCode::kExpectation);
  ASSERT_EQ(unmet.result.records.size(), 1U);
  const std::string detail = sentence(unmet.result.records[0].verdict);
  EXPECT_EQ(detail.find("both answer float32[1]{"), 0U) << detail;
  EXPECT_NE(detail.find("}: the line expects float64"), std::string::npos) << detail;
  EXPECT_EQ(verdict(run({call + " -> refuses"}, right, right), 0), VerdictCode::kExpectation);
}

TEST(RunBlock, DifferenceStaysADifferenceNextToAnUnmetExpectation) {
  const Ran done = run({"add.Tensor(float32[1], float32[1]) -> float32[1]{5}"}, right,
                       [](const Case&) { return floats({5}); });
  EXPECT_EQ(verdict(done, 0), VerdictCode::kDifferValue);
  const Verdict& both = done.result.records.at(0).verdict;
  EXPECT_NE(sentence(both).find("; the subject answers "), std::string::npos);
  EXPECT_EQ(both.unmet.at(0).who, Role::kSubject);
}

TEST(RunBlock, ExactDeclaredAnswerIsKnown) {
  const Ran done = run(seeded_lines(kCases), right, except({4}, floats({-1})),
                       {.known = known_entry("minus-one", "value", "-1")});
  EXPECT_EQ(verdict(done, 4), VerdictCode::kKnown);
  EXPECT_EQ(done.result.known[4], 1);
  EXPECT_EQ(done.result.records.at(0).known, 1);
  ASSERT_EQ(done.result.matched.size(), 1U);
  EXPECT_EQ(done.result.matched[0], (std::pair<int, std::int64_t>{1, kCases}));
}

TEST(RunBlock, ListOfCasesCountsAnEntrysOwnCaseOnly) {
  const std::string known = known_entry("minus-one", "value", "-1");
  const auto matched = [&](const std::string& line) {
    return run({line}, right, right, {.known = known, .enumerates = false}).result.matched.size();
  };
  EXPECT_EQ(matched("add.Tensor(float32[1], float32[1]) -> float32[1]"), 1U);
  EXPECT_EQ(matched("add.Tensor(float32[1], float32[1], seed=3)"), 0U);
}

TEST(RunBlock, OtherWrongAnswerStaysADifference) {
  const std::string known = known_entry("minus-one", "value", "-1");
  EXPECT_EQ(verdict(run(seeded_lines(5), right, except({4}, floats({-2})), {.known = known}), 4),
            VerdictCode::kDifferValue);
  EXPECT_EQ(verdict(run(seeded_lines(5), right, except({4}, refusal()), {.known = known}), 4),
            VerdictCode::kDifferAccepts);
}

TEST(RunBlock, KnownDifferenceOfOtherVersionsExplainsNothing) {
  const Ran done = run(seeded_lines(5), right, except({4}, floats({-1})),
                       {.known = known_entry("minus-one", "value", "-1", "<2.15")});
  EXPECT_EQ(verdict(done, 4), VerdictCode::kDifferValue);
  EXPECT_TRUE(done.result.matched.empty());
}

TEST(RunBlock, KnownCrashIsKnown) {
  const std::vector<DeadSide> dead{{3, Actor::kOracle, false, "crash(SIGFPE)", ""}};
  const auto with = [&](const std::string& answer) {
    return run(seeded_lines(5), right, right,
               {.known = known_entry("dies", "crash", answer), .dead = dead});
  };
  EXPECT_EQ(verdict(with("crash(SIGFPE)"), 3), VerdictCode::kKnown);
  EXPECT_EQ(verdict(with("crash"), 3), VerdictCode::kKnown);
  EXPECT_EQ(verdict(with("crash(SIGSEGV)"), 3), VerdictCode::kCrash);
  EXPECT_EQ(with("crash").result.oracle[3], kCrashByte);
}

TEST(RunBlock, SubjectsDeathIsNeverKnown) {
  const Ran done = run(seeded_lines(5), right, right,
                       {.known = known_entry("dies", "crash", "crash"),
                        .dead = {{3, Actor::kSubject, false, "crash(SIGFPE)", ""}}});
  EXPECT_EQ(verdict(done, 3), VerdictCode::kCrash);
}

TEST(RunBlock, TheKindOfAKnownDifferenceIsSaidOfTheWrongSide) {
  const auto refuses = [](const Case&) { return refusal(); };
  const auto found = [&](const std::string& kind, const std::string& answer, bool oracle_refuses) {
    const std::string known = known_entry("wrong", kind, answer);
    return verdict(oracle_refuses ? run(seeded_lines(5), right, refuses, {.known = known})
                                  : run(seeded_lines(5), refuses, right, {.known = known}),
                   4);
  };
  EXPECT_EQ(found("refusal", "refuses", true), VerdictCode::kKnown);
  EXPECT_EQ(found("accepts", "refuses", true), VerdictCode::kDifferAccepts);
  EXPECT_EQ(found("accepts", "float64", false), VerdictCode::kDifferRefusal) << "another answer";
  EXPECT_EQ(found("accepts", "float32", false), VerdictCode::kKnown) << "the oracle answers";
  EXPECT_EQ(found("refusal", "float32", false), VerdictCode::kDifferRefusal);
}

TEST(RunBlock, KnownDifferenceExcusesTheOracleFromTheExpectationOnly) {
  const std::string line = "add.Tensor(float32[1], float32[1], seed=4) -> float32[1]";
  const std::string known = known_entry("no", "refusal", "refuses");
  const auto refuses = [](const Case&) { return refusal(); };
  EXPECT_EQ(verdict(run({line + "{4}"}, right, refuses, {.known = known}), 0), VerdictCode::kKnown);
  const Ran missed = run({line + "{5}"}, right, refuses, {.known = known});
  EXPECT_EQ(verdict(missed, 0), VerdictCode::kExpectation);
  EXPECT_EQ(missed.result.known[0], 0);
}

}  // namespace
}  // namespace upcast
