// Tests of which elements the machine decides. Each test has a control: the same difference, where
// the machine decides nothing.
#include "oracle/host_defined.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "cases/notation.h"
#include "oracle/judge.h"
#include "oracle/testing/fake_sides.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

const Sides kCpus = sides_of("impl:cpu", "libtorch:cpu");
const Sides kGpuAgainstCpu = sides_of("libtorch:cuda", "libtorch:cpu");

Answer answered(const std::vector<std::int32_t>& values) {
  return testing::tensor_of(DType::kInt32, values);
}

Answer refusal(RejectionCode code) { return {.tag = Answer::Tag::kRefusal, .rejection = code}; }

TEST(HostDefined, RulesSayWhy) {
  std::set<std::string_view> ids;
  for (const HostDefined& rule : host_defined_rules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_GT(rule.reason.size(), 20U) << rule.id;
  }
  EXPECT_EQ(ids.size(), 7U);
}

const char* const kDivisions[]{
    "div.Tensor_mode(int32[2]{7,8}, int32[2]{0,2}, rounding_mode=\"trunc\")",
    "div.Tensor_mode(int32[2]{7,8}, int32[2]{0,2}, rounding_mode=\"floor\")",
    "floor_divide(int32[2]{7,8}, int32[2]{0,2})",
    "remainder.Tensor(int32[2]{7,8}, int32[2]{0,2})",
    "fmod.Tensor(int32[2]{7,8}, int32[2]{0,2})",
    "fmod_.Tensor(int32[2]{7,8}, int32[2]{0,2})",
    "remainder.Scalar_Tensor(7, int32[2]{0,2})",
    "fmod.Tensor(int32[2]{7,8}, int64[2]{0,2})",
};

TEST(HostDefined, ElementsDividedByZeroAreLeftOutOnAGpu) {
  for (const char* line : kDivisions) {
    const Case c = parse_case(line);
    const Verdict apart = judge(c, answered({5, 4}), answered({-1, 4}), kGpuAgainstCpu);
    EXPECT_EQ(apart.code, VerdictCode::kAgree) << line << ": " << sentence(apart);
    EXPECT_EQ(apart.values_judged, 1) << line;
    // a difference in an element that is divided by two is judged
    EXPECT_EQ(judge(c, answered({5, 4}), answered({-1, 3}), kGpuAgainstCpu).code,
              VerdictCode::kDifferValue)
        << line;
    // between two CPUs, a division by zero is judged
    EXPECT_EQ(judge(c, answered({5, 4}), answered({-1, 4}), kCpus).code, VerdictCode::kDifferValue)
        << line;
  }
}

TEST(HostDefined, OtherDivisionsAreJudged) {
  for (const char* line : {"div.Tensor_mode(int32[2]{7,8}, int32[2]{1,2}, rounding_mode=\"trunc\")",
                           "fmod.Tensor(int32[2]{0,8}, int32[2]{1,2})",
                           "bitwise_and.Tensor(int32[2]{7,8}, int32[2]{0,2})",
                           "bitwise_left_shift.Tensor(int32[2]{7,8}, int32[2]{32,-1})"})
    EXPECT_EQ(judge(parse_case(line), answered({5, 4}), answered({-1, 4}), kGpuAgainstCpu).code,
              VerdictCode::kDifferValue)
        << line;
}

TEST(HostDefined, ARefusedDivisionByZeroIsNotJudgedAgainstAGpu) {
  const Answer refused = refusal(RejectionCode::kZeroDivision);
  for (const char* line : kDivisions) {
    const Case c = parse_case(line);
    EXPECT_EQ(judge(c, answered({5, 4}), refused, kGpuAgainstCpu).code, VerdictCode::kNotJudged);
    EXPECT_EQ(judge(c, refused, answered({5, 4}), kGpuAgainstCpu).code, VerdictCode::kNotJudged);
    EXPECT_EQ(judge(c, answered({5, 4}), refused, kCpus).code, VerdictCode::kDifferAccepts);
    EXPECT_EQ(judge(c, refused, answered({5, 4}), kCpus).code, VerdictCode::kDifferRefusal);
    EXPECT_EQ(judge(c, answered({5, 4}), refusal(RejectionCode::kPromotion), kGpuAgainstCpu).code,
              VerdictCode::kDifferAccepts)
        << line;
  }
  const Case sound = parse_case("fmod.Tensor(int32[2]{7,8}, int32[2]{1,2})");
  EXPECT_EQ(judge(sound, answered({5, 4}), refused, kGpuAgainstCpu).code,
            VerdictCode::kDifferAccepts);
}

