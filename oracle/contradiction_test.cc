#include "oracle/contradiction.h"

#include <gtest/gtest.h>

#include "cases/notation.h"

namespace upcast {
namespace {

/// Makes a reply from a text: "dies", "refuses", or an expectation as "float32[1]{1}", which the
/// reply then meets.
Reply reply_of(const std::string& text) {
  Reply reply;
  if (text == "dies") reply.death = "crash(SIGSEGV)";
  if (text == "dies" || text == "refuses") return reply;
  const Case c = parse_case("neg(float32[1]) -> " + text);
  reply.answer.tag = Answer::Tag::kTensor;
  reply.answer.dtype = c.expectation->dtype;
  reply.answer.sizes = *c.expectation->sizes;
  reply.answer.bytes = *c.expectation->values;
  return reply;
}

bool contradict(const std::string& a, const std::string& b) {
  const bool forth = contradict_in_kind(reply_of(a), reply_of(b));
  EXPECT_EQ(forth, contradict_in_kind(reply_of(b), reply_of(a))) << "it has no direction";
  return forth;
}

TEST(Contradiction, IsOfKindsNotOfRoundings) {
  EXPECT_TRUE(contradict("float32[1]{1}", "dies"));
  EXPECT_TRUE(contradict("float32[1]{1}", "refuses"));
  EXPECT_TRUE(contradict("dies", "refuses"));
  EXPECT_TRUE(contradict("float32[1]{1}", "float32[1]{inf}"));
  EXPECT_TRUE(contradict("float32[1]{inf}", "float32[1]{nan}"));
  EXPECT_TRUE(contradict("complex64[1]{1+0j}", "complex64[1]{1+nanj}"));
  EXPECT_TRUE(contradict("float32[2]{1,nan}", "float32[3]{1,2,3}"));
  EXPECT_TRUE(contradict("float32[1]{1}", "float64[1]{1}"));
  EXPECT_FALSE(contradict("float32[1]{1}", "float32[1]{2}"));
  EXPECT_FALSE(contradict("float32[1]{-inf}", "float32[1]{inf}"));
  EXPECT_FALSE(contradict("float32[1]{1}", "float32[2]{1,nan}"));
  EXPECT_FALSE(contradict("refuses", "refuses"));
  EXPECT_FALSE(contradict("dies", "dies"));
}

}  // namespace
}  // namespace upcast
