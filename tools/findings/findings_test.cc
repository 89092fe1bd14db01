// upcast minimize and upcast repro, as a user runs them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "cases/text_file.h"
#include "impl/core/capability.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

constexpr const char* kKiller =
    "div_.Tensor_mode(int32[2,3]{1,2,-2147483648,4,5,6}, int32[3]{2,3,-1}, "
    "rounding_mode=\"trunc\")";

Json minimized(const Words& arguments) {
  return run_upcast(joined({"minimize", "--json", "-"}, arguments)).json(0);
}

TEST(MinimizeCommand, SurvivesACaseThatKillsLibTorch) {
  const Json json = minimized({kKiller});
  EXPECT_TRUE(includes(
      json,
      {{"case", "div.Tensor_mode(int32[1]{-2147483648}, int8[1]{-1}, rounding_mode=\"trunc\")"},
       {"signature", "crash div.Tensor_mode(i32@dim,i8@dim,rounding_mode=trunc) answer->SIGFPE"}}));
  EXPECT_EQ(json.at("hash").get<std::string>().size(), 8U);
}

TEST(MinimizeCommand, FindsTheRefusalOfAScalar) {
  const Json json = minimized({"mul.out(float8_e5m2[4,3]:permuted, 2.5, out=float32[4,3])"});
  EXPECT_TRUE(includes(json, {{"known", "mul-float8-refuses-a-scalar"},
                              {"case", "mul.Tensor(float8_e5m2[1]{1}, True)"}}));
}

