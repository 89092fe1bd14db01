#include "cases/byte_size.h"

#include <gtest/gtest.h>

#include "impl/core/error.h"

namespace upcast {
namespace {

TEST(ByteSize, IsReadInUnitsOf1024AndOf1000) {
  EXPECT_EQ(parse_byte_size("4GiB"), std::int64_t{4} << 30);
  EXPECT_EQ(parse_byte_size("1.5 MiB"), 3 << 19);
  EXPECT_EQ(parse_byte_size("500MB"), 500'000'000);
  EXPECT_EQ(parse_byte_size("2G"), std::int64_t{2} << 30);
  EXPECT_EQ(parse_byte_size("100"), 100);
  EXPECT_EQ(parse_byte_size("none"), 0);
}

TEST(ByteSize, WhatIsNoneIsRefused) {
  for (const char* text : {"", "0", "-1", "4 Gibi", "GiB", "nan", "inf", "1e30", "4GiB ", "none "})
    EXPECT_THROW(parse_byte_size(text), UsageError) << text;
}

TEST(ByteSize, IsWrittenInTheLargestUnitThatFits) {
  EXPECT_EQ(byte_size_text(std::int64_t{4} << 30), "4 GiB");
  EXPECT_EQ(byte_size_text(3 << 19), "1.5 MiB");
  EXPECT_EQ(byte_size_text(1), "1 byte");
  EXPECT_EQ(byte_size_text(1000), "1000 bytes");
}

}  // namespace
}  // namespace upcast
