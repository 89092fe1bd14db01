#include "oracle/libtorch/libtorch_subject.h"

#include <c10/core/DefaultDtype.h>
#include <gtest/gtest.h>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/impl_subject.h"
#include "oracle/libtorch/register.h"

namespace upcast {
namespace {

class LibTorch : public testing::Test {
 protected:
  Answer ask(std::string_view line) { return answer_of(cpu_, parse_case(line)); }
  std::string text(std::string_view line) { return to_text(ask(line)); }

  LibTorchSubject cpu_{parse_side("libtorch:cpu")};
};

TEST_F(LibTorch, AnswersWithTheValuesOfTheCase) {
  EXPECT_EQ(text("add.Tensor(int32[3]{1,2,3}, int32[3]{10,20,30})"), "int32[3]{11,22,33}");
  EXPECT_EQ(text("add.Tensor(int32[3]{1,2,3}, 2.5)"), "float32[3]{3.5,4.5,5.5}");
  EXPECT_EQ(text("add.Tensor(uint8[2]{1,2}, int8[2]{1,2}, alpha=2)"), "int16[2]{3,6}");
}

TEST_F(LibTorch, ReadsStridesAndOffsets) {
  EXPECT_EQ(text("add.Tensor(int32[2,2]:strides(1,2)+offset(3){1,2,3,4}, 0)"),
            text("add.Tensor(int32[2,2]:strides(1,2){1,2,3,4}, 0)"));
  const Answer answer = ask("add.Tensor(int32[2,2]:strides(1,2){1,2,3,4}, 0)");
  EXPECT_EQ(answer.strides, (Dims{1, 2}));  // LibTorch gives the result the operand's strides
  EXPECT_EQ(to_text(answer), "int32[2,2]{1,2,3,4}");
}

TEST_F(LibTorch, SharesStorageBetweenOperands) {
  // self is 1 2 3 4; other starts at its third element in the same storage, 3 4 0 0: zeros follow
  // the last element.
  EXPECT_EQ(text("add.Tensor(int32[4]{1,2,3,4}, int32[4]:offset(2)+shares(0))"),
            "int32[4]{4,6,3,4}");
  EXPECT_EQ(text("equal(float8_e5m2[2]{1,2}, float8_e5m2[2]{1,2})"), "bool[]{True}")
      << "two tensors: of a tensor and itself it refuses float8";
  EXPECT_EQ(text("add_.Tensor(int32[2]{1,2}, int32[2]:shares(0))"), "int32[2]{2,4}");
  EXPECT_EQ(text("add.out(int32[2]{1,2}, int32[2]{1,1}, out=int32[2]:shares(1))"), "int32[2]{2,3}");
  const Answer partly = ask("add.out(int32[4], int32[4], out=int32[4]:offset(1)+shares(0))");
  EXPECT_EQ(partly.tag, Answer::Tag::kRefusal);
  EXPECT_EQ(partly.rejection, RejectionCode::kMemoryOverlap);
  // LibTorch cannot resize an operand itself, but it can resize another view of the operand's
  // storage.
  EXPECT_EQ(ask("add.out(int32[1], int32[3], out=int32[1]:shares(0))").tag, Answer::Tag::kRefusal);
  // The next call gets new elements in the storage that this call wrote.
  EXPECT_EQ(text("add_.Tensor(int32[2]{1,2}, int32[2]:shares(0))"), "int32[2]{2,4}");
}

TEST_F(LibTorch, AnswersEmptyAndZeroDimTensors) {
  EXPECT_EQ(ask("add.Tensor(float32[0], 1)").bytes.size(), 0u);
  EXPECT_EQ(text("add.Tensor(float32[]{1}, int64[]{2})"), "float32[]{3}");
}

TEST_F(LibTorch, TakesANumberAsAWrappedNumberInATensorSlot) {
  EXPECT_EQ(ask("add.Tensor(float16[2], 2.5)").dtype, DType::kFloat16);
  EXPECT_EQ(ask("add.Tensor(int8[2], 3)").dtype, DType::kInt8);
  EXPECT_EQ(ask("add.Tensor(bfloat16[2], 1+2j)").tag, Answer::Tag::kRefusal);  // no kernel
  EXPECT_EQ(ask("mul.Tensor(float64[2], 1+2j)").dtype, DType::kComplex128);
}

TEST_F(LibTorch, TellsMinusZeroFromZeroAmongNumbers) {
  EXPECT_EQ(text("mul.Tensor(float32[1]{1}, 0.0)"), "float32[1]{0}");
  EXPECT_EQ(text("mul.Tensor(float32[1]{1}, -0.0)"), "float32[1]{-0}");
}

TEST_F(LibTorch, WritesInPlaceToAPrivateCopy) {
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(text("add_.Tensor(int32[2]{1,2}, int32[2]{1,1})"), "int32[2]{2,3}");
  EXPECT_EQ(text("add.Tensor(int32[2]{1,2}, int32[2]{1,1})"), "int32[2]{2,3}");
}

TEST_F(LibTorch, WritesToOutAndResizesIt) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(text("add.out(int32[2]{1,2}, int32[2]{1,1}, out=float64[2])"), "float64[2]{2,3}");
    EXPECT_EQ(text("add.out(int32[2]{1,2}, int32[2]{1,1}, out=float64[0])"), "float64[2]{2,3}");
    EXPECT_EQ(text("add.out(int32[2]{1,2}, int32[2]{1,1}, out=float64[5])"), "float64[2]{2,3}");
  }
}