TEST(MinimizeCommand, ComparesLibTorchWithItself) {
  if (best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  const Json json = minimized(
      {"neg(complex64[3,7], values=special)", "--subject", "libtorch:cpu?capability=native"});
  EXPECT_EQ(json.at("known"), "vector-neg-of-a-complex-zero");
  EXPECT_LT(json.at("case").get<std::string>().size(), 400U) << json.at("case");
}

TEST(MinimizeCommand, TakesSidesThatAreElsewhere) {
  const Json own = Json::parse(run_upcast({"run", "neg(int8[1])", "--json", "-"}).out);
  const std::string version =
      "libtorch@" + own.at("versions").at("libtorch").get<std::string>() + ":cpu";
  const std::string plugin =
      "plugin:" + std::string(UPCAST_BINARY_DIR) + "/plugins/libupcast_impl_plugin.so";
  for (const auto& [subject, oracle] : {std::pair(plugin, std::string("libtorch:cpu")),
                                        std::pair(std::string("impl:cpu"), version)}) {
    const Json json = minimized({kKiller, "--subject", subject, "--oracle", oracle});
    EXPECT_EQ(json.at("signature"),
              "crash div.Tensor_mode(i32@dim,i8@dim,rounding_mode=trunc) answer->SIGFPE")
        << subject << " beside " << oracle;
  }
  EXPECT_TRUE(complains(run_upcast({"minimize", kKiller, "--oracle", "libtorch@9.8.7:cpu"}),
                        {"ci/libtorch_version.sh 9.8.7"}));
}

TEST(MinimizeCommand, TakesADeathOfAPlugInForAReply) {
  const std::string plugin =
      "plugin:" + std::string(UPCAST_BINARY_DIR) + "/plugins/libbroken_segfault.so";
  const Json json = minimized({"add(float32[4], float32[4])", "--subject", plugin});
  EXPECT_TRUE(holds(json.at("signature").get<std::string>(), "SIGSEGV")) << json;
}

TEST(ReproCommand, AFrameworkThatIsNotThereIsOneLine) {
  EXPECT_TRUE(complains(run_upcast({"repro", kKiller, "--subject", "python:no-such-thing"}),
                        {"ci/frameworks.sh no-such-thing"}));
}

TEST(ReproCommand, WritesBothPrograms) {
  const std::string folder = temporary_folder();
  const CommandResult result = run_upcast(
      {"repro", kKiller, "--cpp", folder + "/repro.cc", "--python", folder + "/repro.py"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(holds(file_text(folder + "/repro.cc"), "judge_survival("));
  EXPECT_TRUE(holds(file_text(folder + "/repro.py"), "judge_survival("));
}

TEST(ReproCommand, CallsThePlugInThatIsWrongAndSaysWhoIs) {
  const std::string file = std::string(UPCAST_BINARY_DIR) + "/plugins/libbroken_other_dtype.so";
  const Words call{"repro", "add(float32[4], float32[4])", "--subject", "plugin:" + file};
  const CommandResult result = run_upcast(call);
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(holds(result.out, "load(\"" + file + "\""));
  EXPECT_TRUE(holds(result.out,
                    "the subject, is wrong here: LibTorch, the oracle, and our own "
                    "rules give dtype float32."));
  EXPECT_TRUE(complains(run_upcast(joined(call, {"--python", "-"})),
                        {"no Python program", "is called from C++"}));
}

TEST(ReproCommand, WritesNoScriptWherePythonCannotMakeTheCall) {
  const std::string folder = temporary_folder();
  const CommandResult result = run_upcast(
      {"repro", "rad2deg(2.5)", "--cpp", folder + "/number.cc", "--python", folder + "/number.py"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(holds(result.err, "no Python program: Python cannot show it; it passes no number"));
  EXPECT_TRUE(holds(file_text(folder + "/number.cc"), "judge_dtype("));
  EXPECT_EQ(file_text(folder + "/number.py"), "");
}

TEST(ReproCommand, WritesShortPrograms) {
  const std::string folder = temporary_folder();
  const CommandResult result =
      run_upcast({"repro", "mul.Tensor(float8_e5m2[2]{0.5,-2}, 2.5)", "--short", "--cpp",
                  folder + "/short.cc", "--python", folder + "/short.py"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(holds(file_text(folder + "/short.py"), "print(torch.mul(x, 2.5))\n"));
  EXPECT_TRUE(holds(file_text(folder + "/short.cc"), "#include <torch/torch.h>\n"));
}

TEST(ReproCommand, WritesTheLongProgramWhereThereIsNoShortOne) {
  const CommandResult result =
      run_upcast({"repro", "mul.Tensor(float8_e5m2[70], 2.5)", "--short", "--python", "-"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_TRUE(holds(result.err, "no short program in Python: a tensor has 70 elements"));
  EXPECT_TRUE(holds(result.out, "judge_refusal("));
}

TEST(ReproCommand, ShortProgramsOfAllWantAFolder) {
  const char* const message = "writes a file of each into --folder FOLDER";
  EXPECT_TRUE(complains(run_upcast({"repro", "--all-known", "--short"}), {message}));
  EXPECT_TRUE(complains(run_upcast({"repro", kKiller, "--short", "--folder", "x"}), {message}));
}

struct Refused {
  const char* name;
  Words arguments;
  const char* message;
};

class FindingsRefuse : public ::testing::TestWithParam<Refused> {};

TEST_P(FindingsRefuse, WithOneLineAndExitCodeTwo) {
  const CommandResult result = run_upcast(GetParam().arguments);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_TRUE(holds(result.err, GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    Commands, FindingsRefuse,
    ::testing::Values(
        Refused{"MinimizeNothing", {"minimize", "add(int32[3], 5.5)"}, "nothing differs in add"},
        Refused{"ReproNothing", {"repro", "add(int32[3], 5.5)"}, "nothing differs in add"},
        Refused{"NoCase", {"minimize"}, "give a case"},
        Refused{"NoCaseLine", {"repro", "add(int32[3]"}, "expected"},
        Refused{"TwoThings", {"repro", "neg(int8[1])", "--all-known"}, "not both"},
        Refused{"NoLibTorch",
                {"repro", "neg(int8[1])", "--subject", "impl:cpu", "--oracle", "impl:emulated"},
                "no program but upcast calls impl:cpu"},
        Refused{"NoPython", {"repro", "rad2deg(2.5)", "--python", "-"}, "no Python program"},
        Refused{
            "UnknownSide", {"minimize", "neg(int8[1])", "--subject", "impl:none"}, "names no side"},
        Refused{"NoFile", {"repro", kKiller, "--cpp", "/nowhere/x.cc"}, "cannot be written"}),
    [](const auto& refused) { return std::string(refused.param.name); });

}  // namespace
}  // namespace upcast::tools::testing
