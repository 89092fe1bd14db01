// Tests of models of PyTorch's transforms and decompositions.
#include <gtest/gtest.h>

#include "cases/notation.h"
#include "oracle/known/known_models.h"
#include "oracle/known/model_values.h"

namespace upcast {
namespace {

/// The answer of a model to a case line; "nothing" if it has none.
std::string answer_of_model(const std::string& model, const std::string& line) {
  const Case c = parse_case(line);
  const std::optional<KnownModel> found = find_known_model(model);
  if (!found) return "no such model";
  const std::optional<Answer> answer = found->answer(c, models::ours_of(c));
  return answer ? to_text(*answer) : "nothing";
}

/// in_the_common_dtype.
std::string in_common(const std::string& line) {
  return answer_of_model("in_the_common_dtype", line);
}

TEST(CompilerModels, ReferencesConvertToTheComputeDtype) {
  EXPECT_EQ(in_common("sub.Tensor(float16[1]{65504}, int64[1]{70000})"), "float16[1]{-4496}");
  EXPECT_EQ(in_common("ne.Tensor(bfloat16[]{256}, int64[2]{256,257})"), "bool[2]{False,True}");
  EXPECT_EQ(in_common("mul.Tensor(int32[1]{70000}, complex32[1]{0.5+0.25j})"),
            "complex32[1]{35008+17504j}");
  EXPECT_EQ(in_common("add.Tensor(float16[1]{1}, float8_e5m2[1]{1})"), "nothing");
  EXPECT_EQ(in_common("add_.Tensor(float16[1]{1}, int64[1]{1})"), "nothing");
}

TEST(CompilerModels, ReferencesAnswerInTheCommonDtype) {
  EXPECT_EQ(in_common("huber_loss(float32[]{3}, float16[1]{1}, reduction=0)"), "float16[1]{1.5}");
  EXPECT_EQ(in_common("huber_loss(bfloat16[1]{3}, float16[1]{1}, reduction=0)"), "float32[1]{1.5}");
}

TEST(CompilerModels, ZeroDimOperandsInsideVmap) {
  EXPECT_EQ(answer_of_model("zero_dim_operands_with_dimensions",
                            "addcmul(int8[2]{1,2}, uint8[]{2}, int8[2]{3,4})"),
            "int16[2]{7,10}");
  EXPECT_EQ(answer_of_model("zero_dim_operand_in_the_result_type",
                            "copysign.Tensor(int32[1]{7}, uint32[]{4294967295})"),
            "float32[1]{-7}");
  EXPECT_EQ(answer_of_model("zero_dim_operand_in_the_result_type",
                            "sub.Tensor(bool[2]{True,False}, int32[]{3})"),
            "int32[2]{-2,-3}");
  EXPECT_EQ(
      answer_of_model("zero_dim_operand_in_the_result_type", "sub.Tensor(int8[]{5}, bool[]{1})"),
      "nothing");
}

TEST(CompilerModels, Strides) {
  const auto strides = [](const std::string& model, const std::string& line) {
    const Case c = parse_case(line);
    return find_known_model(model)->answer(c, models::ours_of(c))->strides;
  };
  EXPECT_EQ(strides("strides_of_the_functional_form",
                    "add.out(int8[2,3]:strides(1,2), int8[2,3]:strides(1,2), out=int8[2,3])"),
            (Dims{1, 2}));
  EXPECT_EQ(strides("strides_of_the_operand", "pow.Scalar(2.5, int32[2,3]:strides(1,2))"),
            (Dims{1, 2}));
  EXPECT_EQ(
      strides("decomposition", "hardsigmoid_backward(float32[2,3], float32[2,3]:strides(1,2))"),
      (Dims{1, 2}));
  EXPECT_EQ(strides("decomposition",
                    "native_dropout_backward(float32[2,3]:strides(1,2), bool[2,3], scale=2.0)"),
            (Dims{3, 1}));
}

std::string decomposed(const std::string& line) { return answer_of_model("decomposition", line); }

TEST(CompilerModels, Decompositions) {
  EXPECT_EQ(decomposed("threshold_backward(uint8[2]{5,6}, int8[2]{3,1}, 2)"), "uint8[2]{5,0}");
  EXPECT_EQ(decomposed("threshold_backward(bool[1]{True}, int8[1]{3}, 2)"), "int64[1]{1}");
  EXPECT_EQ(decomposed("threshold_backward(int8[1], uint16[1], 2)").substr(0, 7), "refuses");
  EXPECT_EQ(decomposed("native_dropout_backward(int8[]{3}, float64[]{2.5}, scale=1.0)"),
            "float32[]{6}");
  EXPECT_EQ(decomposed("ldexp.Tensor(int64[1]{3}, float16[]{2})"), "float32[1]{12}");
  EXPECT_EQ(decomposed("hardsigmoid_backward(float32[2]{6,6}, float32[2]{0,4})"),
            "float32[2]{1,0}");
  EXPECT_EQ(decomposed("sigmoid_backward(float32[1]{1e-10}, float32[1]{1e20})"),
            "float32[1]{-inf}");
  EXPECT_EQ(decomposed("silu_backward(float32[1]{2}, float32[1]{0})"), "float32[1]{1}");
  EXPECT_EQ(decomposed("softplus_backward(float32[2]{4,4}, float32[2]{0,9}, 1, 5)"),
            "float32[2]{2,4}");
  EXPECT_EQ(decomposed("elu_backward(float32[2]{2,2}, 3, 1, 1, is_result=False, "
                       "self_or_result=float32[2]{0,1})"),
            "float32[2]{6,2}");
  EXPECT_EQ(decomposed("elu_backward(float32[1]{2}, 3, 1, 1, is_result=True, "
                       "self_or_result=float32[1]{-1})"),
            "float32[1]{4}");
  EXPECT_EQ(decomposed("gelu_backward(float32[1]{2}, float32[1]{0})"), "float32[1]{1}");
  EXPECT_EQ(decomposed("mish_backward(float32[1]{2}, float16[]{0})"), "float32[1]{1.2}");
  EXPECT_EQ(decomposed("lerp.Tensor(float16[1]{1}, float16[1]{2049}, float16[1]{0.25})"),
            "float16[1]{513}");
}

TEST(CompilerModels, TanhOfMishMayBeAnUlpOff) {
  const Case c = parse_case("mish_backward(float32[1]{7}, float32[1]{-1.1924})");
  const Answer right = models::ours_of(c);
  const KnownModel model = *find_known_model("decomposition_of_a_rounded_tanh");
  const Answer decomposed = *find_known_model("decomposition")->answer(c, right);
  EXPECT_EQ(model.nearest(c, right, decomposed)->bytes, decomposed.bytes);
  Answer far = right;
  far.bytes = models::bytes_of(std::vector<float>{1});
  EXPECT_EQ(model.nearest(c, right, far)->bytes, right.bytes);
}

TEST(InductorModels, QuotientsAreRoundedBeforeTheirFloor) {
  EXPECT_EQ(answer_of_model("floor_of_a_rounded_quotient",
                            "floor_divide(float32[2]{1,7}, float32[2]{0.1,2})"),
            "float32[2]{10,3}");
  EXPECT_EQ(answer_of_model("floor_of_a_rounded_quotient", "floor_divide(int8[1]{7}, int8[1]{2})"),
            "nothing");
  EXPECT_EQ(
      answer_of_model("floor_of_a_rounded_quotient",
                      R"(div.Tensor_mode(float32[1]{7}, float32[1]{2}, rounding_mode="trunc"))"),
      "nothing");
  EXPECT_EQ(answer_of_model("remainder_of_a_rounded_quotient",
                            "remainder.Tensor(float32[2]{1e+08,5}, float32[2]{0.3,3})"),
            "float32[2]{0,2}");
}

TEST(InductorModels, StepsAreRounded) {
  EXPECT_EQ(answer_of_model("atanh_by_a_quotient", "atanh(float64[2]{1e-300,0})"),
            "float64[2]{0,0}");
  EXPECT_EQ(answer_of_model("sgn_by_an_inverse", "sgn(complex64[1]{1e-39+1e-40j})"),
            "complex64[1]{inf+infj}");
  EXPECT_EQ(answer_of_model("sgn_by_an_inverse", "sgn(float32[1]{1})"), "nothing");
}

TEST(InductorModels, BoundsWrapInTheDtypeOfAnIntegralTensor) {
  EXPECT_EQ(answer_of_model("bounds_that_wrap", "clamp(uint8[2]{5,255}, min=-1)"),
            "uint8[2]{255,255}");
  EXPECT_EQ(answer_of_model("bounds_that_wrap", "clamp(int8[1]{5}, min=-200, max=300)"),
            "int8[1]{44}");
  EXPECT_EQ(answer_of_model("bounds_that_wrap", "clamp(float32[1]{5}, min=-200)"), "nothing");
}

TEST(InductorModels, ANumberTimesAlphaIsRefusedBeyond64Bits) {
  const auto says = [](const std::string& arguments) {
    return answer_of_model("number_times_alpha_of_64_bits", "add.Tensor(int8[1], " + arguments);
  };
  for (const char* refused : {"11396612528013917251, alpha=4)", "9223372036854775807, alpha=-2)",
                              "9223372036854775807, alpha=3)", "11396612528013917251, alpha=-1)"})
    EXPECT_EQ(says(refused).substr(0, 7), "refuses") << refused;
  for (const char* held :
       {"11396612528013917251, alpha=1)", "9223372036854775807, alpha=2)", "-3, alpha=-4)",
        "-9223372036854775808, alpha=1)", "11396612528013917251, alpha=0)", "2.5, alpha=3)"})
    EXPECT_EQ(says(held), "nothing") << held;
}

TEST(InductorModels, UnsignedDTypesCompare) {
  EXPECT_EQ(answer_of_model("threshold_of_any_dtype",
                            "threshold_backward(int8[2]{5,6}, uint16[2]{65535,1}, 2)"),
            "int8[2]{5,0}");
}

}  // namespace
}  // namespace upcast
