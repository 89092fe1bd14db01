#include "oracle/host/answer_codec.h"

#include <gtest/gtest.h>

namespace upcast {
namespace {

TEST(AnswerCodec, EveryFieldSurvives) {
  Answer answer{.tag = Answer::Tag::kTensor, .dtype = DType::kFloat64, .sizes = {1}};
  answer.strides = {7};
  answer.bytes = std::vector<std::byte>(8, std::byte{42});
  answer.leeway = {0.5};
  answer.without_values = true;
  answer.rejection = RejectionCode::kZeroDivision;
  answer.detail = "why";
  answer.further.resize(1);
  answer.further[0] = {.tag = Answer::Tag::kDType, .dtype = DType::kInt32};
  Answer read{.detail = "left over"};
  read.further.resize(3);
  decode_answer(encode_answer(answer), read);
  EXPECT_EQ(read.tag, answer.tag);
  EXPECT_EQ(read.dtype, answer.dtype);
  EXPECT_EQ(read.sizes, answer.sizes);
  EXPECT_EQ(read.strides, answer.strides);
  EXPECT_EQ(read.bytes, answer.bytes);
  EXPECT_EQ(read.leeway, answer.leeway);
  EXPECT_EQ(read.without_values, answer.without_values);
  EXPECT_EQ(read.rejection, answer.rejection);
  EXPECT_EQ(read.detail, answer.detail);
  ASSERT_EQ(read.further.size(), 1U);
  EXPECT_EQ(read.further[0].tag, Answer::Tag::kDType);
  EXPECT_EQ(read.further[0].dtype, DType::kInt32);
}

}  // namespace
}  // namespace upcast