TEST(HostDefined, ADivisorIsZeroInTheCommonDType) {
  // The divisor 256 is 0 in the common dtype, uint8.
  const Answer one = testing::tensor_of<std::uint8_t>(DType::kUInt8, {1});
  const Case c = parse_case("floor_divide(uint8[1]{7}, int64[]{256})");
  EXPECT_EQ(judge(c, one, refusal(RejectionCode::kZeroDivision), kGpuAgainstCpu).code,
            VerdictCode::kNotJudged);
}

TEST(HostDefined, ConversionsBeyondTheRangeAreLeftOutOnEveryMachine) {
  const Case c = parse_case("copy_(int32[3]{0,0,0}, float32[3]{nan,3e9,2.5})");
  for (const Sides& sides : {kCpus, kGpuAgainstCpu}) {
    const Verdict verdict = judge(c, answered({0, 2147483647, 2}), answered({-1, -1, 2}), sides);
    EXPECT_EQ(verdict.code, VerdictCode::kAgree) << sentence(verdict);
    EXPECT_EQ(verdict.values_judged, 1);
    EXPECT_EQ(judge(c, answered({0, 0, 2}), answered({0, 0, 3}), sides).code,
              VerdictCode::kDifferValue);
  }
  const Case all = parse_case("copy_(int32[1]{0}, float32[1]{nan})");
  const Verdict none = judge(all, answered({0}), answered({1}), kCpus);
  EXPECT_EQ(none.code, VerdictCode::kNotJudged);
  EXPECT_EQ(none.not_judged, NotJudged::kMachineDecides);
  EXPECT_NE(sentence(none).find("beyond the integer's range"), std::string::npos);
}

TEST(HostDefined, ValuesOfOperandsElsewhereAreSeen) {
  const Case c = parse_case("copy_(int32[1]:device(cuda){0}, float32[1]:device(cpu){3e9})");
  EXPECT_EQ(judge(c, answered({0}), answered({1}), kGpuAgainstCpu).code, VerdictCode::kNotJudged);
  const Case divided = parse_case("fmod.Tensor(int32[2]{7,8}, int32[2]{0,2}) @device=cuda");
  EXPECT_EQ(judge(divided, answered({5, 4}), answered({-1, 4}), kGpuAgainstCpu).code,
            VerdictCode::kAgree);
}

/// Asks the rules about an answer of this shape. Returns for each element whether it is left out of
/// the verdict.
std::vector<bool> left_out(const char* line, const Dims& sizes, bool on_gpu = false) {
  Answer answer{.tag = Answer::Tag::kTensor, .dtype = DType::kFloat32, .sizes = sizes};
  answer.strides = contiguous_strides(sizes);
  using Where = HostDefined::Where;
  return host_defined_elements(parse_case(line), answer,
                               on_gpu ? Where::kInParallel : Where::kEverywhere)
      .elements;
}

TEST(HostDefined, OverlappingResultsAreJudgedWhereOneLoopWritesThem) {
  for (const char* line :
       {"add_.Tensor(float32[2,2]:strides(1,1), float32[2,2])", "neg_(float32[2,2]:strides(1,1))",
        "exp.out(float32[2,2], out=float32[2,2]:strides(1,1))",
        "copy_(float32[2,2]:strides(1,1), float64[2,2])",
        "add_.Tensor(float32[2,2], float32[2,2]:shares(0))",
        "add_.Tensor(float32[2,2]:strides(4,2), float32[2,2]:strides(4,2)+offset(1)+shares(0))"})
    EXPECT_TRUE(left_out(line, {2, 2}).empty()) << line;
}

TEST(HostDefined, ThreadsWriteOverlappingResultsInAnyOrder) {
  const std::vector<bool> shared{false, true, true, false};
  EXPECT_EQ(left_out("neg_(float32[2,2]:strides(1,1))", {2, 2}, /*on_gpu=*/true), shared);
  EXPECT_EQ(left_out("copy(float32[2,2]:strides(1,1), float32[2,2])", {2, 2}, true), shared)
      << "it lies as its operand does";
  EXPECT_TRUE(left_out("copy(float32[2,2]:strides(1,1), float32[2,2])", {2, 2}).empty());
  EXPECT_FALSE(left_out("neg_(float32[2,16384]:strides(1,1))", {2, 16384}).empty());
  EXPECT_TRUE(left_out("neg_(float32[2,16383]:strides(1,1))", {2, 16383}).empty());
}

