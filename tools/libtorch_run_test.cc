// Tests of `upcast run` and other commands with LibTorch itself as a side.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <map>

#include "cases/known_differences.h"
#include "cases/notation.h"
#include "cases/text_file.h"
#include "impl/core/capability.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

constexpr const char* kKiller =
    "div.Tensor_mode(int32[2]{-2147483648,1}, int32[2]{-1,1}, rounding_mode=\"trunc\")";

Json run_json(const Words& arguments) {
  unsetenv("UPCAST_WORKER");
  return run_upcast(joined({"run", "--json", "-"}, arguments)).json();
}

/// Tests that the module of CUDA kernels can be loaded: the worker has every symbol that the module
/// needs. Without a device the run then ends with exit code 2.
TEST(LibTorchRun, TheCudaModuleLoadsWithoutADevice) {
#ifndef UPCAST_HAVE_CUDA
  GTEST_SKIP() << "this build has no CUDA kernels: it was configured without nvcc";
#endif
  unsetenv("UPCAST_WORKER");
  const CommandResult result =
      run_upcast({"run", "add(float32[3], float32[3])", "--subject", "impl:cuda"});
  if (result.exit_code == 0) return;  // the machine has a GPU
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(holds(result.err, "impl:cuda needs a CUDA device"));
}

TEST(LibTorchRun, AStoreNamesTheBuildOfEachProgramThatAnswered) {
  const std::string store = temporary_folder() + "/programs.db";
  std::filesystem::remove(store);
  const Json json = run_json({"add(int32[3], 5.5)", "--subject", "impl:emulated", "--out", store});
  const std::string programs = json.at("versions").at("programs");
  for (const char* name : {"libtorch_cpu.so ", "libupcast_emulated.so ", "upcast-worker "})
    EXPECT_TRUE(holds(programs, name)) << programs;
  EXPECT_FALSE(holds(programs, "unknown")) << programs;
  EXPECT_EQ(std::count(programs.begin(), programs.end(), ','), 2) << programs;
}

TEST(LibTorchRun, DeathOfLibTorchIsTheVerdictOfOneCase) {
  const std::string nothing = write_file("nothing.toml", "");
  const Json json =
      run_json({"add(int32[3], 5.5)", kKiller, "mul(int32[3], 5.5)", "--known", nothing});
  EXPECT_TRUE(includes(
      json, {{"ran", 3}, {"agree", 2}, {"crash", 1}, {"exit_code", 1}, {"worker_deaths", 1}}));
}

TEST(LibTorchRun, NativePathsAnswerFromAProcessOfTheirOwn) {
  const std::string nothing = write_file("nothing.toml", "");
  const Json json = run_json({"add(float32[300], float32[300])", kKiller, "mul(int32[3], 5.5)",
                              "frexp.Tensor(float16[4])", "--known", nothing, "--subject",
                              "libtorch:cpu?capability=native"});
  EXPECT_TRUE(includes(json, {{"ran", 4}, {"agree", 3}}));
  EXPECT_EQ(json.at("crash"), 1) << "both sides die of it";
  EXPECT_GT(json.at("values_judged"), 300);
}

TEST(LibTorchRun, DeclaredDeathIsKnown) {
  const Json json = run_json({"add(int32[3], 5.5)", kKiller});
  EXPECT_TRUE(includes(json, {{"known", 1}, {"unexplained", 0}, {"exit_code", 0}}));
}

TEST(LibTorchRun, ExpectationsHoldForBothSides) {
  const Json json =
      run_json({"add(int32[3], 5.5) -> float32[3]", "sub(bool[2], float32[2]) -> refuses",
                "add(int64[3], 2.5) @default=float64 -> float64[3]"});
  EXPECT_EQ(json.at("agree"), 3);
  const Json wrong = run_json({"add(int32[3], 5.5) -> float64[3]"});
  EXPECT_TRUE(includes(wrong, {{"expectation", 1}, {"exit_code", 1}}));
}

