#include "cases/suggest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace upcast {
namespace {

TEST(Suggest, FindsTheWordWithTheFewestEdits) {
  const std::vector<std::string_view> words{"float16", "float32", "float64", "int8", "bfloat16"};
  EXPECT_EQ(nearest_word("floot32", words), "float32") << "one letter is replaced";
  EXPECT_EQ(nearest_word("flaot16", words), "float16") << "two neighbours are swapped";
  EXPECT_EQ(nearest_word("bfloat1", words), "bfloat16") << "a letter is missing";
  EXPECT_EQ(nearest_word("innt8", words), "int8");
  EXPECT_EQ(nearest_word("complex", words), "");
  EXPECT_EQ(nearest_word("", words), "");
  const std::string longest(64, 'a'), longer(65, 'a');
  EXPECT_EQ(nearest_word(longest, std::vector<std::string_view>{longer}), longer);
  EXPECT_EQ(nearest_word(longer, std::vector<std::string_view>{longest}), "");
}

/// The table of edits, with all its rows and nothing left out.
std::size_t edits(const std::string& a, std::string_view b) {
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& fewest = table[i][j] = std::max(i, j);
      if (i == 0 || j == 0) continue;
      fewest = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1,
                         table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        fewest = std::min(fewest, table[i - 2][j - 2] + 1);
    }
  return table[a.size()][b.size()];
}

/// nearest_word() leaves candidates out early. What it finds must be what the whole tables find.
TEST(Suggest, LeavesOutNoWordThatIsNear) {
  const std::vector<std::string_view> words{
      "add",     "addcmul",     "atan2",
      "atanh",   "clamp",       "exp2",
      "expm1",   "logit",       "log1p",
      "lerp",    "sgn",         "sign",
      "signbit", "special_erf", "special_shifted_chebyshev_polynomial_w.x_scalar_out"};
  std::mt19937_64 random(1);
  int found = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string word(words[random() % words.size()]);
    for (std::uint64_t changes = random() % 5; changes > 0 && !word.empty(); --changes) {
      const std::size_t at = random() % word.size();
      const char letter = "adegilmnopst_12"[random() % 15];
      if (random() % 4 == 0)
        word.erase(at, 1);
      else if (at > 0 && random() % 3 == 0)
        std::swap(word[at - 1], word[at]);
      else if (random() % 2 == 0)
        word.insert(at, 1, letter);
      else
        word[at] = letter;
    }
    std::string_view expected;
    std::size_t fewest = std::max<std::size_t>(1, word.size() / 3) + 1;
    for (const std::string_view candidate : words) {
      const std::size_t needed = edits(word, candidate);
      if (needed >= fewest || needed >= std::max(word.size(), candidate.size())) continue;
      fewest = needed;
      expected = candidate;
    }
    ASSERT_EQ(nearest_word(word, words), expected) << word;
    found += expected.empty() ? 0 : 1;
  }
  EXPECT_GT(found, 5000);
}

}  // namespace
}  // namespace upcast
