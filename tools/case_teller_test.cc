#include "tools/case_teller.h"

#include <gtest/gtest.h>

#include "cases/literal.h"
#include "cases/notation.h"
#include "oracle/subject.h"
#include "tools/exact_value.h"
#include "tools/recorded_answer.h"

namespace upcast::tools {
namespace {

using reports::CaseStory;
using reports::Summary;

Summary against_libtorch() {
  Summary summary;
  summary.subject = "impl:cpu";
  summary.oracle = "libtorch:cpu";
  summary.environment["libtorch"] = "2.15.0";
  return summary;
}

CaseRecord record(const std::string& line, VerdictCode found, const std::string& subject,
                  const std::string& oracle) {
  return {.verdict = {.code = found, .found = found},
          .line = line,
          .subject = subject,
          .oracle = oracle};
}

Difference of_element(std::int64_t element, const std::string& subject, const std::string& oracle) {
  return {
      .what = Difference::What::kElement, .element = element, .subject = subject, .oracle = oracle};
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

TEST(RecordedReply, ReadsBackWhatRepliesPrint) {
  for (const char* text :
       {"float32[3]{1,-0,nan}", "int8[]{7}", "bool[2]{True,False}", "float16[0]{}",
        "refuses(unsupported_dtype)", "refuses(result_cast: why)", "dtype bfloat16",
        "crash(SIGFPE)", "timeout"}) {
    const auto reply = recorded_reply(text);
    ASSERT_TRUE(reply) << text;
    EXPECT_EQ(reply->text(), text);
  }
  for (const char* text : {"float32[99]{1,2,...}", "float32[99]{40: 1, ...}", "float32[2]",
                           "refuses(because)", "", "nonsense", "dtype float31", "not_judged(why)"})
    EXPECT_FALSE(recorded_reply(text)) << text;
}

TEST(TellCase, ADifferenceInValueHasElementsAndPrograms) {
  const CaseStory story =
      tell_case(record("add.Tensor(float32[3]{1,2,3}, 2.5)", VerdictCode::kDifferValue,
                       "float32[3]{3.5,4.5,5.5}", "float32[3]{3.5,4.75,5.5}"),
                against_libtorch());
  EXPECT_EQ(story.no_program, "");
  ASSERT_EQ(story.elements.size(), 1u);
  EXPECT_EQ(story.elements[0].index, 1);
  EXPECT_EQ(story.elements[0].operands[0].value, "2");
  EXPECT_EQ(story.elements[0].operands[0].bits, "0x40000000");
  EXPECT_EQ(story.elements[0].oracle.bits, "0x40980000");
  ASSERT_GE(story.operands.size(), 2u);
  EXPECT_EQ(story.operands[0].text, "float32[3]");
  EXPECT_EQ(story.operands[0].values.size(), 3u);
  EXPECT_EQ(story.operands[1].text, "2.5");
  EXPECT_TRUE(has(story.python, "aten.add.Tensor"));
  EXPECT_TRUE(has(story.python, "4.75"));
  EXPECT_TRUE(has(story.cpp, "4.75"));
  EXPECT_TRUE(has(story.explanation, "promotion kind"));
  EXPECT_TRUE(has(story.explanation, "step by step"));
}

TEST(ExactValue, IsToldWhereTheShortestTextIsAnotherNumber) {
  const auto exact = [](const char* text, DType dtype) {
    TextCursor cursor(text);
    std::vector<std::byte> element;
    parse_element(cursor, dtype, element);
    return exact_value(dtype, element.data());
  };
  EXPECT_EQ(exact("0.7", DType::kFloat16), "0.7001953125");
  EXPECT_EQ(exact("-0.7", DType::kFloat16), "-0.7001953125");
  EXPECT_EQ(exact("0.1", DType::kFloat32), "0.100000001490116119384765625");
  EXPECT_EQ(exact("0.1", DType::kFloat64), "0x1.999999999999ap-4") << "55 digits in decimal";
  EXPECT_EQ(exact("0.1+2j", DType::kComplex32), "0.0999755859375+2j");
  for (const char* text : {"0.5", "-0.0", "0", "3", "65504", "nan", "inf"})
    EXPECT_EQ(exact(text, DType::kFloat16), "") << text;
  EXPECT_EQ(exact("1e22", DType::kFloat64), "");
  EXPECT_EQ(exact("123456789", DType::kInt32), "");
  EXPECT_EQ(exact("1+2j", DType::kComplex64), "");
}

TEST(TellCase, OperandsHaveTheirExactValue) {
  const CaseStory story =
      tell_case(record("add.Tensor(float16[1]{0.7}, 0.3)", VerdictCode::kDifferValue,
                       "float16[1]{1}", "float16[1]{2}"),
                against_libtorch());
  ASSERT_GE(story.operands.size(), 2u);
  ASSERT_EQ(story.operands[0].values.size(), 1u);
  EXPECT_EQ(story.operands[0].values[0].value, "0.7");
  EXPECT_EQ(story.operands[0].values[0].exact, "0.7001953125");
  ASSERT_EQ(story.operands[1].values.size(), 1u);
  EXPECT_EQ(story.operands[1].values[0].bits, "0x3fd3333333333333");
  ASSERT_EQ(story.elements.size(), 1u);
  EXPECT_EQ(story.elements[0].operands[0].exact, "0.7001953125");
}

TEST(TellCase, APythonProgramIsThereWherePythonCanMakeTheCallOnly) {
  Summary summary = against_libtorch();
  const CaseStory numbers = tell_case(
      record("rad2deg(2.5)", VerdictCode::kDifferDType, "float32[]{143.23944}", "float64[]{143}"),
      summary);
  EXPECT_EQ(numbers.python, "");
  EXPECT_EQ(numbers.no_python, "a number cannot be passed as a tensor to this op");
  EXPECT_TRUE(has(numbers.cpp, "judge_dtype"));
  // An entry that says why there is no Python program says it of its own cases only.
  summary.known.resize(1);
  summary.known[0].name = "entry";
  summary.known[0].python = "its meta functions are right";
  CaseRecord row =
      record("neg(int32[1]{1})", VerdictCode::kDifferDType, "int32[1]{-1}", "int64[1]{-1}");
  row.verdict.code = VerdictCode::kKnown;
  EXPECT_TRUE(has(tell_case(row, summary).python, "judge_dtype"));
  row.known = 1;
  const CaseStory known = tell_case(row, summary);
  EXPECT_EQ(known.python, "");
  EXPECT_EQ(known.no_python, "its meta functions are right");
}

TEST(TellCase, OfACutAnswerTheVerdictTellsTheElement) {
  // The case adds 1 to 40 ones. The record's texts end after 16 elements, and element 20 differs.
  std::string shown = "float32[40]{";
  for (int i = 0; i < 16; ++i) shown += "2,";
  shown += "...}";
  std::string ones = "add.Tensor(float32[40]{1";
  for (int i = 1; i < 40; ++i) ones += ",1";
  ones += "}, 1.0)";
  CaseRecord row = record(ones, VerdictCode::kDifferValue, shown, shown);
  row.verdict.difference = of_element(20, "2", "3");
  const CaseStory story = tell_case(row, against_libtorch());
  EXPECT_EQ(story.no_program, "");
  ASSERT_EQ(story.elements.size(), 1u);
  EXPECT_EQ(story.elements[0].index, 20);
  EXPECT_EQ(story.elements[0].oracle.value, "3");
  // Negative control: if the verdict does not name the element, there is no program.
  const CaseStory silent =
      tell_case(record(ones, VerdictCode::kDifferValue, shown, shown), against_libtorch());
  EXPECT_EQ(silent.python, "");
  EXPECT_TRUE(has(silent.no_program, "upcast repro")) << silent.no_program;
}

TEST(TellCase, OfOurOwnLongAnswersEveryElementThatDiffersIsTold) {
  CaseRecord row = record("neg(float32[40], values=random)", VerdictCode::kDifferValue, "", "");
  Answer ours;
  make_subject("impl:cpu")->answer(parse_case(row.line), ours);
  row.subject = to_text(ours, {20, 30});
  row.oracle = "float32[40]{20: 7, 30: 8, ...}";
  row.verdict.difference = of_element(20, "2", "7");
  const CaseStory story = tell_case(row, against_libtorch());
  ASSERT_EQ(story.elements.size(), 1u)
      << "ours is told whole, the other one where the verdict tells it";
  EXPECT_EQ(story.elements[0].index, 20);
  row.subject =
      to_text(ours, {20}) + " of another machine";  // a control: impl:cpu gives another answer
  EXPECT_TRUE(tell_case(row, against_libtorch()).elements.empty());
}

TEST(TellCase, AProgramTellsTheExactValueOfTheRuling) {
  CaseRecord row = record("add.Tensor(float32[1]{1}, 1.0)", VerdictCode::kDifferValue,
                          "float32[1]{2}", "float32[1]{3}");
  EXPECT_FALSE(has(tell_case(row, against_libtorch()).cpp, "(correctly rounded)"));
  row.verdict.ruling = {.outcome = Ruling::Outcome::kOracleIsOff, .truth = "0x1p1"};
  EXPECT_TRUE(has(tell_case(row, against_libtorch()).cpp, "0x1p1 (correctly rounded)"));
}

TEST(TellCase, OtherDifferencesHaveProgramsToo) {
  const Summary summary = against_libtorch();
  const CaseStory dtype = tell_case(record("add.Tensor(int32[1]{1}, int8[1]{1})",
                                           VerdictCode::kDifferDType, "int32[1]{2}", "int64[1]{2}"),
                                    summary);
  EXPECT_TRUE(has(dtype.python, "judge_dtype")) << dtype.no_program;
  const CaseStory refusal =
      tell_case(record("add.Tensor(int32[1]{1}, int8[1]{1})", VerdictCode::kDifferAccepts,
                       "int32[1]{2}", "refuses(other)"),
                summary);
  EXPECT_TRUE(has(refusal.cpp, "refus")) << refusal.no_program;
  const CaseStory crash = tell_case(record("add.Tensor(int32[1]{1}, int8[1]{1})",
                                           VerdictCode::kCrash, "int32[1]{2}", "crash(SIGFPE)"),
                                    summary);
  EXPECT_TRUE(has(crash.python, "judge_survival")) << crash.no_program;
  CaseRecord row = record("add.Tensor(int32[1]{1}, int8[1]{1})", VerdictCode::kDifferDType,
                          "int32[1]{2}", "int64[1]{2}");
  row.verdict.code = VerdictCode::kKnown;
  const CaseStory known = tell_case(row, summary);
  EXPECT_TRUE(has(known.python, "judge_dtype")) << known.no_program;
}

TEST(TellCase, AProgramCallsTheSideThatIsWrong) {
  Summary summary = against_libtorch();
  summary.subject = "plugin:/libmine.so";
  CaseRecord row = record("add.Tensor(int32[1]{1}, int32[1]{1})", VerdictCode::kDifferDType,
                          "float32[1]{2}", "int32[1]{2}");
  row.verdict.ruling = {.outcome = Ruling::Outcome::kSubjectIsOff, .rules = "dtype int32"};
  const CaseStory subject = tell_case(row, summary);
  EXPECT_TRUE(has(subject.cpp, "load(\"/libmine.so\"")) << subject.no_program;
  EXPECT_TRUE(has(subject.cpp, "PyTorch 2.15.0 gives int32[1]{2}"));
  EXPECT_TRUE(has(subject.cpp, "LibTorch, the oracle, and our own rules give dtype int32."));
  EXPECT_EQ(subject.python, "");
  EXPECT_TRUE(has(subject.needs, "plug-in"));
  row.verdict.ruling = {.outcome = Ruling::Outcome::kOracleIsOff, .truth = "2"};
  row.verdict.code = row.verdict.found = VerdictCode::kDifferValue;
  row.subject = "int32[1]{2}", row.oracle = "int32[1]{3}";
  const CaseStory oracle = tell_case(row, summary);
  EXPECT_TRUE(has(oracle.cpp, "#include <ATen/")) << "control: " << oracle.no_program;
  EXPECT_TRUE(has(oracle.python, "import torch"));
  EXPECT_EQ(oracle.needs, "");
  summary.subject = "process:./mine";
  row.verdict.ruling.outcome = Ruling::Outcome::kSubjectIsOff;
  row.subject = "int32[1]{3}", row.oracle = "int32[1]{2}";
  const CaseStory process = tell_case(row, summary);
  EXPECT_TRUE(has(process.python, "COMMAND = './mine'")) << process.no_program;
  EXPECT_TRUE(has(process.python, "\"elements\": [(0, \"02000000\", 0")) << process.python;
  EXPECT_EQ(process.cpp, "");
}

TEST(TellCase, SaysWhyThereIsNoProgram) {
  Summary others;
  others.subject = "impl:cpu";
  others.oracle = "impl:emulated";
  const CaseRecord row =
      record("add.Tensor(int32[1]{1}, 1)", VerdictCode::kDifferDType, "int32[1]{2}", "int64[1]{2}");
  EXPECT_EQ(tell_case(row, others).no_program,
            "only upcast itself can call impl:cpu; programs can call LibTorch, torch, plug-ins and "
            "processes");
  const CaseStory unread = tell_case(
      record("no_such_op(int32[1])", VerdictCode::kDifferDType, "a", "b"), against_libtorch());
  EXPECT_TRUE(has(unread.no_program, "this upcast cannot read the case")) << unread.no_program;
  EXPECT_EQ(unread.explanation, "");
}

}  // namespace
}  // namespace upcast::tools
