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
  EXPECT_TRUE(decode_answer(encode_answer(answer), read));
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

Answer small_answer() {
  Answer answer{.tag = Answer::Tag::kTensor, .dtype = DType::kFloat32, .sizes = {2, 3}};
  answer.strides = {3, 1};
  answer.bytes.resize(24);
  answer.further.push_back(answer);
  return answer;
}

TEST(AnswerCodec, BytesThatAreNoAnswerAreTold) {
  const std::string right = encode_answer(small_answer());
  Answer read;
  ASSERT_TRUE(decode_answer(right, read));
  for (std::size_t size = 0; size < right.size(); ++size)
    EXPECT_FALSE(decode_answer(std::string_view(right).substr(0, size), read)) << size;
  EXPECT_FALSE(decode_answer(right + "x", read)) << "something after it";
  std::uint64_t random = 20261123;
  int refused = 0;
  for (int trial = 0; trial < 100'000; ++trial) {
    std::string spoilt = right;
    for (int change = 0; change < 3; ++change) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      spoilt[(random >> 33) % spoilt.size()] = static_cast<char>(random >> 25);
    }
    const bool is_read = decode_answer(spoilt, read);
    refused += static_cast<int>(!is_read);
    if (!is_read || read.tag != Answer::Tag::kTensor || read.without_values) continue;
    ASSERT_EQ(std::ssize(read.bytes), numel(read.sizes) * itemsize(read.dtype));
  }
  EXPECT_GT(refused, 10'000);
  EXPECT_LT(refused, 99'000) << "a control: what is spoilt within the values is read";
}

TEST(AnswerCodec, AnAnswerThatCannotBeIsTold) {
  const auto is_read = [](void (*spoil)(Answer & answer)) {
    Answer answer = small_answer(), read;
    spoil(answer);
    return decode_answer(encode_answer(answer), read);
  };
  EXPECT_TRUE(is_read([](Answer&) {})) << "a control";
  EXPECT_FALSE(is_read([](Answer& answer) { answer.tag = static_cast<Answer::Tag>(9); }));
  EXPECT_FALSE(is_read([](Answer& answer) { answer.dtype = static_cast<DType>(99); }));
  EXPECT_FALSE(is_read([](Answer& answer) { answer.sizes = {2, -3}; }));
  EXPECT_FALSE(is_read([](Answer& answer) { answer.sizes = {std::int64_t{1} << 62, 8}; }));
  EXPECT_FALSE(is_read([](Answer& answer) { answer.bytes.pop_back(); }));
  EXPECT_FALSE(is_read([](Answer& answer) { answer.further[0].bytes.clear(); }));
  EXPECT_FALSE(is_read([](Answer& answer) { answer.further[0].further.resize(1); }));
}

}  // namespace
}  // namespace upcast
