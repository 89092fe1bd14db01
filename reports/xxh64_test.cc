#include "reports/xxh64.h"

#include <gtest/gtest.h>

#include <string>

namespace upcast::reports {
namespace {

uint64_t digest(std::string_view bytes) {
  Xxh64 hash;
  hash.update(bytes);
  return hash.digest();
}

// Texts whose lengths take each path of the algorithm: nothing, single bytes, 4 bytes, and stripes
// of 32 with a rest. The values are those of python-xxhash 4.1.0.
TEST(Xxh64, GivesThePublishedDigests) {
  EXPECT_EQ(digest(""), 0xef46db3751d8e999U);
  EXPECT_EQ(digest("a"), 0xd24ec4f1a98c6e5bU);
  EXPECT_EQ(digest("abc"), 0x44bc2cf5ad770999U);
  EXPECT_EQ(digest("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1U);
}

TEST(Xxh64, DoesNotDependOnThePieces) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += static_cast<char>(i * 7 % 251);
  for (const size_t piece : {1, 3, 31, 32, 33, 64, 100}) {
    Xxh64 hash;
    for (size_t at = 0; at < text.size(); at += piece)
      hash.update(std::string_view(text).substr(at, piece));
    EXPECT_EQ(hash.digest(), digest(text)) << piece;
  }
}

TEST(Xxh64, ANumberIsItsEightBytes) {
  Xxh64 hash;
  hash.update(int64_t{0x0102030405060708});
  EXPECT_EQ(hash.digest(), digest("\x08\x07\x06\x05\x04\x03\x02\x01"));
}

}  // namespace
}  // namespace upcast::reports
