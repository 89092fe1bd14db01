// Tests of `upcast run` with plug-ins, most of them broken on purpose: every run must end and be
// complete.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "impl/core/sanitizer.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

constexpr int kCases = 7;
/// Seven calls of add: five with one to five elements, and two with out=. Broken plug-ins fail at
/// four elements.
constexpr auto kLines =
    "add(float32[1], float32[1])\n"
    "add(float32[2], float32[2])\n"
    "add(float32[3], float32[3])\n"
    "add(float32[4], float32[4])\n"
    "add.out(float32[4], float32[4], out=float32[4])\n"
    "add.out(float32[5], float32[5], out=float32[5])\n"
    "add(float32[5], float32[5])\n";

std::string broken(const std::string& deed) {
  return "plugin:" UPCAST_BINARY_DIR "/plugins/libbroken_" + deed + ".so";
}
std::string ours() { return "plugin:" UPCAST_BINARY_DIR "/plugins/libupcast_impl_plugin.so"; }

CommandResult run(const std::string& subject, const std::string& oracle, Words more = {},
                  const std::string& time_limit = "1") {
  use_test_worker();
  return run_upcast(joined(
      {"run", "--cases", write_file("few.cases", kLines), "--known", write_file("none.toml", ""),
       "--subject", subject, "--oracle", oracle, "--jobs", "1", "--time-limit", time_limit},
      more));
}

constexpr const char* kNoLimit = "a sanitizer needs more memory than the limit";

/// A fault of a broken plug-in, with what a run must say about it.
struct Deed {
  const char* name;
  const char* verdict;  // the count in the JSON that has the faulty cases
  int cases;
  const char* says;
};
class BrokenPlugin : public ::testing::TestWithParam<Deed> {};

TEST_P(BrokenPlugin, IsAVerdictAndTheRunEndsWhole) {
  const Deed& deed = GetParam();
  if (kIsSanitized && std::string_view(deed.name) == "asks_for_too_much") GTEST_SKIP() << kNoLimit;
  const CommandResult result = run(broken(deed.name), "impl:cpu", {"--json", "-"});
  EXPECT_EQ(result.exit_code, deed.cases > 0 ? 1 : 0) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_TRUE(includes(json, {{"planned", kCases}, {"ran", kCases}}));
  EXPECT_EQ(json.at(deed.verdict), deed.cases) << result.err;
  EXPECT_EQ(json.at("agree"), kCases - deed.cases) << result.err;
  EXPECT_TRUE(holds(result.err, deed.says));
}

INSTANTIATE_TEST_SUITE_P(
    Controls, BrokenPlugin,
    ::testing::Values(
        Deed{"none", "crash", 0, ""}, Deed{"segfault", "crash", 2, "crash(SIGSEGV)"},
        Deed{"abort", "crash", 2, "the plug-in gives up"},
        Deed{"exit", "crash", 2, "crash(exit 3)"},
        Deed{"exit_with_success", "crash", 2, "crash(exit 0)"},
        Deed{"endless_loop", "timeout", 2, "timeout"},
        Deed{"wrong_dtype", "crash", 2, "broken(its result has the dtype {code 99"},
        Deed{"other_dtype", "unexplained", 2, "differ(dtype)"},
        Deed{"wrong_shape", "unexplained", 2, "differ(shape)"},
        Deed{"wrong_value", "unexplained", 2, "differ(value)"},
        Deed{"gigabyte", "crash", 2, "its operands broadcast to 4"},
        Deed{"writes_after_out", "crash", 1, "it wrote after the storage of 'out'"},
        Deed{"writes_an_input", "crash", 2, "it wrote into 'other'"},
        Deed{"returns_null", "crash", 2, "1 result at null"},
        Deed{"aliases_input", "crash", 2, "broken("},
        Deed{"closes_descriptors", "crash", 2, "it closed descriptors"},
        Deed{"rounds_otherwise", "crash", 2, "it changed the rounding mode"},
        Deed{"flushes_to_zero", "crash", 2, "flush subnormals to zero"},
        Deed{"sets_a_locale", "crash", 0, ""}, Deed{"blocks_signals", "crash", 0, ""},
        Deed{"sets_a_locale_when_loaded", "crash", 0, ""},
        Deed{"blocks_signals_when_loaded", "crash", 0, ""},
        Deed{"starts_threads_when_loaded", "crash", 0, ""},
        Deed{"leaves_a_process", "crash", 0, ""}, Deed{"garbage_on_stdout", "crash", 0, ""},
        Deed{"reads_stdin", "crash", 0, ""}, Deed{"leaks", "crash", 0, ""},
        Deed{"asks_for_too_much", "crash", 2, "more memory than the limit of 4 GiB"},
        Deed{"starts_threads", "crash", 0, ""}, Deed{"writes_later", "crash", 0, ""},
        Deed{"swallows_signals", "timeout", 2, "timeout"}, Deed{"lowers_limits", "crash", 0, ""},
        Deed{"changes_folder", "crash", 0, ""}, Deed{"leaves_timers", "crash", 0, ""},
        Deed{"exits_in_a_destructor", "crash", 0, ""},
        Deed{"jumps_away", "crash", 2, "crash(SIGSEGV)"},
        Deed{"overflows_the_stack", "crash", 2, "crash(SIGSEGV)"},
        Deed{"floods_stderr", "timeout", 2, "timeout"}, Deed{"replaces_stderr", "crash", 0, ""},
        Deed{"kills_its_parent", "crash", 2, "crash(SIGKILL)"},
        Deed{"stops_its_parent", "timeout", 2, "timeout"}, Deed{"is_traced", "crash", 2, "crash("},
        Deed{"throws", "crash", 2, "of the plug-in's own"},
        Deed{"terminates", "crash", 2, "crash(SIGABRT)"}, Deed{"old_struct", "crash", 0, ""},
        Deed{"newer_struct", "crash", 0, ""}),
    [](const auto& deed) { return deed.param.name; });

