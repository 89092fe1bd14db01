// What a campaign writes down of a difference.
#include "fuzz/in_process.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cases/notation.h"

namespace upcast::fuzz {
namespace {

TEST(InProcess, EachCheckHasItsOwnFindingWithItsSides) {
  std::string pattern = ::testing::TempDir() + "/upcast-in-process-XXXXXX";
  const std::string folder = mkdtemp(pattern.data());
  FindingLog log("elementwise", folder);
  InProcess sides("impl:cpu", "impl:cpu", nullptr, log);
  const Case c = parse_case("neg(int8[1]{1})");
  Reply right;
  make_subject("impl:cpu")->answer(c, right.answer);
  Reply wrong = right;
  wrong.answer.bytes[0] = std::byte{7};
  constexpr Sides kOurs{Implementation::kOurs, Implementation::kOurs, false};
  sides.judge_replies(c, wrong, right, kOurs,
                      {"baseline", "impl:cpu?capability=baseline", "impl:cpu"});
  sides.judge_replies(c, wrong, right, kOurs, {"alone", "impl:cpu", "libtorch:cpu"});
  sides.judge_replies(c, wrong, right, kOurs, {"alone", "impl:cpu", "libtorch:cpu"});
  std::vector<nlohmann::json> rows;
  std::ifstream lines(folder + "/" + std::string(kFindingsFile));
  for (std::string line; std::getline(lines, line);) rows.push_back(nlohmann::json::parse(line));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].at("check"), "baseline");
  EXPECT_EQ(rows[0].at("subject_side"), "impl:cpu?capability=baseline");
  EXPECT_EQ(
      rows[0].at("command"),
      "upcast run 'neg(int8[1]{1})' --subject 'impl:cpu?capability=baseline' --oracle 'impl:cpu'");
  EXPECT_EQ(rows[1].at("check"), "alone");
  EXPECT_NE(rows[0].at("hash"), rows[1].at("hash"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace upcast::fuzz
