// Tests of other versions of LibTorch as sides, and of `upcast history`. Tests that need another
// version than the build's own are skipped if the build has none.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

constexpr const char* kKiller =
    "div.Tensor_mode(int32[2]{-2147483648,1}, int32[2]{-1,1}, rounding_mode=\"trunc\")";

Json json_of(const Words& arguments) {
  unsetenv("UPCAST_WORKER");
  return run_upcast(joined(arguments, {"--json", "-"})).json();
}

/// The versions of LibTorch for which build/bin has a worker, oldest first.
Words versions() {
  Words all;
  const Json history = json_of({"history", "add(int32[3], 5.5)"});
  for (const Json& row : history.at("versions"))
    if (row.at("side").get<std::string>().starts_with("libtorch")) all.push_back(row.at("version"));
  return all;
}

/// The version of the LibTorch that this build is linked with.
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
    EXPECT_EQ(json.at("ran"), 4) << subject << " against " << oracle;
    EXPECT_TRUE(includes(json, {{"agree", 3}, {"crash", 1}}));
    EXPECT_GT(json.at("values_judged"), 3);
  }
}

TEST(LibTorchVersions, OneThatIsNotThereIsOneLineAndExitCodeTwo) {
  unsetenv("UPCAST_WORKER");
  for (const char* side : {"--subject", "--oracle"})
    EXPECT_TRUE(complains(run_upcast({"run", "add(int32[3], 5.5)", side, "libtorch@9.8.7:cpu"}),
                          {"ci/libtorch_version.sh 9.8.7"}));
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
  // LibTorch 2.7.1 answered inf; versions from 2.11 on do not. If only later versions are
  // installed, the history shows no change.
  const Json json = json_of({"history", "ldexp.Tensor(float32[1]{1.5}, int64[1]{1099511627776})"});
  const Json& rows = json.at("versions");
  int changes = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool changed = i > 0 && rows[i].at("answer") != rows[i - 1].at("answer");
    EXPECT_EQ(rows[i].at("changed"), changed) << rows[i];
    changes += static_cast<int>(changed);
    if (rows[i].at("version") == "2.7.1") {
      EXPECT_EQ(rows[i].at("answer"), "float32[1]{inf}");
    }
  }
  EXPECT_EQ(json.at("changes"), changes);
  EXPECT_EQ(rows.back().at("answer"), "float32[1]{1.5}");
}

/// Tests that the history asks environments of Python. The test makes one named torch==1.2.3, whose
/// stand-in for Python answers for int32 only.
TEST(LibTorchVersions, HistoryAsksTheEnvironmentsOfPythonToo) {
  const std::string cache = temporary_folder();
  const std::filesystem::path bin =
      std::filesystem::path(cache) / "upcast/frameworks/torch-1.2.3/bin";
  std::filesystem::create_directories(bin);
  const std::string source(UPCAST_SOURCE_DIR);
  std::ofstream(bin / "python") << "#!/bin/sh\nPYTHONPATH=" + source +
                                       "/oracle/frameworks/python exec python3 " + source +
                                       "/oracle/protocol/testing/product.py mul\n";
  std::filesystem::permissions(bin / "python", std::filesystem::perms::owner_all);
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  const Json same = json_of({"history", "mul.Tensor(int32[2]{3,4}, int32[2]{5,6})"});
  const Json other = json_of({"history", "mul.Tensor(int8[2]{3,4}, int8[2]{5,6})"});
  const Json meta = json_of({"history", "mul.Tensor(int32[2], int32[2])", "--side", "meta"});
  if (before == nullptr)
    unsetenv("XDG_CACHE_HOME");
  else
    setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  EXPECT_EQ(same.at("versions").front().at("side"), "python:torch==1.2.3");
  EXPECT_EQ(same.at("versions").front().at("answer"), "int32[2]{15,24}");
  EXPECT_EQ(same.at("changes"), 0);
  EXPECT_EQ(other.at("versions").front().at("answer"), "not_judged(no such dtype: int8)");
  EXPECT_EQ(other.at("changes"), 1);
  ASSERT_FALSE(meta.at("versions").empty());
  for (const Json& version : meta.at("versions"))  // only workers of LibTorch are asked
    EXPECT_EQ(version.at("side").get<std::string>().rfind("libtorch", 0), 0U) << version;
}

TEST(LibTorchVersions, AnotherVersionAnswersAWholeGrid) {
  const Words all = versions();
  if (all.size() < 2) GTEST_SKIP() << "no other LibTorch; ci/libtorch_version.sh adds one";
  const Json json = json_of({"run", "--grid", "smoke", "--subject",
                             "libtorch@" + all.front() + ":cpu", "--oracle", "libtorch:cpu"});
  EXPECT_TRUE(includes(json, {{"planned", json.at("ran")}, {"crash", 0}, {"timeout", 0}}));
  // The other version judges most cases, and differs in few.
  const int judged = json.at("ran").get<int>() - json.at("not_judged").get<int>();
  EXPECT_GT(judged, json.at("ran").get<int>() / 2);
  EXPECT_GT(json.at("agree").get<int>(), judged * 9 / 10);
  EXPECT_EQ(json.at("versions").at("libtorch.subject"), all.front());
}

}  // namespace
}  // namespace upcast::tools::testing
