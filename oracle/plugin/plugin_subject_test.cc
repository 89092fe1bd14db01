// Tests of which replies of a plug-in are believed, and which are not.
#include "oracle/plugin/plugin_subject.h"

#include <gtest/gtest.h>

#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/judge.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

constexpr auto kBadCase = "add.Tensor(float32[4], float32[4])";
constexpr auto kBadOut = "add.out(float32[4], float32[4], out=float32[4])";

std::string plugin(const std::string& library) {
  return "plugin:" UPCAST_BINARY_DIR "/plugins/lib" + library + ".so";
}

std::string answer_of(const std::string& library, const std::string& line) {
  PluginSubject subject(parse_side(plugin(library)));
  return to_text(answer_of(subject, parse_case(line)));
}

struct Wrong {
  const char* deed;
  const char* line;
  const char* says;
};
class BrokenReply : public testing::TestWithParam<Wrong> {};

TEST_P(BrokenReply, IsToldApart) {
  const std::string library = std::string("broken_") + GetParam().deed;
  const std::string text = answer_of(library, GetParam().line);
  EXPECT_TRUE(text.starts_with("broken(")) << text;
  EXPECT_NE(text.find(GetParam().says), std::string::npos) << text;
  EXPECT_TRUE(answer_of(library, "add.Tensor(float32[3], float32[3])").starts_with("float32[3]"))
      << "and the same plug-in is believed where it is right";
}

INSTANTIATE_TEST_SUITE_P(
    Controls, BrokenReply,
    testing::Values(
        Wrong{"wrong_dtype", kBadCase, "dtype {code 99, bits 32, lanes 1}"},
        Wrong{"negative_shape", kBadCase, "a size of -3"},
        Wrong{"many_dimensions", kBadCase, "2000 dimensions"},
        Wrong{"null_shape", kBadCase, "its shape is null"},
        Wrong{"huge_shape", kBadCase, "more elements than memory can hold"},
        Wrong{"gigabyte", kBadCase, "268,435,456 elements, its operands broadcast to 4"},
        Wrong{"writes_after_out", kBadOut, "after the storage of 'out'"},
        Wrong{"writes_before_out", kBadOut, "before the storage of 'out'"},
        Wrong{"writes_an_input", kBadCase, "into 'other', which the call only reads"},
        Wrong{"returns_null", kBadCase, "1 result at null"},
        Wrong{"null_result", kBadCase, "result 0 is null"},
        Wrong{"null_data", kBadCase, "its data is null"},
        Wrong{"no_results", kBadCase, "0 results, not 1"},
        Wrong{"aliases_input", kBadCase, "is in the memory of 'self'"},
        Wrong{"other_tensor_for_out", kBadOut, "another tensor than the one"},
        Wrong{"other_device", kBadCase, "device of DLPack's type 2"},
        Wrong{"no_such_flag", kBadCase, "flags are 0x6, but this upcast knows only 0x1"},
        Wrong{"no_such_status", kBadCase, "status is 7"}),
    [](const auto& wrong) { return wrong.param.deed; });

TEST(PluginSubject, GapsOfAnOutAreNotWritten) {
  const std::string line =
      // The plug-in of the first test, broken_ignores_strides, writes its results without gaps.
      "add.out(float32[4], float32[4], out=float32[4]:strides(2))";
  EXPECT_NE(answer_of("broken_ignores_strides", line).find("between the elements of 'out'"),
            std::string::npos);
}

VerdictCode verdict_on(const std::string& library, const std::string& line) {
  const Case c = parse_case(line);
  PluginSubject subject(parse_side(plugin(library)));
  ImplSubject ours;
  return judge(c, answer_of(subject, c), answer_of(ours, c),
               {Implementation::kForeign, Implementation::kOurs})
      .code;
}

TEST(PluginSubject, StridesAreJudgedUnlessItSaysThatTheyAreNot) {
  const std::string line = "add.Tensor(float32[2,2], float32[2,2])";
  EXPECT_EQ(verdict_on("broken_strides_not_judged", line), VerdictCode::kAgree);
  EXPECT_EQ(verdict_on("broken_other_strides", line), VerdictCode::kDifferStrides) << "a control";
}

