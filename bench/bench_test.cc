#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "bench/elementwise_bench.h"
#include "bench/promotion_bench.h"

namespace upcast::bench {
namespace {

TEST(PromotionBench, HasARowForEveryPairOfKinds) {
  const std::vector<Row> rows = promotion_rows();  // checks that both sides answer alike
  for (const std::string a : {"dim", "zero", "wrapped"})
    for (const std::string b : {"dim", "zero", "wrapped"})
      EXPECT_TRUE(
          std::any_of(rows.begin(), rows.end(),
                      [&](const Row& row) { return row.name == "result_type/" + a + "_" + b; }))
          << a << "_" << b;
  for (const Row& row : rows)
    EXPECT_GT(row.ours, 0.1) << row.name << ": the compiler has folded the work away";
}

TEST(ElementwiseBench, RunsEveryRowSlowestFirst) {
  const std::vector<Row> rows = elementwise_rows("", 48);  // checks that no call is refused
  for (const std::string group : {"same/", "mixed/", "scalar/", "math/", "strided/"})
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const Row& row) {
      return row.name.starts_with(group);
    })) << group;
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end(),
                             [](const Row& a, const Row& b) { return a.ratio() < b.ratio(); }));
}

TEST(ElementwiseBench, RunsTheRowsOfAFilterOnly) {
  const std::vector<Row> rows = elementwise_rows("same/eq", 48);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].name, "same/eq int64");
}

/// Bytes an element: those that no call can do without, and those between strided elements.
TEST(ElementwiseBench, CountsTheBytesThatMove) {
  const auto bytes = [](std::string_view name) {
    const std::vector<Row> rows = elementwise_rows(name, 64);
    EXPECT_GT(rows.at(0).predicted, 0) << name;
    return rows.at(0).bytes;
  };
  EXPECT_EQ(bytes("same/eq int64"), 8 + 8 + 1);
  EXPECT_EQ(bytes("same/where float32"), 1 + 4 + 4 + 4);
  EXPECT_EQ(bytes("scalar/mul float16*2.5"), 2 + 2);
  EXPECT_EQ(bytes("strided/add float32 row broadcast"), 4 + 4. / 64 + 4);
  EXPECT_NEAR(bytes("strided/add float32 every second"), 8 + 8 + 4, 0.01);
}

int exit_code_of(const std::string& arguments) {
  const std::string command =
      std::string(UPCAST_BINARY_DIR) + "/bin/upcast-bench " + arguments + " >/dev/null 2>&1";
  return WEXITSTATUS(std::system(command.c_str()));
}

TEST(BenchCommand, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(exit_code_of("nonsense"), 2);
  EXPECT_EQ(exit_code_of("--json"), 2);
  EXPECT_EQ(exit_code_of("--filter"), 2);
  EXPECT_EQ(exit_code_of("call --filter add"), 2);
  EXPECT_EQ(exit_code_of("elementwise --filter 'no such row'"), 2);
  EXPECT_EQ(exit_code_of("gpu --filter 'no such row'"), 2);
  EXPECT_EQ(exit_code_of("gpu --predict Voodoo2"), 2);
  EXPECT_EQ(exit_code_of("call --predict H200"), 2);
  EXPECT_EQ(exit_code_of("gpu call"), 2);
  EXPECT_EQ(exit_code_of("--help"), 0);
}

TEST(BenchCommand, PredictsWithoutAGpu) {
  EXPECT_EQ(exit_code_of("gpu --predict H200 --filter 2^28"), 0);
}

TEST(BenchCommand, GpuWantsOne) {
  if (std::filesystem::exists("/dev/nvidia0")) GTEST_SKIP() << "there is a GPU here";
  EXPECT_EQ(exit_code_of("gpu"), 2);
}

TEST(BenchCommand, ReportsAFileThatItCannotWrite) {
  EXPECT_EQ(exit_code_of("promotion --json /dev/full"), 2);
}

}  // namespace
}  // namespace upcast::bench
