// The .cases files on our side alone: each line with an expectation meets it.
// tools/libtorch_run_test.cc tests that LibTorch agrees, also on the other lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "cases/notation.h"
#include "oracle/impl_subject.h"
#include "oracle/judge.h"
#include "oracle/modules/emulated_subject.h"
#include "oracle/verdict_text.h"

namespace upcast {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = UPCAST_SOURCE_DIR "/cases";

/// The paths of all .cases files, relative to the folder of cases, sorted.
std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(kFolder))
    if (entry.path().extension() == ".cases")
      names.push_back(fs::relative(entry.path(), kFolder).string());
  std::sort(names.begin(), names.end());
  return names;
}

/// The name of a file's test: "ops_gamma" for "ops/gamma.cases".
std::string test_name(const testing::TestParamInfo<std::string>& test) {
  std::string name = test.param.substr(0, test.param.find('.'));
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

class CaseFiles : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, CaseFiles, testing::ValuesIn(files()), test_name);

/// Expects that the side `ours` meets the expectation of each line of a file.
void expect_answers(const std::string& file, Subject& ours, std::string_view name) {
  Answer answer;
  for (const Case& c : load_cases((kFolder / file).string())) {
    ours.answer(c, answer);
    if (const auto unmet = judge_expectation(c, answer))
      ADD_FAILURE() << print_case(c) << "\n" << name << ": " << sentence(*unmet);
  }
}

TEST_P(CaseFiles, OursMeetsEveryExpectation) {
  ImplSubject ours;
  expect_answers(GetParam(), ours, "impl:cpu");
}

TEST_P(CaseFiles, TheKernelsOfTheGpuMeetEveryExpectation) {
  expect_answers(GetParam(), *make_emulated_subject(parse_side("impl:emulated")), "impl:emulated");
}

TEST_P(CaseFiles, EachLineStandsOnceAndReadsBackAsItIsPrinted) {
  std::set<std::string> lines;
  for (const Case& c : load_cases((kFolder / GetParam()).string())) {
    const std::string line = print_case(c);
    EXPECT_TRUE(parse_case(line) == c) << line;
    EXPECT_TRUE(lines.insert(line).second) << line << " stands twice";
  }
}

}  // namespace
}  // namespace upcast
