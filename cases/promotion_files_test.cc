// The worked expressions of the seeds, as files: sound, and each with its answer. That both sides
// give it is judged by `upcast run --cases`.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "cases/notation.h"

namespace upcast {
namespace {

const std::string kFolder = UPCAST_SOURCE_DIR "/cases/promotion/";

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    names.push_back(entry.path().filename());
  return names;
}

class PromotionFile : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Cases, PromotionFile, testing::ValuesIn(files()), [](const auto& test) {
  return test.param.substr(0, test.param.find('.'));
});

TEST_P(PromotionFile, EachLineHasAnAnswerAndStandsOnce) {
  std::set<std::string> lines;
  for (const Case& c : load_cases(kFolder + GetParam())) {
    const std::string line = print_case(c);
    EXPECT_TRUE(c.expectation.has_value()) << line;
    EXPECT_TRUE(parse_case(line) == c) << line;
    EXPECT_TRUE(lines.insert(line).second) << line << " stands twice";
  }
}

TEST(PromotionFiles, HoldTheExpressionsOfTheSeeds) {
  // docs/sources.md: 11 of the article, 9 of issue 9515, Paddle's tables of 12 x 12 and 12 x 4.
  EXPECT_GE(load_cases(kFolder + "wrapped_numbers.cases").size(), 11U);
  EXPECT_GE(load_cases(kFolder + "proposal_9515.cases").size(), 9U);
  EXPECT_GE(load_cases(kFolder + "paddle_tables.cases").size(), 144U + 48U);
  EXPECT_GE(load_cases(kFolder + "unary_tables.cases").size(), 28U * 6U);
}

}  // namespace
}  // namespace upcast
