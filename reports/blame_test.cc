#include "reports/blame.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "impl/core/temporary_folder.h"
#include "reports/summary.h"
#include "reports/testing/synthetic_store.h"

namespace upcast::reports {
namespace {

constexpr AnswerByte kFloat32Byte = answer_byte(DType::kFloat32);

KnownEntry entry(const std::string& difference_class, const std::string& wrong) {
  KnownEntry made;
  made.difference_class = difference_class;
  made.wrong = wrong;
  return made;
}

using Outcome = Ruling::Outcome;

Blame of_failure(VerdictCode verdict, AnswerByte subject, AnswerByte oracle,
                 Outcome outcome = Outcome::kNotAsked) {
  return blame_of(verdict, nullptr, subject, oracle, outcome);
}

TEST(Blame, OfAKnownDifferenceIsWhatItsEntryDeclares) {
  EXPECT_EQ(blame_of(entry("bug", "oracle")), Blame::kOracle);
  EXPECT_EQ(blame_of(entry("bug", "subject")), Blame::kSubject);
  EXPECT_EQ(blame_of(entry("bug", "")), Blame::kUndecided) << "a store of an earlier upcast";
  EXPECT_EQ(blame_of(entry("by_design", "oracle")), Blame::kByDesign);
  EXPECT_EQ(blame_of(entry("host_defined", "oracle")), Blame::kHostDefined);
  EXPECT_EQ(blame_of(entry("ambiguous", "oracle")), Blame::kAmbiguous);
}

TEST(Blame, OfAKnownBugIsOfBothWhereTheCaseTellsIt) {
  const KnownEntry bug = entry("bug", "oracle");
  const KnownEntry design = entry("by_design", "oracle");
  const auto of = [](const KnownEntry& known, AnswerByte subject, AnswerByte oracle,
                     Outcome outcome) {
    return blame_of(VerdictCode::kKnown, &known, subject, oracle, outcome);
  };
  EXPECT_EQ(of(bug, kFloat32Byte, kFloat32Byte, Outcome::kBothAreOff), Blame::kBoth);
  EXPECT_EQ(of(bug, kFloat32Byte, kFloat32Byte, Outcome::kBothAreRight), Blame::kOracle);
  EXPECT_EQ(of(bug, kCrashByte, kCrashByte, Outcome::kNotAsked), Blame::kBoth);
  EXPECT_EQ(of(bug, kFloat32Byte, kCrashByte, Outcome::kNotAsked), Blame::kOracle);
  EXPECT_EQ(of(design, kFloat32Byte, kFloat32Byte, Outcome::kBothAreOff), Blame::kByDesign);
}

TEST(Blame, TheTruthAccusesNoSideOfWhatItDoesNotDecide) {
  KnownEntry bug = entry("bug", "oracle");
  const auto of = [&bug](Outcome outcome) {
    return blame_of(VerdictCode::kKnown, &bug, kFloat32Byte, kFloat32Byte, outcome);
  };
  bug.witness = "truth";
  EXPECT_EQ(of(Outcome::kUndecided), Blame::kUndecided);
  EXPECT_EQ(of(Outcome::kOracleIsOff), Blame::kOracle);
  EXPECT_EQ(of(Outcome::kNotAsked), Blame::kOracle) << "the entry's own case is decided";
  bug.witness = "truth; path: exp(float32[1])";
  EXPECT_EQ(of(Outcome::kUndecided), Blame::kOracle);
}

TEST(Blame, OfAnUnexplainedDifferenceIsWhatTheTruthTells) {
  const auto value = [](Outcome outcome) {
    return of_failure(VerdictCode::kDifferValue, kFloat32Byte, kFloat32Byte, outcome);
  };
  EXPECT_EQ(value(Outcome::kSubjectIsOff), Blame::kSubject);
  EXPECT_EQ(value(Outcome::kOracleIsOff), Blame::kOracle);
  EXPECT_EQ(value(Outcome::kBothAreOff), Blame::kBoth);
  EXPECT_EQ(value(Outcome::kUndecided), Blame::kUndecided);
  EXPECT_EQ(value(Outcome::kNotAsked), Blame::kUndecided);
  EXPECT_EQ(of_failure(VerdictCode::kDifferDType, kFloat32Byte, kFloat32Byte), Blame::kUndecided);
  EXPECT_EQ(
      of_failure(VerdictCode::kDifferDType, kFloat32Byte, kFloat32Byte, Outcome::kSubjectIsOff),
      Blame::kSubject)
      << "by PyTorch's rules";
}

TEST(Blame, IsOfTheSideThatDies) {
  EXPECT_EQ(of_failure(VerdictCode::kCrash, kFloat32Byte, kCrashByte), Blame::kOracle);
  EXPECT_EQ(of_failure(VerdictCode::kCrash, kCrashByte, kCrashByte), Blame::kBoth);
  EXPECT_EQ(of_failure(VerdictCode::kCrash, kCrashByte, kTimeoutByte), Blame::kSubject);
  EXPECT_EQ(of_failure(VerdictCode::kCrash, kNotRunByte, kNotRunByte), Blame::kUndecided)
      << "our own code died";
}

TEST(Blame, OfATimeoutIsNoSides) {
  EXPECT_EQ(of_failure(VerdictCode::kTimeout, kTimeoutByte, kFloat32Byte), Blame::kTimeout);
  EXPECT_EQ(of_failure(VerdictCode::kTimeout, kTimeoutByte, kTimeoutByte), Blame::kTimeout);
  BlameCounts counts;
  counts.add(Blame::kTimeout);
  EXPECT_EQ(blame_sentence(counts, "impl:cpu", "libtorch:cpu"), "");
}

TEST(Blame, IsNoneWhereNothingDiffers) {
  EXPECT_EQ(of_failure(VerdictCode::kAgree, kFloat32Byte, kFloat32Byte), Blame::kNone);
  EXPECT_EQ(of_failure(VerdictCode::kNotJudged, kFloat32Byte, kFloat32Byte), Blame::kNone);
  EXPECT_EQ(of_failure(VerdictCode::kExpectation, kFloat32Byte, kFloat32Byte), Blame::kExpectation);
}

std::string told(const Verdict& verdict, const KnownEntry* known = nullptr,
                 const std::string& subject = "plugin:./libmine.so") {
  return wrong_sentence(verdict, known, {subject, "libtorch:cpu"});
}

TEST(WrongSentence, SaysWhoIsWrongAndWhatTellsIt) {
  Verdict verdict{.code = VerdictCode::kDifferDType, .found = VerdictCode::kDifferDType};
  verdict.ruling = {.outcome = Outcome::kSubjectIsOff, .rules = "dtype float64"};
  EXPECT_EQ(told(verdict),
            "plugin:./libmine.so, the subject, is wrong here: LibTorch, the oracle, and our own "
            "rules give dtype float64");
  verdict.ruling = {.outcome = Outcome::kUndecided,
                    .why = "our own rules give dtype int8, as the subject does",
                    .rules = "dtype int8"};
  EXPECT_EQ(told(verdict),
            "It is undecided who is wrong: our own rules give dtype int8, as the subject does");
  verdict.ruling = {.outcome = Outcome::kUndecided, .subject_ulp = 2, .oracle_ulp = 1};
  EXPECT_EQ(told(verdict),
            "It is undecided who is wrong: subject 2 ulp, oracle 1 ulp, each within its bound");
  verdict = {.code = VerdictCode::kDifferValue, .found = VerdictCode::kDifferValue};
  verdict.ruling = {.outcome = Outcome::kOracleIsOff, .result = 1, .element = 3, .truth = "0x1p1"};
  EXPECT_EQ(
      told(verdict),
      "LibTorch, the oracle, is wrong here: the exact value of element 3 of result 2, rounded "
      "once, is 0x1p1");
  EXPECT_EQ(told(verdict, nullptr, "libtorch:cpu?capability=native").substr(0, 27),
            "libtorch:cpu, the oracle, i")
      << "two of LibTorch's have names of their own";
  verdict = {.code = VerdictCode::kCrash, .deaths = {{Role::kOracle, "crash(SIGFPE)", ""}}};
  EXPECT_EQ(told(verdict), "LibTorch, the oracle, is wrong here");
  verdict.deaths = {{Role::kSubject, kBrokenAnswer, "no dtype"}};
  EXPECT_EQ(told(verdict), "plugin:./libmine.so, the subject, is wrong here");
}

TEST(WrongSentence, NamesTheKnownDifference) {
  KnownEntry bug = entry("bug", "oracle");
  bug.name = "abs-of-something";
  bug.witness = "truth";
  const Verdict verdict{.code = VerdictCode::kKnown, .found = VerdictCode::kDifferValue};
  EXPECT_EQ(told(verdict, &bug),
            "LibTorch, the oracle, is wrong here (known difference abs-of-something, class bug; "
            "witness: truth)");
  EXPECT_EQ(told(verdict, &bug, "rulebook:paddle"), "") << "no cell has a right side";
}

TEST(WrongSentence, IsEmptyWhereNothingDiffers) {
  EXPECT_EQ(told({}), "");
  EXPECT_EQ(told({.code = VerdictCode::kNotJudged}), "");
  EXPECT_EQ(told({.code = VerdictCode::kExpectation}), "") << "no side is wrong";
  for (size_t i = 0; i < kBlameNames.size(); ++i) {
    const auto blame = static_cast<Blame>(i);
    const bool is_said = blame != Blame::kNone && blame != Blame::kExpectation;
    EXPECT_EQ(wrong_sentence(blame, nullptr, nullptr, {"impl:cpu", "libtorch:cpu"}).empty(),
              !is_said)
        << name(blame);
  }
}

TEST(BlameSentence, NamesBothSidesAndWhatElseThereIs) {
  BlameCounts counts;
  EXPECT_EQ(blame_sentence(counts, "impl:cpu", "libtorch:cpu"), "");
  counts.add(Blame::kNone);
  counts.add(Blame::kExpectation);
  EXPECT_EQ(blame_sentence(counts, "impl:cpu", "libtorch:cpu"), "");
  counts.add(Blame::kOracle);
  EXPECT_EQ(
      blame_sentence(counts, "impl:cpu", "libtorch:cpu"),
      "Who is wrong in 1 difference: the oracle (libtorch:cpu) in 1, the subject (impl:cpu) in "
      "0.");
  counts.cases[static_cast<size_t>(Blame::kByDesign)] = 1200;
  counts.add(Blame::kBoth);
  counts.add(Blame::kUndecided);
  EXPECT_EQ(blame_sentence(counts, "impl:cpu", "libtorch:cpu"),
            "Who is wrong in 1,203 differences: the oracle (libtorch:cpu) in 1, the subject "
            "(impl:cpu) in 0, both in 1; by design 1,200, undecided 1.");
}

TEST(Summary, CountsEachDifferenceOnceByWhoIsWrong) {
  const TemporaryFolder folder;
  const testing::SyntheticOptions options{.binary_ops = 9, .dtypes = 8};
  testing::write_synthetic_store(folder / "run.db", testing::synthetic_plan(options), options);
  const Summary summary = summarize(RunStore::open(folder / "run.db"));
  const BlameCounts& blame = summary.blame;
  EXPECT_EQ(blame.differences(), summary.counts.known + summary.counts.unexplained -
                                     summary.counts.expectation - summary.counts.timeout);
  // The classes and verdicts in the synthetic store: differences by design, crashes of the oracle,
  // timeouts of the subject, values for which the ruling finds the subject wrong, and dtypes
  // without a ruling.
  for (const Blame some : {Blame::kByDesign, Blame::kOracle, Blame::kSubject, Blame::kUndecided})
    EXPECT_GT(blame.of(some), 0) << name(some);
  EXPECT_NE(summary_text(summary).find("Who is wrong in"), std::string::npos);
  const auto wrong = nlohmann::json::parse(summary_json(summary)).at("wrong");
  EXPECT_EQ(wrong.at("by_design"), blame.of(Blame::kByDesign));
  EXPECT_EQ(wrong.at("oracle"), blame.of(Blame::kOracle));
  EXPECT_FALSE(wrong.contains("nobody"));
}

TEST(Summary, CountsWhoIsWrongInCasesWithoutARecord) {
  const TemporaryFolder folder;
  const testing::SyntheticOptions options{.binary_ops = 9, .dtypes = 8};
  const RunPlan plan = testing::synthetic_plan(options);
  testing::write_synthetic_store(folder / "whole.db", plan, options);
  RunStore store = RunStore::create_or_resume(folder / "without.db", plan);
  for (int64_t id = 0; id < plan.blocks(); ++id) {
    BlockResult block = testing::synthetic_block(plan, options, id);
    block.records.clear();
    store.add_block(block);
  }
  store.finish(1);
  const Summary whole = summarize(RunStore::open(folder / "whole.db"));
  const Summary without = summarize(store);
  EXPECT_EQ(without.blame.cases, whole.blame.cases);
  const auto cases = [&](VerdictCode code) {
    return without.counts.by_verdict[static_cast<size_t>(code)];
  };
  EXPECT_EQ(without.blame.of(Blame::kSubject),
            cases(VerdictCode::kDifferValue) + cases(VerdictCode::kDifferAccepts));
}

}  // namespace
}  // namespace upcast::reports