TEST_P(BrokenPlugin, IsTheSameAsAnOracle) {
  const Deed& deed = GetParam();
  const Json json = Json::parse(run("impl:cpu", broken(deed.name), {"--json", "-"}).out);
  EXPECT_EQ(json.at("ran"), kCases);
  EXPECT_EQ(json.at(deed.verdict), deed.cases);
}

struct Fault {
  const char* subject;
  const char* says;
};
class PluginThatCannotBeLoaded : public ::testing::TestWithParam<Fault> {};

TEST_P(PluginThatCannotBeLoaded, IsOneLine) {
  const std::string name = GetParam().subject;
  EXPECT_TRUE(complains(run(name.starts_with("plugin:") ? name : broken(name), "impl:cpu"),
                        {GetParam().says}));
}

INSTANTIATE_TEST_SUITE_P(
    Controls, PluginThatCannotBeLoaded,
    ::testing::Values(Fault{"no_symbol", "no function upcast_plugin"},
                      Fault{"wrong_abi", "has ABI 2"}, Fault{"no_json", "not a JSON object"},
                      Fault{"cuda_alone", "copy them to the GPU and back"},
                      Fault{"null_plugin", "returned null"},
                      Fault{"dies_when_described", "while it was loaded"},
                      Fault{"dies_when_loaded", "died (crash(SIGABRT)) while it was loaded"},
                      Fault{"exits_when_loaded", "died (crash(exit 0)) while it was loaded"},
                      Fault{"closes_descriptors_when_loaded", "it closed descriptors"},
                      Fault{"rounds_otherwise_when_loaded", "changes how the processor rounds"},
                      Fault{"flushes_to_zero_when_loaded", "without -ffast-math"},
                      Fault{"plugin:/no/such.so", "there is no plug-in /no/such.so"},
                      Fault{"plugin:/etc/passwd", "cannot be loaded"}));

TEST(PluginRun, WhatWasWrittenOverSharedMemoryIsNoAnswer) {
  // The process dies, and answers that the worker has not read yet are lost with it.
  const CommandResult result =
      run(broken("writes_over_shared_memory"), "impl:cpu", {"--json", "-"});
  EXPECT_EQ(result.exit_code, 1) << result.err;
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("ran"), kCases);
  EXPECT_GE(json.at("unexplained"), 2);
  EXPECT_EQ(json.at("unexplained").get<int>(),
            json.at("crash").get<int>() + json.at("timeout").get<int>())
      << "no answer was taken for another case's: " << result.err;
}