TEST(PluginSubject, AReplysFieldsAreOnlyEverAddedAtItsEnd) {
  EXPECT_EQ(offsetof(UpcastReply, flags), offsetof(UpcastReply, context) + sizeof(void*));
}

TEST(PluginSubject, AWrongShapeOrDTypeIsAnAnswerLikeAnother) {
  EXPECT_TRUE(answer_of("broken_wrong_shape", kBadCase).starts_with("float32[2]"));
  EXPECT_TRUE(answer_of("broken_other_dtype", kBadCase).starts_with("int32[4]"));
}

TEST(PluginSubject, WhatTheManifestOrSupportsExcludesIsNotJudged) {
  EXPECT_EQ(answer_of("broken_none", "mul(float32[4], float32[4])"), "not_judged(no such op)");
  EXPECT_EQ(answer_of("broken_none", "add(int8[4], float32[4])"),
            "not_judged(no such dtype: int8)");
  EXPECT_EQ(answer_of("broken_none", "add(float32[4], 5)"),
            "not_judged(only tensors, and no alpha)");
  EXPECT_EQ(answer_of("broken_none", "add(float32[4], float32[4]) @device=cuda"),
            "not_judged(no such device: cuda)");
}

TEST(PluginSubject, TensorsOfAGpuAreNotPassedToOneThatNamesTheDevice) {
  const std::string line = "add(float32[4], float32[4])";
  EXPECT_TRUE(answer_of("broken_cuda_too", line).starts_with("float32[4]"));
  EXPECT_EQ(answer_of("broken_cuda_too", line + " @device=cuda"),
            "not_judged(a plug-in is given tensors on the CPU)");
}

class SameAsInProcess : public testing::TestWithParam<const char*> {};

TEST_P(SameAsInProcess, ThroughTheAbi) {
  const Case c = parse_case(GetParam());
  PluginSubject through_abi(parse_side(plugin("upcast_impl_plugin")));
  ImplSubject here;
  const Answer answer = answer_of(through_abi, c), expected = answer_of(here, c);
  const Verdict verdict =
      judge(c, answer, expected, {Implementation::kOurs, Implementation::kOurs});
  EXPECT_EQ(verdict.code, VerdictCode::kAgree) << sentence(verdict) << '\n' << to_text(answer);
  EXPECT_EQ(answer.tag, expected.tag) << to_text(answer);
  EXPECT_EQ(to_text(answer), to_text(expected));
  EXPECT_EQ(answer.strides, expected.strides);
}

INSTANTIATE_TEST_SUITE_P(
    Calls, SameAsInProcess,
    testing::Values("add(int32[3], 5.5)", "add(int32[3], True)", "add(float16[], 1+2j)",
                    "add(uint64[2], 18446744073709551615)", "add(int8[2], 3) @default=float64",
                    "div.Tensor_mode(float32[4], float32[4], rounding_mode=\"trunc\")",
                    "add(uint8[4], int8[4], alpha=2)", "add_(float32[2,3], int64[3])",
                    "add.out(int32[3], float32[3], out=float64[3])",
                    "add.out(int32[3], float32[3], out=float64[7])", "add_(int32[3], float32[3])",
                    "mul(float32[2,3]:strides(1,2), float32[3,2]:strides(3,1)+offset(2))",
                    "mul(float32[2,3]:strides(1,2)+offset(1), float32[2,1])", "frexp(float32[3])",
                    "frexp.Tensor_out(float32[3], out=float32[3], second_out=int32[3])",
                    "add_(float32[4], float32[4]:shares(0))", "can_cast(int32, float32)",
                    "promote_types(bits8, float32)", "promote_types(int8, float16)",
                    "add(bcomplex32[2], float8_e4m3fn[2])", "floor_divide(int32[2]{1,2}, 0)",
                    "clamp(float32[3], None, 2)", "positive(float32[3])", "add(float32[0,3], 1)"));

TEST(PluginSubject, InfersWithoutValues) {
  PluginSubject subject(parse_side(plugin("upcast_impl_plugin") + "?device=meta"));
  const Answer answer = answer_of(subject, parse_case("add(int32[3,1], float32[2])"));
  EXPECT_EQ(answer.dtype, DType::kFloat32);
  EXPECT_EQ(answer.sizes, (Dims{3, 2}));
  EXPECT_TRUE(answer.without_values);
}

}  // namespace
}  // namespace upcast
