#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "bench/elementwise_bench.h"
#include "bench/group_ratios.h"
#include "bench/promotion_bench.h"
#include "bench/recycled_memory.h"
#include "bench/row_lines.h"
#include "bench/uniform.h"
#include "impl/core/dtype_set.h"

namespace upcast::bench {
namespace {

TEST(PromotionBench, HasARowForEveryPairOfKinds) {
  const std::vector<Row> rows = promotion_rows();  // aborts if both sides' answers differ
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
  const Report report = elementwise_report({.side = 48});
  std::map<std::string, int> rows;
  for (const GroupRatios& group : group_ratios(report.rows)) rows[group.name] = group.rows;
  const std::map<std::string, int> wanted{
      {"same", 15}, {"mixed", 4}, {"scalar", 4}, {"math", 21}, {"strided", 6}};
  EXPECT_EQ(rows, wanted);
  EXPECT_TRUE(report.notes.empty()) << report.notes.at(0);
  EXPECT_TRUE(std::ranges::is_sorted(report.rows, {}, &Row::ratio));
  for (const Row& row : report.rows) {
    EXPECT_LE(row.low_ratio, row.high_ratio) << row.name;
    EXPECT_EQ(row.rounds, kRounds) << row.name;
  }
}

TEST(ElementwiseBench, RunsTheRowsOfAFilterOnly) {
  const Report report = elementwise_report({.filter = "same eq", .side = 48});
  ASSERT_EQ(report.rows.size(), 1U);
  EXPECT_EQ(report.rows[0].name, "same eq.Tensor(int64, int64)");
}

/// Expects rows for an op of each family, in every dtype that both sides take, and for pairs of
/// dtypes.
TEST(ElementwiseBench, RunsAllDTypes) {
  const Report report = elementwise_report({.filter = "(", .all = true, .side = 16});
  std::set<std::string> families;
  std::string names;
  int pairs = 0;
  for (const Row& row : report.rows) {
    names += row.name + "\n";
    pairs += row.name.starts_with("pair ") ? 1 : 0;
    if (row.name.starts_with("family/")) families.insert(row.name.substr(0, row.name.find(' ')));
  }
  EXPECT_EQ(families.size(), family_lines().size());
  EXPECT_EQ(pairs, 78);
  for (int code = 0; code < kDTypeCount; ++code) {
    const DType dtype = dtype_from_code(code);
    const bool is_there = names.find("(" + std::string(name(dtype)) + ")") != std::string::npos;
    EXPECT_EQ(is_there, kElementwise.contains(dtype)) << name(dtype);
  }
  EXPECT_EQ(names.find("exp(float8"), std::string::npos) << "PyTorch's rules refuse it";
  const auto has_note = [&report](std::string_view begin) {
    return std::ranges::any_of(
        report.notes, [begin](const std::string& note) { return note.starts_with(begin); });
  };
  EXPECT_TRUE(has_note("left out, because PyTorch's rules refuse them: "));
  EXPECT_TRUE(has_note("left out, because they return their operand: "));
}

/// A row whose peer is `ratio` times as slow as our side.
Row row_of(std::string name, double ratio) {
  return {.name = std::move(name), .ours = 1, .peer = ratio};
}

TEST(GroupRatios, HaveTheMedianAndTheSlowestRow) {
  const std::vector<Row> rows{row_of("a one", 3), row_of("b/c two", 2), row_of("a three", 0.5),
                              row_of("a four", 1), row_of("a five", kNotMeasured)};
  const std::vector<GroupRatios> groups = group_ratios(rows);
  ASSERT_EQ(groups.size(), 2U);
  EXPECT_EQ(groups[0].name, "a");
  EXPECT_EQ(groups[0].rows, 3);
  EXPECT_EQ(groups[0].median, 1);
  EXPECT_EQ(groups[0].lowest, 0.5);
  EXPECT_EQ(groups[0].slowest, "a three");
  EXPECT_EQ(groups[1].name, "b");
}

TEST(RecycledMemory, GivesABlockAgain) {
  Memory& memory = recycled_memory();
  constexpr std::size_t kLarge = 1 << 20;
  std::byte* const first = memory.allocate(kLarge);
  memory.free(first, kLarge);
  std::byte* const second = memory.allocate(kLarge);
  EXPECT_EQ(first, second);
  std::byte* const third = memory.allocate(kLarge);
  EXPECT_NE(second, third);
  memory.free(second, kLarge);
  memory.free(third, kLarge);
}

/// A new block holds zeros, and a recycled one what was written to it.
TEST(RecycledMemory, GivesFreedBlocksBackAndKeepsThoseInUse) {
  Memory& memory = recycled_memory();
  constexpr std::size_t kLarge = 1 << 20;
  std::byte* const used = memory.allocate(kLarge);
  std::byte* const freed = memory.allocate(kLarge);
  *used = *freed = std::byte{7};
  memory.free(freed, kLarge);
  give_back_recycled_memory();
  std::byte* const fresh = memory.allocate(kLarge);
  EXPECT_NE(fresh, used);
  EXPECT_EQ(*fresh, std::byte{0});
  EXPECT_EQ(*used, std::byte{7});
  memory.free(used, kLarge);
  memory.free(fresh, kLarge);
}

TEST(Quantile, IsTheValueThatAPartLiesBelow) {
  const std::vector<double> values{5, 1, 4000, 2, 3};
  EXPECT_EQ(quantile(values, 0.5), 3);
  EXPECT_EQ(quantile(values, 0.25), 2);
  EXPECT_EQ(quantile(values, 0.75), 5);
  EXPECT_EQ(quantile({7}, 0.5), 7);
}

TEST(TakeTurns, WarmsUpAndAlternates) {
  std::string order;
  take_turns(
      1, [&order] { order += 'o'; }, [&order] { order += 'p'; }, {.most = 3});
  EXPECT_EQ(order, "opopopop");
}

TEST(TakeTurns, CopiesBeforeEachSide) {
  std::string order;
  const std::vector<Turn> turns = take_turns(
      1, [&order] { order += 'o'; }, [&order] { order += 'p'; }, {.most = 2},
      [&order] { order += 'c'; });
  EXPECT_EQ(order, "opcocpcocp");
  ASSERT_EQ(turns.size(), 2U);
  for (const Turn& turn : turns) EXPECT_GT(turn.copy, 0);
}

TEST(TakeTurns, StopsAfterItsTime) {
  EXPECT_EQ(take_turns(
                1, [] {}, [] {}, {.most = 101, .least = 7, .nanoseconds = 0})
                .size(),
            7U);
}

TEST(RowOfTurns, HasMediansAndQuartiles) {
  const Turn turns[] = {{10, 20, 4}, {11, 33, 6}, {12, 12, 8}, {13, 52, 10}, {14, 70, 12}};
  const Row row = row_of_turns("name", turns);
  EXPECT_EQ(row.ours, 12);
  EXPECT_EQ(row.peer, 33);
  EXPECT_EQ(row.low_ratio, 2);
  EXPECT_EQ(row.high_ratio, 4);
  EXPECT_EQ(row.predicted, 4) << "a turn has two copies";
  const Turn without_copy[] = {{1, 2}};
  EXPECT_TRUE(std::isnan(row_of_turns("name", without_copy).predicted));
}

/// Other load that slows the copies of five turns of nine, and one side more than the other, does
/// not change the row.
TEST(QuietHalf, LeavesOutTheTurnsWithSlowCopies) {
  std::vector<Turn> turns;
  for (int i = 0; i < 9; ++i)
    turns.push_back(i % 2 == 0 ? Turn{30, 20, 8. + i} : Turn{10, 15, 5. + 0.1 * i});
  const std::span<const Turn> quiet = quiet_half(turns);
  EXPECT_EQ(quiet.size(), 5U);
  const Row row = row_of_turns("", quiet);
  EXPECT_EQ(row.ours, 10);
  EXPECT_EQ(row.peer, 15);
}

TEST(QuietHalf, HasOneTurnOfOne) {
  std::vector<Turn> turns{{1, 2, 3}};
  EXPECT_EQ(quiet_half(turns).size(), 1U);
}

/// Fast turns of a side do not count more than slow ones.
TEST(QuietHalf, LooksAtCopiesOnly) {
  std::vector<Turn> turns{{1, 9, 8}, {5, 5, 6}, {6, 6, 6}, {1, 9, 9}};
  for (const Turn& turn : quiet_half(turns)) EXPECT_EQ(turn.ours, turn.peer);
}

/// Two rounds of five in which one side is slow, and not the copies, do not change the row. Nor
/// do the two turns of four in each round whose copies are slow.
TEST(RowOfRounds, HasTheMediansOfTheRounds) {
  std::vector<std::vector<Turn>> rounds(5, {{10, 20, 4}, {10, 20, 6}, {90, 10, 90}, {90, 10, 91}});
  rounds[1] = rounds[3] = {{30, 20, 4}, {30, 20, 6}, {90, 10, 90}, {90, 10, 91}};
  const Row row = row_of_rounds("name", rounds);
  EXPECT_EQ(row.name, "name");
  EXPECT_EQ(row.rounds, 5);
  EXPECT_EQ(row.ours, 10);
  EXPECT_EQ(row.peer, 20);
  EXPECT_EQ(row.predicted, 3);
  EXPECT_EQ(row.low_ratio, 20. / 30) << "the quartiles are those of all turns that count";
  EXPECT_EQ(row.high_ratio, 2);
}

TEST(Uniform, RepeatsItsNumbersInALongTensor) {
  constexpr std::int64_t kPeriod = 1 << 18, kCount = 2 * kPeriod + 5;
  const std::vector<std::byte> bytes = uniform(DType::kInt16, kCount, -1000, 1000, 1);
  ASSERT_EQ(bytes.size(), 2U * kCount);
  const auto at = [&bytes](std::int64_t i) {
    std::int16_t value;
    std::memcpy(&value, &bytes[2 * i], 2);
    return value;
  };
  for (std::int64_t i = kPeriod; i < kCount; ++i) ASSERT_EQ(at(i), at(i - kPeriod)) << i;
  std::set<std::int16_t> values;
  for (std::int64_t i = 0; i < kPeriod; ++i) values.insert(at(i));
  EXPECT_EQ(*values.begin(), -999) << "towards zero";
  EXPECT_EQ(*values.rbegin(), 999);
  EXPECT_EQ(values.size(), 1999U);
}

/// A row counts the bytes an element that every call has to move, with the gaps of strided tensors.
TEST(ElementwiseBench, CountsTheBytesThatMove) {
  const auto bytes = [](std::string_view name) {
    const Report report = elementwise_report({.filter = name, .side = 64});
    EXPECT_GT(report.rows.at(0).predicted, 0) << name;
    return report.rows.at(0).bytes;
  };
  EXPECT_EQ(bytes("same eq.Tensor(int64, int64)"), 8 + 8 + 1);
  EXPECT_EQ(bytes("same where"), 1 + 4 + 4 + 4);
  EXPECT_EQ(bytes("scalar mul"), 2 + 2);
  EXPECT_EQ(bytes("float32 row)"), 4 + 4. / 64 + 4);
  EXPECT_NEAR(bytes("strides(2)"), 8 + 8 + 4, 0.01);
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
  EXPECT_EQ(exit_code_of("call --all"), 2);
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
