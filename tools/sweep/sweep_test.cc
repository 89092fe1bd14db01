// Tests of upcast sweep, as a user runs it.
#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <sstream>

#include "cases/text_file.h"
#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

CommandResult run_sweep(const Words& arguments) { return run_upcast(joined({"sweep"}, arguments)); }

/// Runs `upcast sweep`, and returns the object `sides` of its JSON. `complete`: whether it must say
/// that all inputs are done; a shard does not.
Json sides_of(const Words& arguments, bool complete = true) {
  const Json json = run_sweep(joined(arguments, {"--json", "-"})).json(0);
  EXPECT_EQ(json.value("complete", !complete), complete);
  return json.value("sides", Json::object());
}

Words sample(const Words& more) {
  return joined({"tan", "--dtype", "float32", "--samples", "300000", "--side", "impl:cpu"}, more);
}

TEST(Sweep, SeesEveryInput) {
  const Json sides =
      sides_of({"sin", "--dtype", "float16", "--side", "impl:cpu", "--side", "truth"});
  const Json& ours = sides["impl:cpu"];
  EXPECT_TRUE(includes(ours, {{"inputs", 65536}, {"misplaced", 0}}));
  EXPECT_LE(ours["max_ulp"], 0.501);
  // float16 has 63,488 finite numbers, and sin of each is finite
  const auto histogram = ours["histogram"].get<std::vector<std::int64_t>>();
  EXPECT_EQ(std::accumulate(histogram.begin(), histogram.end(), std::int64_t{0}), 63488);
  // our implementation computes in float32 and rounds twice, so four results are not correctly
  // rounded
  EXPECT_NEAR(ours["correctly_rounded"].get<double>(), 1 - 4.0 / 65536, 1e-12);
  EXPECT_EQ(sides["truth"]["correctly_rounded"], 1.0);
  EXPECT_LE(sides["truth"]["max_ulp"], 0.5);
}

TEST(Sweep, SeesEveryPairOfTwoOperands) {
  const Json sides = sides_of({"mul", "--dtype", "float8_e5m2", "--side", "impl:cpu"});
  EXPECT_TRUE(includes(sides["impl:cpu"], {{"inputs", 65536}, {"correctly_rounded", 1.0}}));
}

TEST(Sweep, SeesEveryPairOfIntegersAndDivisionsByZero) {
  const Json sides = sides_of({"floor_divide", "--dtype", "int8", "--side", "impl:cpu"});
  EXPECT_TRUE(
      includes(sides["impl:cpu"], {{"inputs", 65536}, {"correctly_rounded", 1.0}, {"max_ulp", 0}}));
}

TEST(Sweep, MeasuresComplexNumbersAndRealResultsOfThem) {
  const Words options{"--dtype", "complex64", "--samples", "4096",
                      "--side",  "impl:cpu",  "--side",    "truth"};
  for (const std::string op : {"exp", "abs"}) {
    const Json sides = sides_of(joined({op}, options));
    EXPECT_EQ(sides["impl:cpu"]["inputs"], 4096) << op;
    EXPECT_LE(sides["impl:cpu"]["max_ulp"], 1) << op;
    EXPECT_GT(sides["impl:cpu"]["max_ulp"], 0.25) << op;
    EXPECT_EQ(sides["truth"]["correctly_rounded"], 1.0) << op;
  }
}

TEST(Sweep, ADegreeIsASmallNumber) {
  const Json sides = sides_of({"special_hermite_polynomial_h", "--dtype", "float64", "--samples",
                               "65536", "--side", "impl:cpu"});
  EXPECT_TRUE(includes(sides["impl:cpu"], {{"inputs", 65536}, {"undecided", 0}}));
  EXPECT_TRUE(holds(sides["impl:cpu"]["worst"][0]["input"].get<std::string>(), "order"));
}

TEST(Sweep, TheListNamesCompositionsAndWhyTheyHaveNoTruth) {
  const CommandResult result = run_sweep({"--list"});
  EXPECT_TRUE(holds(result.out, "isclose"));
  EXPECT_TRUE(holds(result.out, "no truth: the difference, the tolerance"));
}

