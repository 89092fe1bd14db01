// Other versions of LibTorch as sides, and `upcast history`. A build that has no other version
// knows its own by name; what needs another is skipped there.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

using Json = nlohmann::json;

constexpr const char* kKiller =
    "div.Tensor_mode(int32[2]{-2147483648,1}, int32[2]{-1,1}, rounding_mode=\"trunc\")";

Json json_of(std::vector<std::string> arguments) {
  unsetenv("UPCAST_WORKER");
  arguments.insert(arguments.end(), {"--json", "-"});
  const CommandResult result = run_upcast(arguments);
  return Json::parse(result.out.empty() ? "{}" : result.out);
}

/// The versions of LibTorch at hand, oldest first.
std::vector<std::string> versions() {
  std::vector<std::string> all;
  const Json history = json_of({"history", "add(int32[3], 5.5)"});
  for (const Json& row : history.at("versions")) all.push_back(row.at("version"));
  return all;
}

/// That of this build.
std::string own_version() {
  return json_of({"run", "add(int32[3], 5.5)"}).at("versions").at("libtorch");
}

TEST(LibTorchVersions, OwnVersionAnswersByName) {
  const std::string named = "libtorch@" + own_version() + ":cpu";
  const std::string nothing = write_file("nothing.toml", "");
  for (const auto& [subject, oracle] :
       {std::pair(named, std::string("libtorch:cpu")), std::pair(std::string("impl:cpu"), named)}) {
    const Json json = json_of({"run", "add(int32[3], 5.5)", kKiller, "sub(bool[2], bool[2])",
                               "frexp.Tensor(float16[4])", "--subject", subject, "--oracle", oracle,
                               "--known", nothing});
    EXPECT_EQ(json.at("ran"), 4) << subject << " beside " << oracle;
    EXPECT_EQ(json.at("agree"), 3);
    EXPECT_EQ(json.at("crash"), 1);
    EXPECT_GT(json.at("values_judged"), 3);
  }
}

TEST(LibTorchVersions, OneThatIsNotThereIsOneLineAndExitCodeTwo) {
  const std::vector<std::vector<std::string>> sides{{"--subject", "libtorch@9.8.7:cpu"},
                                                    {"--oracle", "libtorch@9.8.7:cpu"}};
  unsetenv("UPCAST_WORKER");
  for (const auto& side : sides) {
    const CommandResult result = run_upcast({"run", "add(int32[3], 5.5)", side[0], side[1]});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("ci/libtorch_version.sh 9.8.7"), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  }
}

TEST(LibTorchVersions, HistoryShowsAnswersRefusalsAndDeaths) {
  const Json answer = json_of({"history", "add(int32[3], 5.5)"});
  EXPECT_EQ(answer.at("case"), "add.Tensor(int32[3], 5.5)");
  EXPECT_EQ(answer.at("versions").back().at("answer"), "float32[3]{12.5,0.5,8.5}");
  const Json refusal = json_of({"history", "sub(bool[2], bool[2])"});
  EXPECT_TRUE(
      refusal.at("versions").back().at("answer").get<std::string>().starts_with("refuses("));
  const Json death = json_of({"history", kKiller});
  EXPECT_EQ(death.at("versions").back().at("answer"), "crash(SIGFPE)");
  const Json meta = json_of({"history", "add(int32[3], 5.5)", "--side", "meta"});
  EXPECT_EQ(meta.at("side"), "libtorch:meta");
}

TEST(LibTorchVersions, HistoryMarksWhereTheAnswerChanged) {
  if (versions().size() < 2) GTEST_SKIP() << "no other LibTorch; ci/libtorch_version.sh adds one";
  // 2.7.1 answered inf.
  const Json json = json_of({"history", "ldexp.Tensor(float32[1]{1.5}, int64[1]{1099511627776})"});
  EXPECT_GT(json.at("changes"), 0);
}

TEST(LibTorchVersions, AnotherVersionAnswersAWholeGrid) {
  const std::vector<std::string> all = versions();
  if (all.size() < 2) GTEST_SKIP() << "no other LibTorch; ci/libtorch_version.sh adds one";
  const Json json = json_of({"run", "--grid", "smoke", "--subject",
                             "libtorch@" + all.front() + ":cpu", "--oracle", "libtorch:cpu"});
  EXPECT_EQ(json.at("planned"), json.at("ran"));
  EXPECT_GT(json.at("agree"), 0);
  EXPECT_EQ(json.at("versions").at("libtorch.subject"), all.front());
}

}  // namespace
}  // namespace upcast::tools::testing