TEST(LibTorchRun, EveryLineOfTheCaseFilesHoldsForBothSides) {
  Words arguments;
  std::size_t lines = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(UPCAST_SOURCE_DIR "/cases")) {
    if (entry.path().extension() != ".cases") continue;
    arguments.insert(arguments.end(), {"--cases", entry.path().string()});
    lines += load_cases(entry.path().string()).size();
  }
  ASSERT_GT(lines, 1500U);
  EXPECT_TRUE(includes(run_json(arguments),
                       {{"ran", lines}, {"unexplained", 0}, {"not_judged", 0}, {"exit_code", 0}}));
}

/// Runs the case of each known difference about a side ("" means libtorch:cpu), and expects that
/// each has the verdict known.
void expect_all_live(const std::string& side, const Words& run) {
  Words arguments;
  for (const KnownDifference& known :
       load_known_differences(UPCAST_SOURCE_DIR "/cases/known_differences.toml"))
    if (known.subject == side) arguments.push_back(known.case_line);
  const std::size_t entries = arguments.size();
  ASSERT_GT(entries, 0U);
  EXPECT_TRUE(includes(run_json(joined(arguments, run)), {{"known", entries}, {"exit_code", 0}}));
}

TEST(LibTorchRun, EveryKnownDifferenceIsLiveOnItsOwnCase) { expect_all_live("", {}); }

TEST(LibTorchRun, EveryKnownDifferenceOfTheMetaDeviceIsLiveOnItsOwnCase) {
  expect_all_live("libtorch:meta", {"--subject", "impl:meta", "--oracle", "libtorch:meta"});
}

TEST(LibTorchRun, EveryKnownDifferenceOfAnEmulatedGpuIsLiveOnItsOwnCase) {
  const std::string gpu = "impl:emulated?device=cuda";
  expect_all_live(gpu, {"--subject", gpu, "--oracle", "libtorch:meta"});
}