TEST(HostDefined, AVectorReadsWhereItWillWrite) {
  // Element i of other lies in the same place as element i - 1 of self, which the call has written
  // before.
  EXPECT_EQ(
      left_out("add_.Tensor(float32[4]:strides(2)+offset(2), float32[4]:strides(2)+shares(0))",
               {4}),
      (std::vector<bool>{false, true, true, true}));
  EXPECT_EQ(left_out("neg.out(float32[2], out=float32[3]:offset(1)+shares(0))", {2}),
            (std::vector<bool>{false, true}))
      << "it is resized in the storage of self";
  EXPECT_TRUE(
      left_out("mvlgamma.out(float32[4], 2, out=float32[4]:offset(1)+shares(0))", {4}).empty())
      << "the result is made apart";
}

TEST(HostDefined, ThreadsReadWhereOthersWrite) {
  EXPECT_EQ(left_out("add_.Tensor(float32[2,2]:strides(1,1), float32[2,2]:offset(3)+shares(0))",
                     {2, 2}, /*on_gpu=*/true),
            (std::vector<bool>{false, true, true, false}))
      << "nothing is read where it is written";
  EXPECT_EQ(left_out("add_.Tensor(float32[2,2]:strides(1,1), float32[2,2]:offset(2)+shares(0))",
                     {2, 2}, /*on_gpu=*/true),
            (std::vector<bool>{true, true, true, false}))
      << "what two rules say holds together";
  const char* const copied = "nan_to_num.out(bool[4], out=bool[4]:strides(2)+shares(0))";
  EXPECT_EQ(left_out(copied, {4}, /*on_gpu=*/true), (std::vector<bool>{false, false, true, false}));
}

TEST(HostDefined, ASecondResultIsWrittenElsewhere) {
  const auto frexp = [](const char* outs) {
    return parse_case("frexp.Tensor_out(float32[2,2], " + std::string(outs) + ")");
  };
  const auto answer = [](const std::vector<std::int32_t>& exponents) {
    Answer both = testing::tensor_of(DType::kFloat32, std::vector<float>{1, 2, 3, 4});
    both.further = {answered(exponents)};
    both.sizes = both.further[0].sizes = {2, 2};
    both.strides = both.further[0].strides = {2, 1};
    return both;
  };
  const Answer one = answer({1, 2, 3, 4}), other = answer({1, 3, 2, 4});
  const Sides threads = sides_of("impl:emulated", "impl:cpu");
  const Case in_one_place = frexp("out=float32[2,2], second_out=int32[2,2]:strides(1,1)");
  EXPECT_EQ(judge(in_one_place, one, other, threads).code, VerdictCode::kAgree);
  EXPECT_EQ(judge(in_one_place, one, other, kCpus).code, VerdictCode::kDifferValue);
  const Case apart = frexp("out=float32[2,2]:strides(1,1), second_out=int32[2,2]");
  EXPECT_EQ(judge(apart, one, other, threads).code, VerdictCode::kDifferValue);
}

TEST(HostDefined, ErrorsOfRepeatedComputationsHaveNoBound) {
  EXPECT_EQ(left_out("exp_(float32[2,2]:strides(1,1))", {2, 2}),
            (std::vector<bool>{false, true, true, false}));
  EXPECT_TRUE(left_out("exp_(float32[2,2]:strides(2,1))", {2, 2}).empty());
  const char* const into_itself =
      "exp.out(float32[2,2]:strides(1,1), out=float32[2,2]:strides(1,1)+shares(0))";
  EXPECT_EQ(left_out(into_itself, {2, 2}), (std::vector<bool>{false, true, true, false}));
  EXPECT_FALSE(left_out("add_.Tensor(float32[2,2]:strides(1,1), float64[2,2])", {2, 2}).empty())
      << "the step may round float64 once or twice";
}

TEST(HostDefined, WhatOverwritesAnElementOfTheMachineIsOneToo) {
  Answer answer{.tag = Answer::Tag::kTensor, .dtype = DType::kInt32, .sizes = {2, 2}};
  answer.strides = {2, 1};
  const auto left_out_of = [&](const char* line) {
    return host_defined_elements(parse_case(line), answer, HostDefined::Where::kEverywhere)
        .elements;
  };
  EXPECT_EQ(left_out_of("copy_(int32[2,2]:strides(1,1), float64[2,2]{1,1e30,2,3})"),
            (std::vector<bool>{false, true, true, false}));
  EXPECT_EQ(left_out_of("copy_(int32[2,2], float64[2,2]{1,1e30,2,3})"),
            (std::vector<bool>{false, true, false, false}));
}

}  // namespace
}  // namespace upcast
