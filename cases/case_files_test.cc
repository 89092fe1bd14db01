// Tests of the `.cases` files: the worked examples of the seeds (docs/seeds.md) and the rules of
// refusal. Each line is sound and has its answer, and each rule has a control next to it. `upcast
// run --cases` and `--grid refusals` judge whether both sides answer so.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cases/notation.h"
#include "cases/text_file.h"

namespace upcast {
namespace {

const std::string kCases = UPCAST_SOURCE_DIR "/cases/";

/// "promotion/readme.cases".
std::vector<std::string> files(const std::set<std::string>& folders) {
  std::vector<std::string> names;
  for (const std::string& folder : folders)
    for (const auto& entry : std::filesystem::directory_iterator(kCases + folder))
      names.push_back(folder + "/" + entry.path().filename().string());
  return names;
}

std::string file_name(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param.substr(0, test.param.find('.'));
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

class CasesOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Files, CasesOf, testing::ValuesIn(files({"promotion", "refusals"})),
                         file_name);

TEST_P(CasesOf, EachLineHasAnAnswerAndStandsOnce) {
  std::set<std::string> lines;
  for (const Case& c : load_cases(kCases + GetParam())) {
    const std::string line = print_case(c);
    EXPECT_TRUE(c.expectation.has_value()) << line;
    EXPECT_TRUE(parse_case(line) == c) << line;
    EXPECT_TRUE(lines.insert(line).second) << line << " stands twice";
  }
}

TEST(PromotionFiles, HoldTheExpressionsOfTheSeeds) {
  // The expected numbers of lines, from docs/sources.md: 11 for the article, 9 for issue 9515, and
  // Paddle's tables of 12 x 12 and 12 x 4.
  const std::string folder = kCases + "promotion/";
  EXPECT_GE(load_cases(folder + "wrapped_numbers.cases").size(), 11U);
  EXPECT_GE(load_cases(folder + "proposal_9515.cases").size(), 9U);
  EXPECT_GE(load_cases(folder + "paddle_tables.cases").size(), 144U + 48U);
  EXPECT_GE(load_cases(folder + "unary_tables.cases").size(), 28U * 6U);
}

/// The paragraphs of a `.cases` file, split at blank lines. Each has a heading and its cases.
std::vector<std::string> paragraphs(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 2;
  }
  return parts;
}

class RulesOf : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Files, RulesOf, testing::ValuesIn(files({"refusals"})), file_name);

TEST_P(RulesOf, ARuleHasAControl) {
  for (const std::string& part : paragraphs(read_text_file(kCases + GetParam()))) {
    if (part.find("\n") == part.npos) continue;  // a paragraph of one line is the file's heading
    EXPECT_NE(part.find("-> "), part.npos) << part;
    bool control = false;
    for (const Case& c : parse_cases(part, GetParam()))
      control = control || !c.expectation->refuses;
    EXPECT_TRUE(control) << part;
  }
}

}  // namespace
}  // namespace upcast