TEST_F(LibTorch, KeepsTheDefaultDTypeOfTheCaseToItself) {
  const auto before = c10::get_default_dtype_as_scalartype();
  EXPECT_EQ(ask("add.Tensor(int32[2], 2.5) @default=float64").dtype, DType::kFloat64);
  EXPECT_EQ(ask("add.Tensor(int32[2], 2.5) @default=bfloat16").dtype, DType::kBFloat16);
  EXPECT_EQ(ask("exp(complex32[2]) @default=float16").tag, Answer::Tag::kRefusal);
  EXPECT_EQ(c10::get_default_dtype_as_scalartype(), before);
  EXPECT_EQ(ask("add.Tensor(int32[2], 2.5)").dtype, DType::kFloat32);
}

TEST_F(LibTorch, RefusesAnUndefinedOperand) {
  for (std::string_view line :
       {"add.Tensor(undefined, float32[2])", "add.Tensor(float32[2], undefined)",
        "add_.Tensor(float32[2], undefined)", "exp(undefined)",
        "where.self(undefined, float32[2], float32[2])"}) {
    const Answer answer = ask(line);
    EXPECT_EQ(answer.tag, Answer::Tag::kRefusal) << line;
    EXPECT_EQ(answer.rejection, RejectionCode::kUndefinedOperand) << line << answer.detail;
  }
}

TEST_F(LibTorch, TakesNoneInAnOptionalSlot) {
  EXPECT_EQ(text("clamp(float32[3]{1,2,3}, None, 2)"), "float32[3]{1,2,2}");
  EXPECT_EQ(text("clamp.Tensor(float32[3]{1,2,3}, None, float32[3]{2,2,2})"), "float32[3]{1,2,2}");
}

TEST_F(LibTorch, AnswersDTypesAndBools) {
  EXPECT_EQ(ask("promote_types(int32, float16)").tag, Answer::Tag::kDType);
  EXPECT_EQ(ask("promote_types(int32, float16)").dtype, DType::kFloat16);
  EXPECT_EQ(ask("result_type.Tensor(int32[2], 2.5)").dtype, DType::kFloat32);
  EXPECT_EQ(text("can_cast(float32, int32)"), "bool[]{False}");
  EXPECT_EQ(text("can_cast(int32, float32)"), "bool[]{True}");
}

