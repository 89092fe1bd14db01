// Tests of a user's mistakes: each gives one line that names place and remedy, and exit code 2.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

struct BadInput {
  const char* name;
  Words arguments;
  Words said;  // texts that the error message must contain
};

void PrintTo(const BadInput& input, std::ostream* out) { *out << input.name; }

std::string good_store() {
  static const std::string path = [] {
    std::string made = temporary_folder() + "/good.db";
    run_upcast({"run", "add(float32[1], float32[1])", "--subject", "test:right", "--oracle",
                "test:right", "--out", made, "--known", write_file("none.toml", "")});
    return made;
  }();
  return path;
}

/// The path of a run store in which a byte in the middle is changed.
std::string corrupt_store() {
  std::string path = temporary_folder() + "/corrupt.db";
  std::filesystem::copy_file(good_store(), path, std::filesystem::copy_options::overwrite_existing);
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(path) / 2));
  file << std::string(3000, '\xa5');
  return path;
}

/// Replaces "@good" and "@corrupt" by run stores that a command makes. The table of inputs has only
/// the names, because listing the tests must not run commands.
std::string made(const std::string& argument) {
  return argument == "@good" ? good_store() : argument == "@corrupt" ? corrupt_store() : argument;
}

std::vector<BadInput> bad_inputs() {
  const std::string good = "add(float32[1], float32[1])";
  const Words run{"run", good, "--subject", "test:right", "--oracle", "test:right"};
  const std::string known = write_file("bad_known.toml", "[[difference]]\nid = 'x'\n");
  const std::string empty = write_file("empty.cases", "# nothing\n");
  const std::string broken =
      write_file("broken.cases", "# a comment\n\nadd(int32[3], float99[3])\n");
  const std::string text = write_file("text.db", "this is not a run store, but it is long enough");
  return {
      {"NoSubcommand", {}, {"subcommand"}},
      {"UnknownSubcommand", {"walk"}, {"walk"}},
      {"UnknownOption", {"run", "--grit", "promotion"}, {"--grit"}},
      {"MalformedCase", {"run", "add(int32[3]"}, {"add(int32[3]", ":13:"}},
      {"MalformedCaseOfExplain", {"explain", "add(int32[3"}, {"column"}},
      {"UnknownOp", {"run", "ad(int32[3], 5.5)"}, {"ad", "add"}},
      {"UnknownDType", {"run", "add(int33[3], 5.5)"}, {"int33", "int32"}},
      {"UnknownGrid", {"run", "--grid", "promotoin"}, {"promotoin", "promotion"}},
      {"UnknownSubject", {"run", good, "--subject", "impl:gpu"}, {"impl:gpu", "impl:cpu"}},
      {"UnknownOracle", {"run", good, "--oracle", "torch"}, {"torch", "impl:cpu"}},
      {"NothingToRun", {"run"}, {"--grid"}},
      {"GridAndCases", {"run", good, "--grid", "smoke"}, {"--grid"}},
      {"MissingCasesFile", {"run", "--cases", "/nowhere/x.cases"}, {"/nowhere/x.cases"}},
      {"EmptyCasesFile", {"run", "--cases", empty}, {"empty.cases"}},
      {"FaultInACasesFile", {"run", "--cases", broken}, {"broken.cases:3:", "float99"}},
      {"MissingKnownFile", {"run", good, "--known", "/nowhere/k.toml"}, {"/nowhere/k.toml"}},
      {"FaultInTheKnownFile", {"run", good, "--known", known}, {"bad_known.toml:1"}},
      {"BadShard", {"run", good, "--shard", "3/2"}, {"3/2", "I/N"}},
      {"BadJobs", {"run", good, "--jobs", "0"}, {"--jobs"}},
      {"BadTimeLimit", {"run", good, "--time-limit", "soon"}, {"--time-limit"}},
      {"UnwritableStore", joined(run, {"--out", "/nowhere/run.db"}), {"/nowhere/run.db"}},
      {"StoreThatIsAFolder", joined(run, {"--out", temporary_folder()}), {temporary_folder()}},
      {"StoreThatIsNone", joined(run, {"--out", text}), {"text.db"}},
      {"CorruptStore", {"report", "@corrupt"}, {"corrupt.db"}},
      {"MissingStore", {"report", "/nowhere/run.db"}, {"/nowhere/run.db"}},
      {"UnwritableHtml", {"report", "@good", "-o", "/nowhere/r.html"}, {"/nowhere/r.html"}},
      {"UnknownCommand", {"raport"}, {"there is no command 'raport'; did you mean report?"}},
      {"HelpOfAnUnknownCommand", {"help", "expalin"}, {"did you mean explain?"}},
      {"UnknownShell", {"completion", "csh"}, {"csh", "bash"}},
      {"JsonOfWhatIsNoList", {"list", "cells", "numpy_2.4.6", "--json", "-"}, {"--json"}},
      {"UnwritableJson", joined(run, {"--json", "/nowhere/r.json"}), {"/nowhere/r.json"}},
      {"UnknownRulebook",
       {"run", "--grid", "rulebooks", "--subject", "rulebook:nope"},
       {"nope", "paddle-document", "array-api"}},
      {"UnknownRulebookTable",
       {"run", "--grid", "rulebooks", "--oracle", "table:numpy_2.4.7"},
       {"numpy_2.4.7", "numpy_2.4.6"}},
      {"RulebookThatClaimsNoCellOfATable",
       {"run", "--grid", "rulebooks", "--subject", "rulebook:jax-x32", "--oracle",
        "table:jax_0.10.2_x64"},
       {"jax-x32", "claims no cell"}},
      {"SubjectThatIsNoRulebook",
       {"run", "--grid", "rulebooks", "--subject", "impl:meta"},
       {"impl:meta", "rulebook:NAME"}},
      {"RulebookOfAnotherGrid",
       {"run", "--grid", "smoke", "--subject", "rulebook:jax-x64"},
       {"rulebook:jax-x64", "--grid rulebooks"}},
      {"FaultInTheDeclarations",
       {"run", "--grid", "rulebooks", "--known", known},
       {"bad_known.toml:1", "declared"}},
      {"UnknownRulebookOfExplain",
       {"explain", good, "--rulebook", "nope"},
       {"nope", "numpy-legacy"}},
      {"BaselineWithoutPage",
       {"report", "@good", "--baseline", "@good"},
       {"--baseline", "-o FILE"}},
      {"BaselineThatIsNotThere",
       {"report", "@good", "-o", "/tmp/r.html", "--baseline", "/nowhere/old.db"},
       {"/nowhere/old.db"}},
      {"CampaignThatIsNone",
       {"report", "@good", "-o", "/tmp/r.html", "--fuzz", "@corrupt"},
       {"corrupt.db", "upcast fuzz --json"}},
      {"SweepThatIsNone",
       {"report", "@good", "-o", "/tmp/r.html", "--sweep", "@corrupt"},
       {"corrupt.db", "upcast sweep --json"}},
      {"MarkdownWithoutRulebooks", {"report", "@good", "--markdown", "x.md"}, {"--markdown"}},
      {"UnknownList", {"list", "opps"}, {"opps", "ops"}},
      {"UnknownOracleOfExplain", {"explain", good, "--oracle", "torch"}, {"torch"}},
  };
}

