// `upcast check-plugin`: what is right passes, and each plug-in that is broken on purpose is told.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

using Json = nlohmann::json;

std::string library(const std::string& name) {
  return UPCAST_BINARY_DIR "/plugins/lib" + name + ".so";
}

CommandResult check(const std::string& plugin, std::vector<std::string> more = {}) {
  std::vector<std::string> arguments{"check-plugin", plugin};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_upcast(arguments);
}

TEST(CheckPlugin, PassesOurImplementationInEveryStep) {
  const CommandResult result = check(library("upcast_impl_plugin"), {"--json", "-"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("ok"), true);
  EXPECT_GE(json.at("steps").size(), 7U);
  for (const Json& step : json.at("steps")) {
    EXPECT_GT(step.at("agree"), 0) << step;
    EXPECT_EQ(step.at("wrong"), 0) << step;
  }
}

TEST(CheckPlugin, PassesAPluginOfOneOp) {
  const CommandResult result = check(library("broken_none"));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("ok     one op"), std::string::npos) << result.out;
}

TEST(CheckPlugin, InferIsHeldToRun) {
  const CommandResult right = check(library("broken_infers"));
  EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
  EXPECT_NE(right.out.find("ok     infer"), std::string::npos) << right.out;
  const CommandResult without = check(library("broken_none"));
  EXPECT_EQ(without.out.find("infer "), std::string::npos) << without.out;
}

TEST(CheckPlugin, AFileMayHaveSettings) {
  const CommandResult right = check(library("broken_takes_threads") + "?threads=4");
  EXPECT_EQ(right.exit_code, 0) << right.out << right.err;
  EXPECT_NE(right.out.find(".so?threads=4"), std::string::npos) << right.out;
  EXPECT_NE(right.out.find("ok     infer"), std::string::npos) << "asked with the settings, too";
  const CommandResult other = check(library("broken_takes_threads") + "?thread=4");
  EXPECT_NE(other.out.find("it takes threads=4 alone"), std::string::npos) << other.out;
  const CommandResult taken_by_nobody = check(library("broken_none") + "?threads=4");
  EXPECT_EQ(taken_by_nobody.exit_code, 1);
  EXPECT_NE(taken_by_nobody.out.find("takes no settings"), std::string::npos)
      << taken_by_nobody.out;
}

TEST(CheckPlugin, ADeviceThatCallsDoNotReachIsSaid) {
  const CommandResult result = check(library("broken_cuda_too"));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_NE(result.out.find("nobody asks for cuda"), std::string::npos) << result.out;
}

struct Broken {
  const char* deed;
  const char* says;
};
class CheckPluginTells : public ::testing::TestWithParam<Broken> {};

TEST_P(CheckPluginTells, WhatToMend) {
  const CommandResult result =
      check(library(std::string("broken_") + GetParam().deed), {"--time-limit", "0.3"});
  EXPECT_EQ(result.exit_code, 1) << result.out << result.err;
  EXPECT_NE(result.out.find("wrong "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find(GetParam().says), std::string::npos) << result.out;
}

INSTANTIATE_TEST_SUITE_P(
    Controls, CheckPluginTells,
    ::testing::Values(
        Broken{"segfault", "crash(SIGSEGV)"}, Broken{"abort", "the plug-in gives up"},
        Broken{"exit", "crash(exit 3)"}, Broken{"endless_loop", "timeout"},
        Broken{"wrong_dtype", "see plugin.h"}, Broken{"other_dtype", "upcast explain"},
        Broken{"wrong_shape", "broadcast to another shape"},
        Broken{"wrong_value", "the value is off"},
        Broken{"writes_behind_out", "behind the storage of"},
        Broken{"writes_an_input", "into 'other'"}, Broken{"returns_null", "results at null"},
        Broken{"aliases_input", "no new tensor"}, Broken{"gigabyte", "its operands broadcast to 4"},
        Broken{"leaks", "bytes a call"}, Broken{"infers_other_dtype", "infer() must give"},
        Broken{"infers_other_shape", "differ(shape)"},
        Broken{"cuda_alone", "copy them to the GPU and back"}, Broken{"wrong_abi", "has ABI 2"},
        Broken{"no_symbol", "no function upcast_plugin"},
        Broken{"wrong_manifest", "\"version\" must be a text"},
        Broken{"dies_when_described", "while it was loaded"}),
    [](const auto& broken) { return broken.param.deed; });

TEST(CheckPlugin, OneThatDiesEveryTimeIsNotAskedForEver) {
  const CommandResult result = check(library("broken_endless_loop"), {"--time-limit", "0.2"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_NE(result.out.find("it died too often"), std::string::npos) << result.out;
}

TEST(CheckPlugin, ACommandIsAProcess) {
  const CommandResult gone = check("exit 3");
  EXPECT_EQ(gone.exit_code, 1);
  EXPECT_NE(gone.out.find("wrong  loads"), std::string::npos) << gone.out;
  const std::string python = UPCAST_SOURCE_DIR "/oracle/frameworks/python";
  const CommandResult result =
      check("env PYTHONPATH=" + python + " python3 " + python + "/template/backend.py");
  EXPECT_NE(result.out.find("ok     manifest       template"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("cases agree"), std::string::npos) << result.out;
}

TEST(CheckPlugin, AFileThatIsNotThereIsTheUsersMistake) {
  const CommandResult result = check("/no/such/plugin.so");
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find("there is no plug-in /no/such/plugin.so"), std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace upcast::tools::testing
