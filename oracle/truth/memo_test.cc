#include "oracle/truth/memo.h"

#include <gtest/gtest.h>

#include <random>

#include "oracle/truth/complex_definition.h"
#include "oracle/truth/evaluate.h"

namespace upcast::truth {
namespace {

constexpr int kDefinition = 0, kOther = 0;

std::optional<MemoKey> key_of(const void* definition, DType dtype, std::vector<double> x) {
  return memo_key(definition, dtype, std::span<const double>(x));
}

TEST(Memo, ComputesAValueOnce) {
  Memo<int> memo;
  int computed = 0;
  const auto next = [&] { return ++computed; };
  const auto get = [&](std::optional<MemoKey> key) { return memo.get(key, next); };
  EXPECT_EQ(get(key_of(&kDefinition, DType::kFloat32, {1, 2})), 1);
  EXPECT_EQ(get(key_of(&kDefinition, DType::kFloat32, {1, 2})), 1);
  EXPECT_EQ(computed, 1);
}

TEST(Memo, TellsApartWhatValuesAreComputedFrom) {
  Memo<int> memo;
  int computed = 0;
  const std::vector<std::optional<MemoKey>> keys{
      key_of(&kDefinition, DType::kFloat32, {1, 2}),
      key_of(&kOther, DType::kFloat32, {1, 2}),
      key_of(&kDefinition, DType::kFloat64, {1, 2}),
      key_of(&kDefinition, DType::kFloat32, {2, 1}),
      key_of(&kDefinition, DType::kFloat32, {1}),
      key_of(&kDefinition, DType::kFloat32, {1, 0}),
      key_of(&kDefinition, DType::kFloat32, {1, -0.0}),
  };
  for (int turn = 0; turn < 2; ++turn)
    for (std::size_t i = 0; i < keys.size(); ++i)
      EXPECT_EQ(memo.get(keys[i], [&] { return ++computed; }), static_cast<int>(i) + 1);
}

TEST(Memo, RemembersNothingOfTooManyArguments) {
  const std::vector<double> x(MemoKey::kMostParts + 1, 1);
  EXPECT_EQ(key_of(&kDefinition, DType::kFloat32, x), std::nullopt);
  Memo<int> memo;
  int computed = 0;
  for (int i = 1; i <= 2; ++i) EXPECT_EQ(memo.get(std::nullopt, [&] { return ++computed; }), i);
  EXPECT_EQ(memo.size(), 0);
}

TEST(Memo, HoldsABoundedNumber) {
  Memo<double> memo;
  for (double x = 0; x < 3 * Memo<double>::kMost; ++x) {
    EXPECT_EQ(memo.get(key_of(&kDefinition, DType::kFloat64, {x}), [&] { return x; }), x);
    ASSERT_LE(memo.size(), Memo<double>::kMost);
  }
}

/// An evaluator with a memory gives the values of one without, the first time and the second.
TEST(Memo, ChangesNoValue) {
  Memo<Value> memo;
  for (const char* op : {"igamma", "pow", "mse_loss", "digamma"})
    for (const DType dtype : {DType::kFloat64, DType::kFloat16}) {
      const Definition& definition = *find_definition(op);
      Evaluator plain(definition, dtype), with_memory(definition, dtype, &memo);
      std::mt19937_64 random(3);
      std::uniform_real_distribution<double> uniform(0, 8);
      const bool unary = std::string_view(op) == "digamma";
      for (int i = 0; i < 50; ++i) {
        std::vector<double> x{uniform(random)};
        if (!unary) x.push_back(uniform(random));
        for (int turn = 0; turn < 2; ++turn) {
          const Value expected = plain(x), found = with_memory(x);
          EXPECT_EQ(std::bit_cast<std::uint64_t>(found.rounded),
                    std::bit_cast<std::uint64_t>(expected.rounded));
          EXPECT_EQ(found.leeway, expected.leeway);
          EXPECT_EQ(found.decided, expected.decided);
        }
      }
      EXPECT_EQ(2 * with_memory.decided().ball, plain.decided().ball) << op;
    }
  EXPECT_GT(memo.size(), 0);
}

TEST(Memo, ChangesNoComplexValue) {
  Memo<std::pair<Value, Value>> memo;
  const ComplexDefinition& definition = *find_complex_definition("exp");
  ComplexEvaluator plain(definition, DType::kFloat32, DType::kFloat32);
  ComplexEvaluator with_memory(definition, DType::kFloat32, DType::kFloat32, &memo);
  for (int turn = 0; turn < 2; ++turn)
    for (double re = -2; re < 2; re += 0.5) {
      const std::array<ComplexDouble, 1> x{ComplexDouble{re, 1 - re}};
      const auto expected = plain(x), found = with_memory(x);
      EXPECT_EQ(found.first.rounded, expected.first.rounded);
      EXPECT_EQ(found.second.rounded, expected.second.rounded);
    }
  EXPECT_EQ(memo.size(), 8);
}

}  // namespace
}  // namespace upcast::truth
