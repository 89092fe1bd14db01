// Tests of `upcast check-plugin`: a right plug-in passes, and the fault of each broken one is
// named.
#include <gtest/gtest.h>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

std::string library(const std::string& name) {
  return UPCAST_BINARY_DIR "/plugins/lib" + name + ".so";
}

CommandResult check(const std::string& plugin, Words more = {}) {
  return run_upcast(joined({"check-plugin", plugin}, more));
}

TEST(CheckPlugin, PassesOurImplementationInEveryStep) {
  const Json json = check(library("upcast_impl_plugin"), {"--json", "-"}).json(0);
  EXPECT_EQ(json.at("ok"), true);
  EXPECT_GE(json.at("steps").size(), 7U);
  for (const Json& step : json.at("steps")) {
    EXPECT_GT(step.at("agree"), 0) << step;
    EXPECT_EQ(step.at("wrong"), 0) << step;
  }
}

TEST(CheckPlugin, PassesAPluginOfOneOp) {
  EXPECT_TRUE(prints(check(library("broken_none")), 0, {"ok     one op"}));
  EXPECT_TRUE(
      prints(check(library("broken_none")), 0, {"ok     memory         1 of 1 case agrees"}));
}

TEST(CheckPlugin, InferIsHeldToRun) {
  EXPECT_TRUE(prints(check(library("broken_infers")), 0, {"ok     infer"}));
  const CommandResult without = check(library("broken_none"));
  EXPECT_FALSE(holds(without.out, "infer "));
}

TEST(CheckPlugin, NothingIsAskedOutsideOfTheManifest) {
  EXPECT_TRUE(prints(
      check(library("broken_guards_its_claim")), 0,
      {"ok     strides", "none   default dtype  no case: the manifest claims none of them"}));
  EXPECT_TRUE(prints(check(library("broken_guards_and_claims_more")), 1, {"crash(SIGABRT)"}))
      << "a control: it claims float64, and dies of it";
}

TEST(CheckPlugin, AFileMayHaveSettings) {
  const CommandResult right = check(library("broken_takes_threads") + "?threads=4");
  EXPECT_TRUE(prints(right, 0, {".so?threads=4"}));
  EXPECT_TRUE(holds(right.out, "ok     infer")) << "asked with the settings, too";
  const CommandResult other = check(library("broken_takes_threads") + "?thread=4");
  EXPECT_TRUE(holds(other.out, "it takes threads=4 alone"));
  EXPECT_TRUE(prints(check(library("broken_none") + "?threads=4"), 1, {"takes no settings"}));
}

TEST(CheckPlugin, ADeviceThatCallsDoNotReachIsSaid) {
  EXPECT_TRUE(prints(check(library("broken_cuda_too")), 0, {"never asked for: cuda"}));
}

struct Broken {
  const char* deed;
  const char* says;
};
class CheckPluginTells : public ::testing::TestWithParam<Broken> {};

TEST_P(CheckPluginTells, WhatToMend) {
  EXPECT_TRUE(
      prints(check(library(std::string("broken_") + GetParam().deed), {"--time-limit", "0.3"}), 1,
             {"wrong ", GetParam().says}));
}

INSTANTIATE_TEST_SUITE_P(
    Controls, CheckPluginTells,
    ::testing::Values(
        Broken{"segfault", "crash(SIGSEGV)"}, Broken{"abort", "the plug-in gives up"},
        Broken{"exit", "crash(exit 3)"}, Broken{"endless_loop", "timeout"},
        Broken{"wrong_dtype", "plugin.h says what a reply may hold"},
        Broken{"other_dtype", "upcast explain"}, Broken{"wrong_shape", "broadcast to another one"},
        Broken{"wrong_value", "the value is farther from the truth"},
        Broken{"writes_after_out", "after the storage of"},
        Broken{"writes_an_input", "into 'other'"}, Broken{"returns_null", "1 result at null"},
        Broken{"aliases_input", "not a new tensor"},
        Broken{"gigabyte", "its operands broadcast to 4"}, Broken{"leaks", "bytes a call"},
        Broken{"infers_other_dtype", "infer() must give"},
        Broken{"infers_other_shape", "differ(shape)"},
        Broken{"cuda_alone", "copy them to the GPU and back"}, Broken{"wrong_abi", "has ABI 2"},
        Broken{"no_symbol", "no function upcast_plugin"},
        Broken{"wrong_manifest", "\"version\" must be a text"},
        Broken{"dies_when_described", "while it was loaded"}),
    [](const auto& broken) { return broken.param.deed; });

TEST(CheckPlugin, OneThatDiesEveryTimeIsNotAskedForEver) {
  EXPECT_TRUE(prints(check(library("broken_endless_loop"), {"--time-limit", "0.2"}), 1,
                     {"it died too often"}));
}

TEST(CheckPlugin, ACommandIsAProcess) {
  EXPECT_TRUE(prints(check("exit 3"), 1, {"wrong  loads"}));
  const std::string python = UPCAST_SOURCE_DIR "/oracle/frameworks/python";
  const CommandResult result =
      check("env PYTHONPATH=" + python + " python3 " + python + "/template/backend.py");
  EXPECT_TRUE(holds(result.out, "ok     manifest       template"));
  EXPECT_TRUE(holds(result.out, "cases agree"));
}

TEST(CheckPlugin, AFileThatIsNotThereIsTheUsersMistake) {
  EXPECT_TRUE(complains(check("/no/such/plugin.so"), {"there is no plug-in /no/such/plugin.so"}));
}

}  // namespace
}  // namespace upcast::tools::testing
