#include "oracle/rule_arbiter.h"

#include <gtest/gtest.h>

#include "cases/notation.h"
#include "oracle/impl_subject.h"

namespace upcast {
namespace {

using Outcome = Ruling::Outcome;

constexpr const char* kLibTorch = "libtorch:cpu";
constexpr const char* kPlugin = "plugin:./libmine.so";

/// Our own implementation's answer, which these tests also use as LibTorch's.
Answer answer_to(const Case& c) {
  ImplSubject impl;
  return answer_of(impl, c);
}

/// The arbiter's ruling on two answers that differ.
Ruling ruling_on(const Case& c, const Answer& subject, const Answer& oracle,
                 const char* subject_name = kPlugin, const char* oracle_name = kLibTorch) {
  const Verdict found = judge(c, subject, oracle);
  EXPECT_TRUE(is_failure(found.code)) << "control: they differ";
  return RuleArbiter(parse_side(subject_name), parse_side(oracle_name))
      .rule(c, found, subject, oracle);
}

struct Wrong {
  const char* name;
  const char* line;
  void (*spoil)(Answer&);
  const char* rules;
};

class RuleArbiterRules : public ::testing::TestWithParam<Wrong> {};

TEST_P(RuleArbiterRules, OnTheSideThatDiffersFromLibTorchAndFromOurRules) {
  const Case c = parse_case(GetParam().line);
  const Answer right = answer_to(c);
  Answer wrong = right;
  GetParam().spoil(wrong);
  const Ruling subject = ruling_on(c, wrong, right);
  EXPECT_EQ(subject.outcome, Outcome::kSubjectIsOff);
  EXPECT_EQ(subject.rules, GetParam().rules);
  EXPECT_EQ(subject.why, "");
  const Ruling turned = ruling_on(c, right, wrong, kLibTorch, kPlugin);
  EXPECT_EQ(turned.outcome, Outcome::kOracleIsOff) << "LibTorch may be the subject";
  EXPECT_EQ(turned.rules, GetParam().rules);

  const Ruling libtorch = ruling_on(c, right, wrong);
  EXPECT_EQ(libtorch.outcome, Outcome::kUndecided) << "our rules are no witness against LibTorch";
  EXPECT_EQ(libtorch.why,
            std::string("our own rules give ") + GetParam().rules + ", as the subject does");
  const Ruling elsewhere = ruling_on(c, wrong, right, kPlugin, "python:numpy");
  EXPECT_EQ(elsewhere.outcome, Outcome::kUndecided) << "numpy does not define PyTorch";
  EXPECT_NE(elsewhere.why.find("is not a side"), std::string::npos);
  const Ruling versions = ruling_on(c, wrong, right, "libtorch@2.11.0:cpu", kLibTorch);
  EXPECT_EQ(versions.outcome, Outcome::kUndecided) << "each defines its own version";
  EXPECT_NE(versions.why.find("both sides are PyTorch"), std::string::npos);
  EXPECT_EQ(ruling_on(c, wrong, right, "python:torch==2.5.1").outcome, Outcome::kUndecided);
  EXPECT_EQ(ruling_on(c, wrong, right, "python:torch?device=mine").outcome, Outcome::kSubjectIsOff)
      << "a device is to be like PyTorch";
  const Ruling ours = ruling_on(c, wrong, right, "impl:cpu");
  EXPECT_EQ(ours.outcome, Outcome::kUndecided);
  EXPECT_NE(ours.why.find("no third source"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(
    Differences, RuleArbiterRules,
    ::testing::Values(Wrong{"DType", "add.Tensor(int32[2], 2.5)",
                            [](Answer& answer) {
                              answer.dtype = DType::kFloat64;
                              answer.bytes.resize(16);
                            },
                            "dtype float32"},
                      Wrong{"DTypeOfAQuestion", "promote_types(int8, uint8)",
                            [](Answer& answer) { answer.dtype = DType::kInt8; }, "dtype int16"},
                      Wrong{"Shape", "add.Tensor(int32[2,1], int32[3])",
                            [](Answer& answer) {
                              answer.sizes = {3, 2};
                              answer.strides = {2, 1};
                            },
                            "shape [2,3]"},
                      Wrong{"Strides", "neg(float32[2,3]:permuted)",
                            [](Answer& answer) {
                              answer.strides = {3, 1};
                            },
                            "strides [1,2]"},
                      Wrong{"ARefusal", "sub.Tensor(bool[2], bool[2])",
                            [](Answer& answer) {
                              answer = {.tag = Answer::Tag::kTensor,
                                        .dtype = DType::kBool,
                                        .sizes = {2},
                                        .strides = {1},
                                        .bytes = std::vector<std::byte>(2)};
                            },
                            "a refusal"},
                      Wrong{"AnAnswer", "add.Tensor(int32[2], int32[2])",
                            [](Answer& answer) { answer = {.tag = Answer::Tag::kRefusal}; },
                            "an answer"},
                      Wrong{"TheSecondResult", "frexp.Tensor(float32[2])",
                            [](Answer& answer) {
                              answer.further[0].dtype = DType::kInt64;
                              answer.further[0].bytes.resize(16);
                            },
                            "dtype int32"},
                      Wrong{"CanCast", "can_cast(float32, int8)",
                            [](Answer& answer) { answer.bytes[0] ^= std::byte{1}; },
                            "bool[]{False}"}),
    [](const auto& wrong) { return std::string(wrong.param.name); });

TEST(RuleArbiter, DecidesNothingWhereThreeAnswersDiffer) {
  const Case c = parse_case("add.Tensor(int32[2], int32[2])");
  Answer subject = answer_to(c);
  Answer oracle = subject;
  subject.dtype = DType::kFloat32;
  oracle.dtype = DType::kUInt32;
  const Ruling ruling = ruling_on(c, subject, oracle);
  EXPECT_EQ(ruling.outcome, Outcome::kUndecided);
  EXPECT_EQ(ruling.why, "our own rules give dtype int32, as neither side does");
}

TEST(RuleArbiter, LooksAtWhatDiffersAlone) {
  const Case c = parse_case("neg(float32[2,3]:permuted)");
  const Answer ours = answer_to(c);
  Answer oracle = ours;
  // The arbiter decides about the dtype, although LibTorch's result has another layout.
  oracle.strides = {3, 1};
  Answer subject = oracle;
  subject.dtype = DType::kInt32;
  EXPECT_EQ(ruling_on(c, subject, oracle).outcome, Outcome::kSubjectIsOff);
}

TEST(RuleArbiter, LooksAtAnswersWhoseValuesTheMachineDecides) {
  const Case c = parse_case("copy(uint64[2], float16[2]{-1,-2})");
  const Answer right = answer_to(c);
  ASSERT_EQ(judge(c, right, right).not_judged, NotJudged::kMachineDecides) << "control";
  EXPECT_EQ(ruling_on(c, {.tag = Answer::Tag::kRefusal}, right).outcome, Outcome::kSubjectIsOff);
}

TEST(RuleArbiter, IsNotAskedAboutValues) {
  const Case c = parse_case("neg(int32[2])");
  const Answer right = answer_to(c);
  Answer wrong = right;
  wrong.bytes[0] ^= std::byte{1};
  EXPECT_EQ(ruling_on(c, wrong, right).outcome, Outcome::kNotAsked);
}

TEST(RuleArbiter, PlansCallsOnAGpuAsThere) {
  const Case c = parse_case("add.Tensor(float32[2], float32[2]) @device=cuda");
  Answer right = answer_to(parse_case("add.Tensor(float32[2], float32[2])"));
  Answer wrong = right;
  wrong.dtype = DType::kInt32;
  EXPECT_EQ(ruling_on(c, wrong, right, kPlugin, "libtorch:cuda").outcome, Outcome::kSubjectIsOff);
}

}  // namespace
}  // namespace upcast