TEST(PluginRun, WhatAConstructorWroteOverSharedMemoryHarmsNoAnswer) {
  const CommandResult result =
      run(broken("writes_over_shared_memory_when_loaded"), "impl:cpu", {"--json", "-"});
  const Json json = Json::parse(result.out);
  EXPECT_EQ(json.at("ran"), kCases);
  const int broken_off = json.at("crash").get<int>() + json.at("timeout").get<int>();
  EXPECT_EQ(json.at("agree").get<int>() + broken_off, kCases) << result.err;
}

/// How many processes on this machine were started by a broken plug-in and are still alive.
int left_over() {
  int count = 0;
  for (const auto& process : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(process.path() / "cmdline");
    const std::string command{std::istreambuf_iterator<char>(file), {}};
    count += static_cast<int>(command.starts_with("sleep-of-a-plug-in"));
  }
  return count;
}

class PluginThatLeavesAProcess : public ::testing::TestWithParam<const char*> {};

TEST_P(PluginThatLeavesAProcess, EndsItWithTheRun) {
  run(broken(GetParam()), "impl:cpu");
  // A process that was left would sleep for 30 seconds. It must end within 5.
  for (int i = 0; i < 100 && left_over() > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(left_over(), 0);
}

INSTANTIATE_TEST_SUITE_P(Controls, PluginThatLeavesAProcess,
                         ::testing::Values("leaves_a_process", "forks_when_loaded"),
                         [](const auto& deed) { return std::string(deed.param); });

/// The JSON of a run with a memory limit and a broken plug-in. Expects that standard error contains
/// `says`.
Json run_within(const std::string& limit, const std::string& deed, const std::string& says) {
  const CommandResult result =
      run(broken(deed), "impl:cpu", {"--json", "-", "--memory-limit", limit}, "60");
  EXPECT_TRUE(holds(result.err, says));
  return result.json();
}

TEST(MemoryLimit, APluginThatReachesItIsAVerdictAndTheRunEndsWhole) {
  if (kIsSanitized) GTEST_SKIP() << kNoLimit;
  const char* const says = "out of memory; it needs more memory than the limit of 300 MiB";
  EXPECT_TRUE(includes(run_within("300MiB", "grows_without_end", says),
                       {{"ran", kCases}, {"crash", 2}, {"agree", kCases - 2}}));
  // The plug-in `hoards` keeps the memory of each call. One call is within 1 GiB, two are not.
  EXPECT_TRUE(includes(run_within("1GiB", "hoards", "more memory than the limit of 1 GiB"),
                       {{"ran", kCases}, {"crash", 1}, {"agree", kCases - 1}}));
  // The controls: a plug-in that hoards without a limit, and a sound one with a small limit.
  EXPECT_TRUE(includes(run_within("none", "hoards", ""), {{"agree", kCases}}));
  EXPECT_TRUE(includes(run_within("300MiB", "none", ""), {{"agree", kCases}}));
}

TEST(MemoryLimit, AnOperandThatIsTooLargeForItIsAVerdict) {
  if (kIsSanitized) GTEST_SKIP() << kNoLimit;
  use_test_worker();
  const auto add = [](const std::string& limit) {
    return run_upcast({"run", "add(float32[20000000], 1)", "add.Tensor(float32[4], float32[4])",
                       "--subject", ours(), "--oracle", "impl:cpu", "--memory-limit", limit,
                       "--json", "-"});
  };
  const CommandResult result = add("100MiB");
  EXPECT_TRUE(holds(result.err, "more memory than the limit of 100 MiB"));
  EXPECT_TRUE(includes(result.json(), {{"crash", 1}, {"agree", 1}}));
  EXPECT_EQ(add("1GiB").json().at("agree"), 2);
}

TEST(MemoryLimit, WhatIsNoSizeIsOneLine) {
  EXPECT_TRUE(complains(run(broken("none"), "impl:cpu", {"--memory-limit", "much"}),
                        {"'much' is not a size of memory"}));
}

TEST(PluginRun, TwoPluginsAreTwoSides) {
  const Json json = Json::parse(run(ours(), broken("none"), {"--json", "-"}).out);
  EXPECT_EQ(json.at("agree"), kCases);
}

TEST(PluginRun, APathMayBeRelativeToTheUser) {
  const std::string folder = std::filesystem::current_path();
  std::filesystem::current_path(UPCAST_BINARY_DIR "/plugins");
  const CommandResult result = run("plugin:libbroken_none.so", "impl:cpu");
  std::filesystem::current_path(folder);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(PluginRun, WhatTheManifestExcludesIsCountedWithItsReason) {
  use_test_worker();
  EXPECT_TRUE(prints(run_upcast({"run", "add(int8[2], 3)", "mul(float32[2], float32[2])",
                                 "add(float32[2], float32[2])", "--subject", broken("none"),
                                 "--oracle", "impl:cpu"}),
                     3, {"no such dtype: int8", "no such op", "2 of 3 were not judged"}));
}

TEST(PluginRun, AManifestMayGrowAndMayNotShrink) {
  use_test_worker();
  const std::string before = temporary_folder() + "/one_op.db";
  const std::string after = temporary_folder() + "/all_ops.db";
  const auto smoke = [](const std::string& subject, Words more) {
    return run_upcast(joined(
        {"run", "--grid", "smoke", "--subject", subject, "--oracle", "impl:cpu", "--json", "-"},
        more));
  };
  ASSERT_EQ(smoke(broken("none"), {"--out", before}).exit_code, 3) << "it is too little for a pass";
  const CommandResult grown = smoke(ours(), {"--baseline", before, "--out", after});
  EXPECT_EQ(grown.exit_code, 0) << grown.err;
  const Json more = Json::parse(grown.out).at("baseline");
  EXPECT_GT(more.at("newly_judged"), 0);
  EXPECT_EQ(more.at("worse"), 0);
  const CommandResult shrunk = smoke(broken("none"), {"--baseline", after});
  EXPECT_EQ(shrunk.exit_code, 1) << shrunk.err;
  const Json fewer = Json::parse(shrunk.out).at("baseline");
  EXPECT_TRUE(includes(fewer, {{"no_longer_judged", more.at("newly_judged")},
                               {"worse", fewer.at("no_longer_judged")}}));
}

TEST(PluginRun, OursThroughTheAbiAgreesWithOurs) {
  use_test_worker();
  const Json json = run_upcast({"run", "--grid", "smoke", "--subject", ours(), "--oracle",
                                "impl:cpu", "--json", "-"})
                        .json(0);
  EXPECT_TRUE(includes(json, {{"ran", json.at("planned")}, {"agree", json.at("ran")}}));
  EXPECT_EQ(json.at("versions").at("plugin"), "upcast impl:cpu");
  // People read the plug-in's name from its manifest, whatever its path is. Programs read the side
  // in the JSON.
  const std::string name = json.at("versions").at("subject.name");
  EXPECT_TRUE(name.starts_with("upcast impl:cpu ")) << name;
  EXPECT_TRUE(json.at("verdict").get<std::string>().starts_with(name)) << json.at("verdict");
  EXPECT_EQ(json.at("verdict").get<std::string>().find(".so"), std::string::npos);
  EXPECT_EQ(json.at("subject"), ours());
  EXPECT_FALSE(json.at("versions").contains("oracle.name")) << "which has no manifest";
}

/// A store must not go on with another build of what it judges: its old verdicts would pass as
/// those of the new build.
TEST(RebuiltPrograms, DoNotContinueARun) {
  use_test_worker();
  const std::string store = temporary_folder() + "/rebuilt.db";
  const std::string plugin = temporary_folder() + "/mine.so";
  const std::string script = temporary_folder() + "/mine.py";
  std::filesystem::copy_file(UPCAST_BINARY_DIR "/plugins/libupcast_impl_plugin.so", plugin,
                             std::filesystem::copy_options::overwrite_existing);
  std::filesystem::copy_file(UPCAST_SOURCE_DIR "/oracle/protocol/testing/echo.py", script,
                             std::filesystem::copy_options::overwrite_existing);
  for (const auto& [file, subject] : {std::pair{plugin, "plugin:" + plugin},
                                      std::pair{script, "process:env PYTHONPATH=" UPCAST_SOURCE_DIR
                                                        "/oracle/frameworks/python python3 " +
                                                            script}}) {
    const auto once_more = [&, subject = subject] {
      return run(subject, "impl:cpu", {"--out", store}, "10");
    };
    std::filesystem::remove(store);
    const int code = once_more().exit_code;
    EXPECT_TRUE(prints(once_more(), code, {"resumed: 7 cases of an earlier session"})) << "control";
    std::ofstream(file, std::ios::app) << "\n";
    const std::string name = std::filesystem::path(file).filename();
    EXPECT_TRUE(complains(once_more(), {"holds another run (programs: '", name}));
  }
}

}  // namespace
}  // namespace upcast::tools::testing