TEST_F(LibTorch, GivesTheFirstLineOfItsMessage) {
  EXPECT_EQ(ask("add.Tensor(float32[3], float32[4])").detail,
            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton "
            "dimension 0");
}

TEST_F(LibTorch, LeavesAnAttributeToItsDefault) {
  EXPECT_EQ(text("div.Tensor_mode(int32[2]{7,-7}, int32[2]{2,2}, rounding_mode=\"floor\")"),
            "int32[2]{3,-4}");
  EXPECT_EQ(text("div.Tensor_mode(int32[2]{7,-7}, int32[2]{2,2}, rounding_mode=None)"),
            "float32[2]{3.5,-3.5}");
}

TEST_F(LibTorch, DoesNotJudgeWhatItHasNoDeviceFor) {
  EXPECT_EQ(ask("exp(float32[2]) @device=cuda").tag, Answer::Tag::kNotJudged);
}

TEST_F(LibTorch, PutsATensorWhereItIsToLie) {
  EXPECT_FALSE(ask("exp(float32[2])").without_values);
  EXPECT_TRUE(ask("exp(float32[2]:device(meta))").without_values);
  EXPECT_TRUE(ask("exp(float32[2]) @device=meta").without_values);
  EXPECT_FALSE(ask("exp(float32[2]:device(cpu)) @device=meta").without_values);
  EXPECT_FALSE(ask("exp(float32[2])").without_values);
  const Answer mixed = ask("add(float32[2]:device(meta), float32[2])");
  EXPECT_EQ(mixed.tag, Answer::Tag::kRefusal);
  EXPECT_EQ(mixed.rejection, RejectionCode::kDeviceMismatch);
}

TEST_F(LibTorch, AViewLiesWhereItsStorageDoes) {
  const std::string line = "add_(float32[2]:device(cpu){1,2}, float32[2]:shares(0)) @device=meta";
  EXPECT_EQ(text(line), "float32[2]{2,4}");
  EXPECT_EQ(to_text(answer_of(*make_subject("impl:meta"), parse_case(line))), text(line));
}

TEST_F(LibTorch, NamesItsVersionAndCapability) {
  const auto versions = cpu_.versions();
  EXPECT_EQ(versions.at("libtorch").substr(0, 2), "2.");
  EXPECT_EQ(versions.at("libtorch.capability"), "DEFAULT");
}

TEST(LibTorchMeta, AnswersDTypeShapeAndStridesOnly) {
  LibTorchSubject meta(parse_side("libtorch:meta"));
  const Answer answer = answer_of(meta, parse_case("add.Tensor(int32[2,3]:strides(1,2), 2.5)"));
  EXPECT_EQ(answer.tag, Answer::Tag::kTensor);
  EXPECT_EQ(answer.dtype, DType::kFloat32);
  EXPECT_EQ(answer.sizes, (Dims{2, 3}));
  EXPECT_EQ(answer.strides, (Dims{1, 2}));
  EXPECT_TRUE(answer.bytes.empty());
  EXPECT_EQ(answer_of(meta, parse_case("add_.Tensor(int32[2], 2.5)")).rejection,
            RejectionCode::kResultCast);
}

TEST(LibTorchNames, AreKnownToMakeSubject) {
  register_libtorch_subjects();
  EXPECT_NE(make_subject("libtorch:cpu"), nullptr);
  EXPECT_NE(make_subject("libtorch:meta"), nullptr);
  EXPECT_THROW(make_subject("libtorch:cpu?capability=sse9"), UsageError);
}

TEST(LibTorchNames, OfASecondCapabilityAreRefused) {
  LibTorchSubject first(parse_side("libtorch:cpu"));
  EXPECT_THROW(LibTorchSubject(parse_side("libtorch:cpu?capability=native")), UsageError);
}

}  // namespace
}  // namespace upcast