TEST(LibTorchRun, EveryKnownDifferenceOfTheVectorPathsIsLiveOnItsOwnCase) {
  if (best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  for (const char* capability : {"avx2", "native"})
    expect_all_live("libtorch:cpu?capability=native",
                    {"--subject", std::string("libtorch:cpu?capability=") + capability});
}

TEST(LibTorchRun, EveryKnownDifferenceOfOneDnnIsLiveOnItsOwnCase) {
  if (best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  const std::string onednn = "libtorch:cpu?capability=native&onednn=on";
  expect_all_live(onednn, {"--subject", onednn});
  expect_all_live(onednn, {"--oracle", onednn});
}

/// A known difference, as TOML, that selects the case `line` and declares a wrong answer for it.
std::string entry(const std::string& id, const std::string& kind, const std::string& oracle,
                  const std::string& line) {
  return "[[difference]]\nid = '" + id + "'\nselect = '" + line + "'\nkind = '" + kind +
         "'\noracle = '" + oracle +
         "'\nclass = 'bug'\nwitness = 'majority: a, test'\nlibtorch = '>=2.11'\nreason = 'a test'" +
         "\nfound = '2026-11-22'\ncase = '" + line + "'\ntruth = 'float32'\n" +
         (kind == "value" ? "no_truth = 'a test'\n" : "");
}

TEST(LibTorchRun, KnownDifferenceThatNoLongerOccursFailsTheRun) {
  const std::string line = "add.Tensor(int32[3], 5.5)";
  const Json json =
      run_json({line, "--known", write_file("stale.toml", entry("gone", "value", "nan", line))});
  EXPECT_TRUE(includes(json, {{"agree", 1}, {"stale_known", Json{"gone"}}, {"exit_code", 1}}));
}

TEST(LibTorchRun, OverlappingKnownDifferencesFailTheRun) {
  const std::string both =
      entry("one", "crash", "crash", kKiller) + entry("two", "crash", "crash", kKiller);
  const Json json =
      run_json({"add.Tensor(int32[3], 5.5)", kKiller, "--known", write_file("overlap.toml", both)});
  ASSERT_EQ(json.at("overlapping_known").size(), 1U);
  EXPECT_TRUE(holds(json.at("overlapping_known")[0].get<std::string>(), "one and two"));
  EXPECT_EQ(json.at("exit_code"), 1);
  const std::string kinds = entry("one", "crash", "crash", kKiller) +
                            entry("two", "value", "nan", "add.Tensor(int32[3], 5.5)");
  EXPECT_TRUE(run_json({kKiller, "--known", write_file("apart.toml", kinds)})
                  .at("overlapping_known")
                  .empty());
}

TEST(LibTorchRun, MetaJudgesDTypesWithoutValues) {
  const Json json = run_json({"add(int32[3], 5.5)", "--oracle", "libtorch:meta"});
  EXPECT_TRUE(includes(json, {{"agree", 1}, {"exit_code", 0}}));
}

TEST(LibTorchRun, MetaIsAWitnessForStridesWhereNothingIsCopied) {
  // On the CPU an operand of another dtype is copied, and the copy decides the strides of the
  // result. On the meta device nothing is copied, and its stride of 0 decides nothing.
  const std::string line = "add(int32[2,3]:strides(0,1), float32[2,3]:strides(1,2))";
  const Json planned = run_json({line, "--subject", "impl:meta", "--oracle", "libtorch:meta"});
  EXPECT_TRUE(includes(planned, {{"agree", 1}, {"values_judged", 0}}));
  EXPECT_EQ(run_json({line}).at("agree"), 1);
  const Json apart = run_json({line, "--oracle", "libtorch:meta"});
  EXPECT_EQ(apart.at("unexplained"), 1) << apart;
}

TEST(LibTorchRun, CudaWithoutADeviceIsOneLineAndExitCodeTwo) {
  if (std::filesystem::exists("/dev/nvidiactl")) GTEST_SKIP() << "this machine has a CUDA driver";
  unsetenv("UPCAST_WORKER");
  for (const char* side : {"--oracle", "--subject"}) {
    EXPECT_TRUE(complains(run_upcast({"run", "add(int32[3], 5.5)", side, "libtorch:cuda"}),
                          {"upcast: libtorch:cuda needs a CUDA device"}));
  }
}

TEST(LibTorchRun, ExplainShowsItsAnswerWhenAsked) {
  unsetenv("UPCAST_WORKER");
  EXPECT_TRUE(
      prints(run_upcast({"explain", kKiller, "--oracle", "libtorch:cpu"}), 0, {"crash(SIGFPE)"}));
}

TEST(LibTorchRun, TheReportTellsAKnownDifferenceInFull) {
  const std::string folder = temporary_folder();
  run_json(
      {"add(int32[3], 5.5)", "mul.Tensor(float8_e5m2[1]{1}, 2.5)", "--out", folder + "/run.db"});
  const std::string page = folder + "/report.html";
  ASSERT_EQ(run_upcast({"report", folder + "/run.db", "-o", page}).exit_code, 0);
  const std::string text = file_text(page);
  const std::string head = "id=\"upcast-data\">";
  const std::size_t start = text.find(head) + head.size();
  const Json data = Json::parse(text.substr(start, text.find("</script", start) - start));
  const Json& stories = data.at("runs").at(0).at("stories");
  EXPECT_EQ(stories.at("cases"), Json::array({1})) << "the case that agrees is not told";
  EXPECT_TRUE(holds(stories.at("python").get<std::string>(), "import torch"));
  EXPECT_TRUE(holds(stories.at("cpp").get<std::string>(), "#include"));
  EXPECT_GT(data.at("accuracy").at("n"), 100);
}

}  // namespace
}  // namespace upcast::tools::testing
