#include "cases/visible.h"

#include <gtest/gtest.h>

namespace upcast {
namespace {

TEST(Visible, WhatCanBeSeenStays) {
  for (const char* text : {"", "add(int32[3], 5.5)", "größer, 大きい, 😀, \\n as it is written"})
    EXPECT_EQ(visible(text), text);
}

TEST(Visible, WhatSteersIsWritten) {
  EXPECT_EQ(visible("a\nb"), "a\\nb");
  EXPECT_EQ(visible("\x1b[31mred\x07\r\t\x7f"), "\\x1b[31mred\\x07\\x0d\\x09\\x7f");
  EXPECT_EQ(visible(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(visible("\u202eabc\u2066\u200b\ufeff\u2028\u00ad"),
            "\\u{202e}abc\\u{2066}\\u{200b}\\u{feff}\\u{2028}\\u{ad}");
  EXPECT_EQ(visible("\xc2\x9b"), "\\u{9b}") << "an escape sequence begins with it too";
}

TEST(Visible, WhatIsNoUtf8IsWrittenByteByByte) {
  EXPECT_EQ(visible("\xff"), "\\xff");
  EXPECT_EQ(visible("a\xc3"), "a\\xc3") << "cut off";
  EXPECT_EQ(visible("\xc0\xaf"), "\\xc0\\xaf") << "too long for its character";
  EXPECT_EQ(visible("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(visible("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond Unicode";
}

TEST(Visible, AnyBytesGiveALineThatSteersNothing) {
  std::uint64_t random = 1;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string text;
    for (int i = 0; i < 24; ++i) {
      random = random * 6364136223846793005U + 1442695040888963407U;
      text += static_cast<char>(random >> 40);
    }
    const std::string shown = visible(text);
    for (const char c : shown) EXPECT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f);
    EXPECT_EQ(visible(shown), shown);
  }
}

}  // namespace
}  // namespace upcast
