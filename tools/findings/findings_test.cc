// Tests of upcast minimize, repro and findings, as a user runs them.
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

constexpr const char* kSimplestKiller =
    "div.Tensor_mode(int64[1]{-9223372036854775808}, int64[1]{-1}, rounding_mode=\"trunc\")";
constexpr const char* kKillerSignature =
    "crash div.Tensor_mode(i64@dim,i64@dim,rounding_mode=trunc) answer->SIGFPE";

Json minimized(const Words& arguments) {
  return run_upcast(joined({"minimize", "--json", "-"}, arguments)).json(0);
}

TEST(FindingsCommand, ListsTheWorstFirst) {
  const Json all = run_upcast({"findings", "list", "--json", "-"}).json(0).at("findings");
  ASSERT_GT(all.size(), 100U);
  EXPECT_EQ(all[0].at("severity"), "crash");
  const Json logit =
      run_upcast({"findings", "list", "--op", "logit", "--severity", "wrong_value", "--json", "-"})
          .json(0)
          .at("findings");
  ASSERT_EQ(logit.size(), 1U);
  EXPECT_TRUE(includes(logit[0], {{"id", "logit-cancels"}, {"python", "torch.logit"}}));
  const Json native =
      run_upcast({"findings", "list", "--side", "native", "--json", "-"}).json(0).at("findings");
  ASSERT_FALSE(native.empty());
  for (const Json& each : native) EXPECT_TRUE(holds(each.at("side"), "native"));
  EXPECT_LT(native.size(), all.size());
  EXPECT_TRUE(
      complains(run_upcast({"findings", "list", "--op", "nothing"}), {"no finding matches"}));
}

TEST(FindingsCommand, WritesAnIssueWithAProgram) {
  const CommandResult issue = run_upcast({"findings", "issue", "logit-cancels"});
  EXPECT_EQ(issue.exit_code, 0) << issue.err;
  for (const char* part : {"# torch.logit gives", "```python\n", "assert ", "## Expected",
                           "| bfloat16 | yes | yes | yes |"})
    EXPECT_TRUE(holds(issue.out, part)) << part << "\n" << issue.out;
  const std::string folder = temporary_folder() + "/issues";
  EXPECT_EQ(run_upcast({"findings", "issue", "--all", "-o", folder}).exit_code, 0);
  EXPECT_TRUE(holds(read_text_file(folder + "/001-div-trunc-kills-the-process"
                                            ".md"),
                    "SIGFPE"));
}

TEST(FindingsCommand, BadInputIsOneLine) {
  EXPECT_TRUE(complains(run_upcast({"findings", "show", "logit-cancel"}),
                        {"no finding 'logit-cancel'; did you mean logit-cancels?"}));
  EXPECT_TRUE(complains(run_upcast({"findings", "issue"}), {"name a finding"}));
  EXPECT_TRUE(complains(run_upcast({"findings", "list", "-o", "x"}),
                        {"--out is for `upcast findings issue`"}));
  EXPECT_TRUE(complains(run_upcast({"findings", "show", "logit-cancels", "--json", "-"}),
                        {"--json is for `upcast findings list`"}));
  EXPECT_EQ(run_upcast({"findings", "list", "--severity", "bad"}).exit_code, 2);
  EXPECT_TRUE(
      complains(run_upcast({"findings", "issue", "--all"}), {"name the folder: -o FOLDER"}));
  EXPECT_TRUE(
      complains(run_upcast({"findings", "issue", "compiled-sub-takes-bool"}), {"has no issue"}));
}

TEST(MinimizeCommand, SurvivesACaseThatKillsLibTorch) {
  const Json json = minimized({kKiller});
  EXPECT_TRUE(includes(json, {{"case", kSimplestKiller}, {"signature", kKillerSignature}}));
  EXPECT_EQ(json.at("hash").get<std::string>().size(), 8U);
}

TEST(MinimizeCommand, FindsTheRefusalOfAScalar) {
  const Json json = minimized({"mul.out(float8_e5m2[4,3]:permuted, 2.5, out=float32[4,3])"});
  EXPECT_TRUE(includes(json, {{"known", "mul-float8-refuses-a-scalar"},
                              {"case", "mul.Tensor(float8_e5m2[1]{0.5}, 1)"}}));
}

