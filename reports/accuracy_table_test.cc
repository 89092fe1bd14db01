#include "reports/accuracy_table.h"

#include <gtest/gtest.h>

#include <cmath>

#include "impl/core/error.h"

namespace upcast::reports {
namespace {

constexpr const char* kTable = R"([
  {"op": "exp", "dtype": "float16", "side": "impl:cpu", "max_ulp": 0.5, "mean_ulp": 0.2,
   "correctly_rounded": 1.0, "misplaced": 0, "undecided": 0, "inputs": 65536, "exhaustive": true,
   "worst": [["0x3c00", 0.5], ["0x0001", 0.4]], "edges": [0.5, 1.0], "histogram": [10, 2, 0],
   "date": "2026-11-22"},
  {"op": "exp", "dtype": "float64", "side": "impl:cpu", "max_ulp": 0.51, "mean_ulp": 0.2,
   "correctly_rounded": 1.0, "misplaced": 0, "inputs": 100, "exhaustive": false, "worst": "0x0"},
  {"op": "exp", "dtype": "float16", "side": "libtorch:cpu?capability=native", "max_ulp": null,
   "mean_ulp": 1, "correctly_rounded": 0.9, "misplaced": 1, "inputs": 65536, "exhaustive": true},
  {"op": "exp", "dtype": "float16", "side": "glibc", "max_ulp": 0.5, "mean_ulp": 0.2,
   "correctly_rounded": 1.0, "misplaced": 0, "inputs": 65536, "exhaustive": true, "worst": []},
  {"op": "frac", "dtype": "int8", "side": "impl:cpu", "refused": "our promotion refuses it"}
])";

constexpr const char* kSweep = R"({"op": "exp", "dtype": "float16", "exhaustive": true,
  "inputs": 65536, "versions": {"impl": "0.1.0"}, "sides": {
  "impl:cpu": {"max_ulp": 0.75, "mean_ulp": 0.2, "correctly_rounded": 1.0, "misplaced": 0,
    "undecided": 0, "inputs": 65536, "worst": [{"input": "0x7bff", "ulp": 0.75}],
    "histogram_edges": [0.5], "histogram": [10, 2]}}})";

AccuracyTable table() {
  AccuracyTable made;
  made.add_table(kTable, "table");
  return made;
}

TEST(AccuracyTable, ReadsATable) {
  const AccuracyTable made = table();
  ASSERT_EQ(made.rows.size(), 4u) << "what was refused has no errors";
  EXPECT_EQ(made.rows[0].worst.at(1).input, "0x0001");
  EXPECT_EQ(made.rows[0].histogram, (std::vector<int64_t>{10, 2, 0}));
  EXPECT_EQ(made.rows[0].date, "2026-11-22");
  EXPECT_EQ(made.rows[1].worst.at(0).ulp, 0.51);
  EXPECT_TRUE(std::isinf(made.rows[2].max_ulp));
}

TEST(AccuracyTable, ASweepReplacesItsRow) {
  AccuracyTable made = table();
  made.add_sweep(kSweep, "sweep");
  ASSERT_EQ(made.rows.size(), 4u);
  EXPECT_EQ(made.rows.back().max_ulp, 0.75);
  EXPECT_EQ(made.rows.back().worst.at(0).input, "0x7bff");
  made.add_table(kTable, "again");
  EXPECT_EQ(made.rows.size(), 4u) << "what is there stays";
}

TEST(AccuracyTable, AShardIsNotEveryInput) {
  AccuracyTable made;
  made.add_sweep(kSweep, "sweep");
  EXPECT_TRUE(made.rows.at(0).exhaustive);
  EXPECT_EQ(made.rows.at(0).version, "0.1.0");
  std::string shard = kSweep;
  const std::string whole = R"("undecided": 0, "inputs": 65536)";
  shard.replace(shard.find(whole), whole.size(), R"("undecided": 0, "inputs": 32768)");
  made.add_sweep(shard, "shard");
  EXPECT_FALSE(made.rows.at(0).exhaustive);
}

TEST(AccuracyTable, SidesHaveTheirOtherSettingsNextToThem) {
  const AccuracyTable chosen = table().of_sides({"impl:cpu", "libtorch:cpu"});
  ASSERT_EQ(chosen.rows.size(), 3u) << "no glibc";
  EXPECT_EQ(chosen.rows[1].side, "libtorch:cpu?capability=native");
  EXPECT_TRUE(table().of_sides({"plugin:x.so"}).rows.empty());
}

TEST(AccuracyTable, BoundsAreThoseOfTheClassSaveForExceptions) {
  AccuracyTable made;
  made.add_bounds(R"(
[class.special]
float16 = 0.501
float64 = 4.0
float8 = 0.5
ops = ["erf", "polygamma"]
[[exception]]
op = "polygamma"
dtypes = ["float64"]
bound = 1000
reason = "zeros"
[[exception]]
op = "erf"
dtypes = ["float64"]
scale = 0.1
reason = "no bound of its own"
)",
                  "bounds");
  EXPECT_EQ(made.bounds.at({"erf", DType::kFloat16}), 0.501);
  EXPECT_EQ(made.bounds.at({"erf", DType::kFloat64}), 4.0);
  EXPECT_EQ(made.bounds.at({"erf", DType::kFloat8E4M3FNUZ}), 0.5);
  EXPECT_EQ(made.bounds.at({"polygamma", DType::kFloat64}), 1000);
}

TEST(AccuracyTable, AFileOfAnotherKindIsTheUsersMistake) {
  AccuracyTable made;
  for (const char* text : {"", "{}", "[1]", R"([{"op": "exp"}])"}) {
    EXPECT_THROW(made.add_sweep(text, "f.json"), UsageError) << text;
  }
  for (const char* text : {"", "[1]", R"([{"op": "exp"}])"}) {
    EXPECT_THROW(made.add_table(text, "f.json"), UsageError) << text;
  }
  EXPECT_THROW(made.add_bounds("= 3", "f.toml"), UsageError);
  std::string wrong = kSweep;
  wrong.replace(wrong.find("float16"), 7, "float17");
  EXPECT_THROW(made.add_sweep(wrong, "f.json"), UsageError);
}

}  // namespace
}  // namespace upcast::reports
