// Tests with pairs of float16 and bfloat16: whatever float64 decides, Arb and MPFR decide alike.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "impl/core/cast.h"
#include "oracle/same_value.h"
#include "oracle/truth/evaluate.h"

namespace upcast::truth {
namespace {

constexpr int kPairs = 20000;
constexpr DType kDTypes[] = {DType::kFloat16, DType::kBFloat16};

double element_of(DType dtype, std::uint16_t bits) {
  double value = 0;
  cast_elements(dtype, reinterpret_cast<const std::byte*>(&bits), DType::kFloat64,
                reinterpret_cast<std::byte*>(&value), 1);
  return value;
}

/// A pair of values with random bits. In every fourth pair the exponents are near each other.
std::vector<double> random_pair(DType dtype, std::mt19937_64& random) {
  const auto first = static_cast<std::uint16_t>(random());
  const auto second = static_cast<std::uint16_t>(random());
  const bool is_near = random() % 4 == 0;
  return {
      element_of(dtype, first),
      element_of(dtype, is_near ? static_cast<std::uint16_t>(first ^ (second & 0x81ff)) : second)};
}

/// A definition without its filter and rest, so that Arb and MPFR decide everything.
Definition long_way(Definition row) {
  row.near = nullptr;
  row.rest = nullptr;
  return row;
}

bool same_value_and_leeway(const Value& a, const Value& b) {
  return a.decided == b.decided && a.leeway == b.leeway &&
         (!a.decided || same_value(a.rounded, b.rounded));
}

/// For how many of kPairs pairs two definitions give different values. `first` gets the first such
/// pair as text.
int differences(const Definition& one, const Definition& other, const std::vector<double>& more,
                DType dtype, std::string& first) {
  std::mt19937_64 random(dtype == DType::kFloat16 ? 16 : 17);
  Evaluator by_one(one, dtype), by_other(other, dtype);
  int count = 0;
  for (int i = 0; i < kPairs; ++i) {
    std::vector<double> x = random_pair(dtype, random);
    x.insert(x.end(), more.begin(), more.end());
    const Value a = by_one(x), b = by_other(x);
    if (same_value_and_leeway(a, b)) continue;
    if (count++ == 0)
      first = std::to_string(x[0]) + ", " + std::to_string(x[1]) + ": " +
              std::to_string(a.rounded) + ", not " + std::to_string(b.rounded);
  }
  return count;
}

struct Row {
  const char* op;
  std::vector<double> attributes;
};

const Row kRows[] = {{"add", {1}}, {"sub", {1}},  {"mul", {}},  {"div", {0}},
                     {"pow", {}},  {"atan2", {}}, {"hypot", {}}};

TEST(ShortWay, IsTheLongWay) {
  for (const DType dtype : kDTypes)
    for (const Row& row : kRows) {
      const Definition& definition = *find_definition(row.op);
      ASSERT_NE(definition.near, nullptr) << row.op;
      std::string first;
      EXPECT_EQ(differences(definition, long_way(definition), row.attributes, dtype, first), 0)
          << row.op << " over " << name(dtype) << ", " << first;
    }
}

/// A control: a filter that errs by more than it claims is noticed.
TEST(ShortWay, ThatErrsIsNoticed) {
  Definition wrong = *find_definition("hypot");
  wrong.near = [](std::span<const double> x) { return std::hypot(x[0], x[1]) * (1 + 0x1p-14); };
  for (const DType dtype : kDTypes) {
    std::string first;
    EXPECT_GT(differences(wrong, long_way(wrong), {}, dtype, first), 10) << name(dtype);
  }
}

/// Nearly all pairs must be decided without Arb and MPFR. Otherwise a sweep over all pairs would
/// take far more than minutes.
TEST(ShortWay, DecidesNearlyAll) {
  for (const DType dtype : kDTypes)
    for (const Row& row : kRows) {
      std::mt19937_64 random(18);
      Evaluator evaluate(*find_definition(row.op), dtype);
      for (int i = 0; i < kPairs; ++i) {
        std::vector<double> x = random_pair(dtype, random);
        x.insert(x.end(), row.attributes.begin(), row.attributes.end());
        evaluate(x);
      }
      const Decided& decided = evaluate.decided();
      EXPECT_GT(decided.filter + decided.special, kPairs * 9 / 10) << row.op << " " << name(dtype);
    }
}

/// A filter may be a sum that is rounded to float64 first, as remainder's is. Its `rest` must keep
/// what that rounding lost.
TEST(ShortWay, OfASumWithARest) {
  std::mt19937_64 random(19);
  for (const DType dtype : kDTypes)
    for (int i = 0; i < kPairs; ++i) {
      const double high = random_pair(dtype, random)[0] * (1 + 0x1p-9);
      if (!std::isfinite(high)) continue;
      const double low = std::ldexp(high, -53 - static_cast<int>(random() % 40));
      Arf sum, rest;
      arf_set_d(sum.get(), high);
      arf_set_d(rest.get(), low);
      arf_add(sum.get(), sum.get(), rest.get(), ARF_PREC_EXACT, ARF_RND_DOWN);
      const double expected = round_once(dtype, sum.get());
      ASSERT_TRUE(same_value(round_known(dtype, {high, low}).rounded, expected)) << high;
    }
}

/// The leeway must cover what both ends of the interval round to.
TEST(ShortWay, OfTheLeeway) {
  std::mt19937_64 random(20);
  for (const DType dtype : kDTypes) {
    int wide = 0, beyond = 0, half_beyond = 0;
    const double largest = largest_finite(dtype);
    for (int i = 0; i < kPairs; ++i) {
      // one in 64 lies near the largest number, on either side of it
      const double high = i % 64 != 0 ? random_pair(dtype, random)[0] * (1 + 0x1p-9)
                                      : largest * (1 + static_cast<int>(random() % 9 - 4) * 0x1p-9);
      if (!std::isfinite(high) || high == 0) continue;
      const double error = std::abs(high) * std::ldexp(1.0, -static_cast<int>(random() % 20) - 6);
      Value value = round_known(dtype, high);
      set_leeway(dtype, dtype, error, value);
      const double low = round_with_cast(dtype, high - error);
      const double up = round_with_cast(dtype, high + error);
      if (!std::isfinite(low) || !std::isfinite(up)) {
        ASSERT_EQ(value.decided, low == up) << high << " " << error;
        (value.decided ? beyond : half_beyond) += 1;
        continue;
      }
      const double right = round_with_cast(dtype, high);
      const double expected = std::max(std::abs(low - right), std::abs(up - right));
      ASSERT_TRUE(value.decided) << high << " " << error;
      wide += expected > 0 ? 1 : 0;
      // A zero is left out, because it may have either sign even if nothing is lost.
      if (value.rounded == 0) continue;
      ASSERT_EQ(value.leeway, expected) << high << " " << error;
    }
    EXPECT_GT(wide, kPairs / 20) << name(dtype);
    EXPECT_GT(beyond, 0) << name(dtype);
    EXPECT_GT(half_beyond, 0) << name(dtype);
  }
}

}  // namespace
}  // namespace upcast::truth
