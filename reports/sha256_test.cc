#include "reports/sha256.h"

#include <gtest/gtest.h>

namespace upcast::reports {
namespace {

std::string hex(std::string_view bytes) {
  Sha256 sha;
  sha.update(bytes);
  return sha.hex_digest();
}

// The test vectors of FIPS 180-2, appendix B, and the empty message.
TEST(Sha256, GivesThePublishedDigests) {
  EXPECT_EQ(hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, DoesNotDependOnThePieces) {
  const std::string text(1000, 'x');
  for (const size_t piece : {1, 7, 63, 64, 65, 128}) {
    Sha256 sha;
    for (size_t at = 0; at < text.size(); at += piece) {
      sha.update(text.substr(at, piece));
      sha.update({});
    }
    EXPECT_EQ(sha.hex_digest(), hex(text)) << piece;
  }
}

}  // namespace
}  // namespace upcast::reports
