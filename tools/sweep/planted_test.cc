// Tests that a sweep finds one wrong answer among all inputs, and names its input.
#include <gtest/gtest.h>

#include "tools/testing/command.h"

namespace upcast::tools::testing {
namespace {

Json found_by(const Words& arguments) {
  return run_program("upcast-test-sweep", joined(arguments, {"--json", "-"})).json(0);
}

Json against_the_truth(const std::string& op, const std::string& dtype, const std::string& side) {
  return found_by({op, "--dtype", dtype, "--side", "impl:cpu", "--side", side})
      .value("sides", Json::object());
}

TEST(Planted, OneUlpAtOneInputIsFound) {
  const Json sides = against_the_truth("sin", "float16", "planted:ulp?0x3c01");
  const Json &right = sides["impl:cpu"], &wrong = sides["planted:ulp?0x3c01"];
  EXPECT_LE(right["max_ulp"], 0.501);
  EXPECT_GT(wrong["max_ulp"], 0.501);
  EXPECT_LE(wrong["max_ulp"], 1.5);
  EXPECT_EQ(wrong["max_steps"], 1);
  EXPECT_EQ(wrong["worst"][0]["input"], "0x3c01");
  EXPECT_LE(wrong["worst"][1]["ulp"], 0.501);
  EXPECT_LT(wrong["correctly_rounded"], right["correctly_rounded"]);
  EXPECT_EQ(wrong["misplaced"], 0);
}

TEST(Planted, AnInputOfASampleIsNamedByItsBits) {
  const std::string side = "planted:ulp?0x3c01";  // a side that is wrong at a chunk's element 15361
  const Json wrong =
      found_by({"sin", "--dtype", "float16", "--samples", "65536", "--side", side})["sides"][side];
  EXPECT_GT(wrong["max_ulp"], 0.501);
  EXPECT_EQ(wrong["worst"][0]["input"], "0x509c (element 15361 of seed 0)") << "splitmix64's";
}

TEST(Planted, OneUlpAtOnePairIsFound) {
  const std::string side = "planted:ulp?0x3c41";
  const Json wrong = against_the_truth("mul", "float8_e5m2", side)[side];
  EXPECT_GE(wrong["max_ulp"], 0.5);
  EXPECT_EQ(wrong["worst"][0]["input"], "0x3c, 0x41");
  EXPECT_EQ(wrong["inputs"], 65536);
}

TEST(Planted, OneOffAmongIntegersIsFound) {
  // The side is wrong for every sum whose first operand is 5.
  const std::string side = "planted:ulp?0x05";
  const Json wrong = against_the_truth("add", "int8", side)[side];
  EXPECT_EQ(wrong["max_ulp"], 255) << "127 becomes -128";
  EXPECT_EQ(wrong["worst"][0]["input"], "0x05, 0x7a");
  EXPECT_EQ(wrong["correctly_rounded"], 1 - 256.0 / 65536);
}

TEST(Planted, AFlippedZeroIsFound) {
  const std::string side = "planted:sign?0x8000";
  const Json wrong = against_the_truth("sin", "float16", side)[side];
  EXPECT_TRUE(includes(wrong, {{"misplaced", 1}, {"first_misplaced", "0x8000"}}));
  EXPECT_LE(wrong["max_ulp"], 0.501);
}

TEST(Planted, ANaNForANumberIsFound) {
  for (const std::string dtype : {"float16", "bfloat16"}) {
    const std::string side = "planted:nan?0x3c01";
    const Json wrong = against_the_truth("sin", dtype, side)[side];
    EXPECT_EQ(wrong["misplaced"], 1) << dtype;
    EXPECT_EQ(wrong["first_misplaced"], "0x3c01") << dtype;
  }
}

TEST(Planted, OneOfFloat32IsFoundInItsShard) {
  // Shard 1018 of 4096 holds the input at which the side is wrong.
  const std::string side = "planted:ulp?0x3f900001";
  const Json wrong = found_by(
      {"sqrt", "--dtype", "float32", "--side", side, "--shard", "1018/4096"})["sides"][side];
  EXPECT_EQ(wrong["inputs"], 1 << 20);
  EXPECT_EQ(wrong["worst"][0]["input"], "0x3f900001");
  EXPECT_GT(wrong["max_ulp"], 0.5);
}

TEST(Planted, EachIsFoundWithoutATruthToo) {
  struct Row {
    std::string side, input;
    int stepped, misplaced;
  };
  for (const Row& row :
       {Row{"planted:ulp?0x3c01", "0x3c01", 1, 0}, Row{"planted:sign?0x8000", "0x8000", 0, 1},
        Row{"planted:nan?0x3c01", "0x3c01", 0, 1}}) {
    const Json found = found_by({"sin", "--dtype", "float16", "--paths", "--side", "impl:cpu",
                                 "--side", row.side, "--layout", "strided"});
    const Json &wrong = found["paths"][row.side], &strided = found["paths"]["impl:cpu strided"];
    EXPECT_EQ(strided["different"], 0) << row.side;
    EXPECT_TRUE(includes(
        wrong, {{"different", 1}, {"misplaced", row.misplaced}, {"max_steps", row.stepped}}))
        << row.side;
    EXPECT_EQ(wrong["first"][0]["input"], row.input) << row.side;
  }
}

TEST(Planted, AProcessThatDiesEndsTheSweepWithALine) {
  const Words arguments{"sin",      "--dtype", "float16",           "--side",
                        "impl:cpu", "--side",  "planted:die?0x3c01"};
  for (const Words& paths : {Words{}, Words{"--paths"}})
    EXPECT_TRUE(complains(run_program("upcast-test-sweep", joined(arguments, paths)),
                          {"a process of the sweep died: crash(SIGKILL)"}));
}

}  // namespace
}  // namespace upcast::tools::testing
