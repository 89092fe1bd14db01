#include "oracle/reply_texts.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cases/notation.h"
#include "oracle/judge.h"

namespace upcast {
namespace {

Reply values_reply(const std::vector<float>& values) {
  Reply reply;
  reply.answer.tag = Answer::Tag::kTensor;
  reply.answer.dtype = DType::kFloat32;
  reply.answer.sizes = {static_cast<std::int64_t>(values.size())};
  reply.answer.strides = {1};
  reply.answer.bytes.resize(values.size() * sizeof(float));
  std::memcpy(reply.answer.bytes.data(), values.data(), reply.answer.bytes.size());
  return reply;
}

ReplyTexts texts_of(std::size_t count, const std::vector<std::size_t>& wrong) {
  std::vector<float> values(count, 2);
  const Reply oracle = values_reply(values);
  for (const std::size_t i : wrong) values.at(i) = 3;
  const Reply subject = values_reply(values);
  const std::string dims = "float32[" + std::to_string(count) + "]";
  const Verdict verdict =
      judge(parse_case("add(" + dims + ", " + dims + ")"), subject.answer, oracle.answer);
  return reply_texts(subject, oracle, verdict);
}

TEST(ReplyTexts, OfLongTensorsAreTheElementsThatDiffer) {
  const ReplyTexts texts = texts_of(4096, {3871, 4000});
  EXPECT_EQ(texts.subject, "float32[4096]{3871: 3, 4000: 3, ...}");
  EXPECT_EQ(texts.oracle, "float32[4096]{3871: 2, 4000: 2, ...}");
  EXPECT_EQ(elements_in(texts.subject), (Elements{3871, 4000}));
}

TEST(ReplyTexts, OfShortTensorsAreAllElements) {
  EXPECT_EQ(texts_of(3, {1}).subject, "float32[3]{2,3,2}");
  EXPECT_EQ(texts_of(16, {15}).subject, "float32[16]{2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,3}");
}

TEST(ReplyTexts, OfAgreementAreTheFirstElements) {  // a control
  const ReplyTexts texts = texts_of(17, {});
  EXPECT_EQ(texts.subject, "float32[17]{2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,2,...}");
  EXPECT_EQ(texts.subject, texts.oracle);
  EXPECT_TRUE(elements_in(texts.subject).empty());
}

TEST(ReplyTexts, ShowNoMoreThanTheFirstSixteenThatDiffer) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 20; i < 60; ++i) wrong.push_back(i);
  const Elements elements = elements_in(texts_of(99, wrong).subject);
  ASSERT_EQ(elements.size(), 16U);
  EXPECT_EQ(elements.front(), 20U);
  EXPECT_EQ(elements.back(), 35U);
}

TEST(ReplyTexts, OfOneThatDiedSayHow) {
  EXPECT_EQ(reply_texts({.answer = {}, .death = "timeout"}, values_reply({1}), Verdict{}).subject,
            "timeout");
}

}  // namespace
}  // namespace upcast