class BadInputs : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadInputs, IsOneLineAndExitCodeTwo) {
  use_test_worker();
  Words arguments = GetParam().arguments;
  std::transform(arguments.begin(), arguments.end(), arguments.begin(), made);
  const bool names_known =
      std::find(arguments.begin(), arguments.end(), "--known") != arguments.end();
  if (!arguments.empty() && arguments[0] == "run" && !names_known) {
    arguments.insert(arguments.end(), {"--known", write_file("none.toml", "")});
  }
  EXPECT_TRUE(complains(run_upcast(arguments), GetParam().said));
}

INSTANTIATE_TEST_SUITE_P(Command, BadInputs, ::testing::ValuesIn(bad_inputs()),
                         [](const auto& input) { return std::string(input.param.name); });

TEST(BadInputs, MissingWorkerIsAUsageError) {
  setenv("UPCAST_WORKER", "/nowhere/worker", 1);
  EXPECT_TRUE(complains(
      run_upcast({"run", "add(float32[1], float32[1])", "--known", write_file("none.toml", "")}),
      {"/nowhere/worker"}));
  use_test_worker();
}

TEST(BadInputs, UnknownCapabilityIsAUsageErrorOfTheCommand) {
  const char* const set = std::getenv("UPCAST_CAPABILITY");
  const std::string before = set == nullptr ? "" : set;
  setenv("UPCAST_CAPABILITY", "nonsense", 1);
  EXPECT_TRUE(complains(
      run_upcast({"run", "add(float32[1], float32[1])", "--known", write_file("none.toml", "")}),
      {"upcast: UPCAST_CAPABILITY: unknown capability 'nonsense'"}));
  if (set == nullptr)
    unsetenv("UPCAST_CAPABILITY");
  else
    setenv("UPCAST_CAPABILITY", before.c_str(), 1);
}

}  // namespace
}  // namespace upcast::tools::testing
