// Tests of which tuples a campaign can make, and of the file of marks.
#include "fuzz/tuple_map.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "cases/notation.h"
#include "fuzz/random_case.h"
#include "impl/core/error.h"

namespace upcast::fuzz {
namespace {

/// All tuples that a campaign makes are possible, and not all tuples are possible.
TEST(TupleSpace, WhatIsMadeIsPossible) {
  const TupleSpace space;
  const std::vector<bool> possible = space.possible();
  Random random(7);
  for (int i = 0; i < 20000; ++i) {
    const Case c = random_case(random);
    const FactorValues values = factor_values(c);
    for (const Combination& combination : space.combinations()) {
      const std::int64_t number = space.number_of(combination, values);
      ASSERT_TRUE(number < 0 || possible[static_cast<std::size_t>(number)]) << print_case(c);
    }
  }
  const auto impossible = std::count(possible.begin(), possible.end(), false);
  EXPECT_GT(impossible, 1000);
}

class Map : public ::testing::Test {
 protected:
  ~Map() override { std::filesystem::remove(path_); }
  std::string path_ =
      (std::filesystem::temp_directory_path() / ("upcast-tuples-" + std::to_string(getpid())))
          .string();
};

TEST_F(Map, KeepsWhatWasAskedAndWhatAnswered) {
  const Case c = parse_case("add.Tensor(float16[2], int8[])");
  Answer refusal, tensor;
  refusal.tag = Answer::Tag::kRefusal;
  tensor.tag = Answer::Tag::kTensor;
  const TupleSpace space;
  const auto marked = [&](std::uint8_t mark) {
    const std::vector<std::uint8_t> bytes = read_tuple_map(path_, space);
    return std::count(bytes.begin(), bytes.end(), mark);
  };
  TupleMap(path_).mark(c, refusal);
  EXPECT_EQ(marked(kAsked), 120);
  TupleMap(path_).mark(c, tensor);
  TupleMap(path_).mark(c, refusal);
  EXPECT_EQ(marked(kAsked), 0);
  EXPECT_EQ(marked(kAsked | kAnswered), 120);
}

TEST_F(Map, AFileOfAnotherLengthIsAMistake) {
  { TupleMap made(path_); }
  std::filesystem::resize_file(path_, 10);
  EXPECT_THROW(TupleMap again(path_), UsageError);
}

}  // namespace
}  // namespace upcast::fuzz
