// Tests capabilities. The variable UPCAST_CAPABILITY is tested by ci/any_x86_64.py instead, because
// a process reads it only once.
#include <gtest/gtest.h>

#include <string>

#include "impl/core/error.h"
#include "impl/core/parse_capability.h"

namespace upcast {
namespace {

std::string error_of(std::string_view text, Capability best) {
  try {
    parse_capability(text, best, "here");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Capability, IsParsedFromItsName) {
  for (const Capability one : {Capability::kBaseline, Capability::kV3, Capability::kV4})
    EXPECT_EQ(parse_capability(name(one), Capability::kV4, "here"), one);
}

TEST(Capability, AboveTheBestIsRefused) {
  EXPECT_EQ(error_of("x86-64-v3", Capability::kV3), "");
  EXPECT_EQ(error_of("x86-64-v4", Capability::kV3),
            "here: this machine has no x86-64-v4; its best capability is x86-64-v3");
}

TEST(Capability, UnknownNameIsRefused) {
  for (const char* wrong : {"", "avx2", "x86-64-v"})
    EXPECT_EQ(error_of(wrong, Capability::kV4), "here: unknown capability '" + std::string(wrong) +
                                                    "'; there are baseline, x86-64-v3, x86-64-v4");
}

}  // namespace
}  // namespace upcast