TEST(Sweep, ABatchAnswersLineByLine) {
  const CommandResult result =
      run_upcast({"sweep", "--batch", "--jobs", "1"},
                 R"({"op": "sin", "dtype": "float16", "sides": ["impl:cpu"]}
{"op": "nope", "dtype": "float16", "sides": ["impl:cpu"]}
neither
{"op": "mul", "dtype": "uint8", "sides": ["impl:cpu"]}
)");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  std::istringstream lines(result.out);
  std::vector<Json> answers;
  for (std::string line; std::getline(lines, line);) answers.push_back(Json::parse(line));
  ASSERT_EQ(answers.size(), 4U) << result.out;
  EXPECT_EQ(answers[0]["op"], "sin");
  EXPECT_TRUE(answers[1].contains("error"));
  EXPECT_TRUE(answers[2].contains("error"));
  EXPECT_EQ(answers[3]["sides"]["impl:cpu"]["correctly_rounded"], 1.0);
}

TEST(Sweep, GoesOnWhereItStopped) {
  const std::string file = temporary_folder() + "/sweep.ndjson";
  const Json whole = sides_of(sample({"--out", file}));
  const std::string kept = file_text(file);
  ASSERT_EQ(std::count(kept.begin(), kept.end(), '\n'),
            7);  // lines: a header, versions, five chunks
  std::size_t cut = 0;
  for (int line = 0; line < 4; ++line) cut = kept.find('\n', cut) + 1;
  // The file now ends within the third chunk.
  std::ofstream(file, std::ios::binary) << kept.substr(0, cut + 40);
  EXPECT_EQ(sides_of(sample({"--out", file})), whole);
  // The cut line stays, and ends. The third, fourth and fifth chunk follow on lines of their own.
  const std::string resumed = file_text(file);
  EXPECT_EQ(std::count(resumed.begin(), resumed.end(), '\n'), 8);
  EXPECT_EQ(sides_of(sample({"--out", file})), whole);
  EXPECT_EQ(file_text(file), resumed) << "nothing was left to run";
}

TEST(Sweep, ShardsAreTheWhole) {
  const Json whole = sides_of(sample({}))["impl:cpu"];
  const Json first = sides_of(sample({"--shard", "1/2"}), false)["impl:cpu"];
  const Json second = sides_of(sample({"--shard", "2/2"}), false)["impl:cpu"];
  EXPECT_EQ(first["inputs"].get<std::int64_t>() + second["inputs"].get<std::int64_t>(),
            whole["inputs"].get<std::int64_t>());
  EXPECT_EQ(std::max(first["max_ulp"].get<double>(), second["max_ulp"].get<double>()),
            whole["max_ulp"].get<double>());
}

TEST(Sweep, AFileOfAnotherSweepIsRefused) {
  const std::string file = temporary_folder() + "/other.ndjson";
  sides_of(sample({"--out", file}));
  const std::string kept = file_text(file);
  EXPECT_TRUE(
      complains(run_sweep({"cos", "--dtype", "float16", "--side", "impl:cpu", "--out", file}),
                {"holds another sweep"}));
  EXPECT_EQ(file_text(file), kept) << "nothing is lost";
}

TEST(Sweep, BadInputIsOneLine) {
  for (const Words& arguments : std::vector<Words>{
           {},
           {"nope"},
           {"sin", "--dtype", "complex64"},  // 2^64 inputs
           {"sin", "--dtype", "float17"},
           {"mul", "--dtype", "float32"},
           {"sin", "--shard", "0/2"},
           {"sin", "--shard", "3/2"},
           {"sin", "--shard", "x"},
           {"sin", "--samples", "0"},
           {"sin", "--side", "nobody"},
           {"bitwise_and", "--dtype", "float16", "--side", "impl:cpu"},
           {"sin", "--side", "impl:cpu", "--out", "/nowhere/at/all"},
       })
    EXPECT_TRUE(complains(run_sweep(arguments)));
}

}  // namespace
}  // namespace upcast::tools::testing
