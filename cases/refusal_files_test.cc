// The rules of refusal, as files: each line has an expectation, and no rule stands without a
// control beside it. That both sides answer so is judged by `upcast run --grid refusals`.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "cases/notation.h"
#include "cases/text_file.h"

namespace upcast {
namespace {

const std::string kFolder = UPCAST_SOURCE_DIR "/cases/refusals/";

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder))
    names.push_back(entry.path().filename());
  return names;
}

/// The paragraphs of a file: a heading and its cases.
std::vector<std::string> paragraphs(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", start), text.size());
    parts.push_back(text.substr(start, end - start));
    start = end + 2;
  }
  return parts;
}

class RefusalFile : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Cases, RefusalFile, testing::ValuesIn(files()), [](const auto& test) {
  return test.param.substr(0, test.param.find('.'));
});

TEST_P(RefusalFile, EachLineHasAnExpectationAndStandsOnce) {
  std::set<std::string> lines;
  for (const Case& c : load_cases(kFolder + GetParam())) {
    const std::string line = print_case(c);
    EXPECT_TRUE(c.expectation.has_value()) << line;
    EXPECT_TRUE(parse_case(line) == c) << line;
    EXPECT_TRUE(lines.insert(line).second) << line << " stands twice";
  }
}

TEST_P(RefusalFile, ARuleHasAControl) {
  for (const std::string& part : paragraphs(read_text_file(kFolder + GetParam()))) {
    if (part.find("\n") == part.npos) continue;  // the heading of the file
    EXPECT_NE(part.find("-> "), part.npos) << part;
    bool control = false;
    for (const Case& c : parse_cases(part, GetParam()))
      control = control || !c.expectation->refuses;
    EXPECT_TRUE(control) << part;
  }
}

}  // namespace
}  // namespace upcast