TEST(MinimizeCommand, ComparesLibTorchWithItself) {
  if (best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  const Json json = minimized(
      {"neg(complex64[3,7], values=special)", "--subject", "libtorch:cpu?capability=native"});
  EXPECT_EQ(json.at("known"), "vector-neg-of-a-complex-zero");
  EXPECT_LT(json.at("case").get<std::string>().size(), 400U) << json.at("case");
}

/// A finding for which an earlier minimiser found a case of another cause, or one with dtypes and
/// values that a user does not write.
struct Drift {
  const char* name;
  Words arguments;
  const char* known;
  const char* begins;      // the beginning of the simplest case
  const char* wrong_kind;  // the kind that the first and the last error have
  double least;            // the first relative error must be larger than this
  Words once;              // texts that the case must not contain
};

class MinimizeKeepsTheCause : public ::testing::TestWithParam<Drift> {};

TEST_P(MinimizeKeepsTheCause, InDTypeAndOrderOfTheError) {
  const Drift& drift = GetParam();
  if (drift.arguments.size() > 1 && best_capability() < Capability::kV3)
    GTEST_SKIP() << "no AVX2: LibTorch has no vector paths here";
  const Json json = minimized(drift.arguments);
  const std::string found = json.at("case");
  EXPECT_TRUE(found.starts_with(drift.begins)) << found;
  for (const std::string& part : drift.once)
    EXPECT_EQ(found.find(part), std::string::npos) << part << " in " << found;
  EXPECT_EQ(json.at("known"), drift.known);
  const Json &first = json.at("first_error"), &last = json.at("last_error");
  EXPECT_EQ(first.at("wrong_kind"), drift.wrong_kind);
  EXPECT_EQ(last.at("wrong_kind"), drift.wrong_kind);
  if (*drift.wrong_kind == '\0') {
    EXPECT_GT(first.at("relative_error"), drift.least) << "the control";
    EXPECT_GE(last.at("relative_error").get<double>(),
              first.at("relative_error").get<double>() / 10);
  }
  EXPECT_LE(json.at("examined"), 200);
  EXPECT_EQ(json.at("limit_reached"), false);
}

INSTANTIATE_TEST_SUITE_P(
    Findings, MinimizeKeepsTheCause,
    ::testing::Values(
        Drift{"Logit",  // an earlier result was float32[1]{0.49}, off by 7 ulp
              {"logit(bfloat16[2]{0.498,0.3})"},
              "logit-cancels",
              "logit(bfloat16[1]{0.498})",
              "",
              0.4,
              {"float32"}},
        Drift{"Bessel",  // became int16[1]{-32768}
              {"special_bessel_j1(float64[16], values=special, seed=1)"},
              "bessel-denominators-lack-their-leading-one",
              "special_bessel_j1(float64[1]{",
              "",
              1,
              {"int16"}},
        Drift{"BesselOfLargeArguments",  // became int32[1]{100000}
              {"special_bessel_y0(float64[3]{1e5,2e7,3e4})"},
              "bessel-denominators-lack-their-leading-one",
              "special_bessel_y0(float64[1]{",
              "",
              1e-11,
              {"int32"}},
        Drift{"Fmod",  // an earlier result was int64[16] of the largest integer
              {"fmod.Tensor(float32[16]{1e20,1e20,1e20,1e20,1e20,1e20,1e20,1e20,1e20,1e20,1e20,"
               "1e20,1e20,1e20,1e20,1e20}, float32[16]{1e-20,1e-20,1e-20,1e-20,1e-20,1e-20,1e-20,"
               "1e-20,1e-20,1e-20,1e-20,1e-20,1e-20,1e-20,1e-20,1e-20})",
               "--subject", "libtorch:cpu?capability=native"},
              "vector-fmod-of-a-quotient-that-overflows",
              "fmod.Tensor(float32[",
              "NaN for a finite value",
              0,
              {"int64", "bool", "1e-45"}},
        Drift{"FmodOfSpecialValues",  // an earlier result had float32[16] of -1e-45
              {"fmod.Tensor(float32[64], float32[64], values=special, seed=3)", "--subject",
               "libtorch:cpu?capability=native"},
              "vector-fmod-of-a-quotient-that-overflows",
              "fmod.Tensor(float32[",
              "NaN for a finite value",
              0,
              {"int8", "bool", "1e-45"}}),
    [](const auto& drift) { return std::string(drift.param.name); });

TEST(MinimizeCommand, TracesEachQuestion) {
  const CommandResult quiet =
      run_upcast({"minimize", "--json", "-", "logit(bfloat16[2]{0.498,0.3})"});
  const CommandResult traced =
      run_upcast({"minimize", "--json", "-", "--trace", "logit(bfloat16[2]{0.498,0.3})"});
  EXPECT_EQ(traced.json(0), quiet.json(0));
  EXPECT_EQ(std::count(traced.err.begin(), traced.err.end(), '\n') -
                std::count(quiet.err.begin(), quiet.err.end(), '\n'),
            traced.json(0).at("examined").get<int>() - 1);
  EXPECT_TRUE(holds(traced.err, "kept      one element     logit(bfloat16[1]{0.498})\n"));
  EXPECT_TRUE(holds(traced.err, "not kept  another dtype   logit(float32[1]{0.498046"));
  EXPECT_TRUE(holds(traced.err, ", first relative error 0.5\n"));
}

TEST(MinimizeCommand, AsItIsAsksOnce) {
  const Json json = minimized({"logit(bfloat16[2]{0.498,0.3})", "--as-it-is"});
  EXPECT_TRUE(includes(json, {{"case", "logit(bfloat16[2]{0.498,0.3})"},
                              {"known", "logit-cancels"},
                              {"steps", 0},
                              {"examined", 1}}));
  EXPECT_EQ(json.at("first_error"), json.at("last_error"));
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
    EXPECT_EQ(json.at("signature"), kKillerSignature) << subject << " against " << oracle;
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
  EXPECT_TRUE(
      holds(result.err, "no Python program: Python cannot show it; a number cannot be passed"));
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
  const char* const message = "--folder FOLDER belongs to --all-known --short";
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
                "only upcast itself can call impl:cpu"},
        Refused{"NoPython", {"repro", "rad2deg(2.5)", "--python", "-"}, "no Python program"},
        Refused{
            "UnknownSide", {"minimize", "neg(int8[1])", "--subject", "impl:none"}, "names no side"},
        Refused{"NoFile", {"repro", kKiller, "--cpp", "/nowhere/x.cc"}, "cannot be written"}),
    [](const auto& refused) { return std::string(refused.param.name); });

}  // namespace
}  // namespace upcast::tools::testing
