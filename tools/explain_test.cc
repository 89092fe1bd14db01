// explain, list and --help.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "cases/grid.h"
#include "cases/notation.h"
#include "oracle/case_call.h"
#include "tools/explanation.h"
#include "tools/testing/command.h"

namespace upcast::tools {
namespace {

using Json = nlohmann::json;
using testing::run_upcast;

Json explained(const std::string& line) {
  return Json::parse(run_upcast({"explain", line, "--json"}).out);
}

TEST(Explain, ShowsEachStep) {
  const Json json = explained("add(int32[3], 5.5)");
  ASSERT_EQ(json.at("operands").size(), 2U);
  EXPECT_EQ(json.at("operands")[0].at("kind"), "dim");
  EXPECT_EQ(json.at("operands")[1].at("kind"), "wrapped");
  EXPECT_EQ(json.at("operands")[1].at("category"), "floating");
  EXPECT_EQ(json.at("operands")[1].at("priority"), 1);
  EXPECT_EQ(json.at("operands")[1].at("enters_as"), "float32");
  EXPECT_EQ(json.at("operands")[1].at("slots"),
            (Json{{"dim", "int32"}, {"zero_dim", "-"}, {"wrapped", "float32"}}));
  ASSERT_EQ(json.at("combine").size(), 2U);
  EXPECT_EQ(json.at("combine")[1].at("rule"),
            "a floating slot of lower priority promotes an integral one");
  EXPECT_EQ(json.at("common_dtype"), "float32");
  EXPECT_EQ(json.at("promotion_kind").at("strategy_2020"), "PROMOTE");
}

TEST(Explain, SaysOnceWhatALineExpectsInVain) {
  const auto ends = [](const std::string& line, const std::string& end) {
    const std::string out = run_upcast({"explain", line}).out;
    EXPECT_TRUE(out.ends_with(end + "\n")) << out;
  };
  ends("add(int8[1]{1}, 2) -> int8[1]", "  impl:cpu  int8[1]{3}  as expected");
  ends("add(int8[1]{1}, 2) -> int16[1]", "  impl:cpu  int8[1]{3}  the line expects int16");
}

TEST(Explain, ShowsTheDefaultDType) {
  const Json json = explained("add(int32[3], 1j) @default=float16");
  EXPECT_EQ(json.at("operands")[1].at("enters_as"), "complex32");
  EXPECT_EQ(json.at("result_dtype"), "complex32");
}

TEST(Explain, ShowsTheComputeDType) {
  EXPECT_EQ(explained("mul(float16[3], float16[3])").at("compute_dtype"), "float32");
}

TEST(Explain, ShowsARefusal) {
  const Json json = explained("sub(bool[2], float32[2])");
  EXPECT_EQ(json.at("refusal").at("code"), "unsupported_dtype");
  EXPECT_FALSE(json.contains("result_dtype"));
}

TEST(Explain, ShowsAPairThatDoesNotPromote) {
  const Json json = explained("add(uint16[3], int32[3])");
  EXPECT_EQ(json.at("combine")[1].at("result"), "none");
  EXPECT_EQ(json.at("refusal").at("code"), "promotion");
}

TEST(Explain, TextHoldsTheSameFacts) {
  const std::string text = run_upcast({"explain", "add_.Tensor(int32[3], 5.5)"}).out;
  for (const char* part : {"in_place", "zero_dim", "result_cast"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
  }
  EXPECT_NE(text.find("floating never casts to an integral dtype"), std::string::npos) << text;
}

/// Where the slots decide, the steps must lead to what promote_call says.
TEST(Explain, StepsLeadToTheOutcome) {
  std::int64_t checked = 0;
  for (const GridRow& row : make_grid("smoke").rows) {
    Case c = row.prototype;
    for (std::int64_t index = 0; index < row.count; ++index) {
      row.decode(index, c);
      const Explanation told = explain_case(c);
      const bool decided_by_slots =
          told.kind == PromotionKind::kDefault && told.then.empty() && c.form == Form::kFunctional;
      if (!decided_by_slots || !told.promoted.ok()) continue;
      ASSERT_EQ(told.result_type, DTypeResult(told.promoted.value().common)) << print_case(c);
      ++checked;
    }
  }
  EXPECT_GT(checked, 500);
}

TEST(Command, StartsWithoutLibTorchInMilliseconds) {
  const std::vector<std::vector<std::string>> commands{{"--help"},
                                                       {"run", "--help"},
                                                       {"list", "ops"},
                                                       {"list", "dtypes"},
                                                       {"explain", "add(int32[3], 5.5)"}};
  for (const auto& command : commands) {
    double best = 1e9;
    for (int i = 0; i < 5; ++i) {
      const auto began = std::chrono::steady_clock::now();
      EXPECT_EQ(run_upcast(command).exit_code, 0);
      const std::chrono::duration<double, std::milli> took =
          std::chrono::steady_clock::now() - began;
      best = std::min(best, took.count());
    }
    std::printf("upcast %s: %.1f ms\n", command[0].c_str(), best);
  }
  // That no LibTorch is among its libraries is package.links (ci/check_links.sh).
}

TEST(List, ListsAreFilteredAndJson) {
  const auto rows = [](std::vector<std::string> words) {
    words.insert(words.begin(), "list");
    words.emplace_back("--json");
    return Json::parse(run_upcast(words).out).at("rows");
  };
  const Json ops = rows({"ops", "ADD"});
  EXPECT_TRUE(
      std::any_of(ops.begin(), ops.end(), [](const Json& row) { return row.at("op") == "add"; }));
  EXPECT_TRUE(
      std::none_of(ops.begin(), ops.end(), [](const Json& row) { return row.at("op") == "mul"; }));
  EXPECT_EQ(rows({"dtypes"}).size(), 48U);
  for (const char* what : {"grids", "subjects", "rules", "kinds"}) {
    EXPECT_GT(rows({what}).size(), 1U) << what;
  }
}

}  // namespace
}  // namespace upcast::tools
