// Tests of simpler cases: they have commoner dtypes and more ordinary values. Chains of steps end.
#include "cases/simplify.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases/element.h"
#include "cases/literal.h"
#include "cases/notation.h"
#include "cases/ordinary.h"
#include "impl/core/dtype_set.h"

namespace upcast {
namespace {

std::vector<std::string> steps(const std::string& line, Simplification how) {
  std::vector<std::string> lines;
  for (const Case& c : simpler_cases(parse_case(line), how)) lines.push_back(print_case(c));
  return lines;
}

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

TEST(Ordinary, Float32ComesFirstAndEveryDTypeIsInTheOrder) {
  using enum DType;
  const std::vector<DType>& order = from_the_most_common();
  const std::vector<DType> common{kFloat32, kFloat64, kBFloat16, kFloat16, kInt64, kInt32, kBool};
  EXPECT_TRUE(std::equal(common.begin(), common.end(), order.begin()));
  EXPECT_EQ(order.size(), static_cast<std::size_t>(kElementwise.size()));
  for (const DType dtype : order) EXPECT_EQ(order[static_cast<std::size_t>(rarity(dtype))], dtype);
  EXPECT_EQ(rarity(kQInt8), kElementwise.size());
}

Oddity odd(double value) {
  return oddity(DType::kFloat64, element_of(DType::kFloat64, value).data());
}

TEST(Ordinary, AValueThatHappensToBeSmallIsNotOrdinary) {
  const std::vector<double> from_ordinary_to_odd{
      0.5,  1,     2,    3,    0.1,   0,      -1,       0.7,    5000,        0.37,
      1.25, 0.498, 1e-5, 1e20, 1e-45, 1e-300, HUGE_VAL, 1.2345, 1.2345e-300, 0.123456789};
  for (std::size_t i = 1; i < from_ordinary_to_odd.size(); ++i)
    EXPECT_LT(odd(from_ordinary_to_odd[i - 1]), odd(from_ordinary_to_odd[i]))
        << from_ordinary_to_odd[i - 1] << " and " << from_ordinary_to_odd[i];
}

// Each simpler candidate for an element must be more ordinary than the element.
TEST(Ordinary, StepsOfAnElementEnd) {
  for (const DType dtype : from_the_most_common()) {
    if (is_complex(dtype)) continue;
    for (const double start : {1.2345678901e-300, 7.7e-45, 0.498, 12345.678, 9.87e300, 117.0}) {
      std::vector<std::byte> element = element_of(dtype, start);
      int count = 0;
      for (;; ++count) {  // takes the smallest step each time, which makes the longest chain
        const auto simpler = more_ordinary(dtype, element.data());
        if (simpler.empty()) break;
        for (const auto& bytes : simpler)
          EXPECT_LT(oddity(dtype, bytes.data()), oddity(dtype, element.data()))
              << print_element(dtype, bytes.data()) << " for "
              << print_element(dtype, element.data());
        element = simpler.back();
      }
      EXPECT_EQ(print_element(dtype, element.data()),
                print_element(dtype, element_of(dtype, is_floating(dtype) ? 0.5 : 1.0).data()))
          << name(dtype);
      EXPECT_LT(count, 200) << name(dtype);
    }
  }
}

TEST(Simplify, OffersAllOperandsInFloat32First) {
  EXPECT_EQ(steps("add.Tensor(int8[1]{1}, float16[1]{2})", Simplification::kDTypes).front(),
            "add.Tensor(float32[1]{1}, float32[1]{2})");
  EXPECT_TRUE(has(steps("add.Tensor(int8[1]{1}, float32[1]{2})", Simplification::kDTypes),
                  "add.Tensor(int64[1]{1}, float32[1]{2})"));
  EXPECT_TRUE(steps("neg(float32[1]{1})", Simplification::kDTypes).empty());
  const std::vector<std::string> of_one_dtype =
      steps("add.Tensor(float64[1]{1}, float64[1]{2})", Simplification::kDTypes);
  EXPECT_EQ(of_one_dtype, std::vector<std::string>{"add.Tensor(float32[1]{1}, float32[1]{2})"});
  const std::vector<std::string> mixed =
      steps("add.Tensor(float32[1]{1}, float64[1]{2})", Simplification::kDTypes);
  EXPECT_TRUE(has(mixed, "add.Tensor(float64[1]{1}, float64[1]{2})")) << "no mixture";
  EXPECT_TRUE(
      has(steps("where.self(bool[1], float64[1]{1}, float64[1]{2})", Simplification::kDTypes),
          "where.self(bool[1], float32[1]{1}, float32[1]{2})"));
}

TEST(Simplify, AMaskStaysABool) {
  EXPECT_TRUE(steps("masked_fill.Scalar(float32[1]{1}, bool[1]{True}, 2)", Simplification::kDTypes)
                  .front()
                  .starts_with("masked_fill.Scalar(float32[1]{1}, float32[1]{1}"));
  EXPECT_FALSE(
      has(steps("masked_fill.Scalar(float32[1]{1}, bool[1]{True}, 2)", Simplification::kDTypes),
          "masked_fill.Scalar(bool[1]{True}, bool[1]{True}, 2)"));
}

TEST(Simplify, OffersOrdinaryValuesFirst) {
  const std::vector<std::string> of_a_number =
      steps("neg(float32[1]{0.498})", Simplification::kValues);
  EXPECT_EQ(of_a_number.front(), "neg(float32[1]{0.5})");
  EXPECT_TRUE(has(of_a_number, "neg(float32[1]{0.1})"));
  EXPECT_TRUE(steps("neg(float32[1]{0.5})", Simplification::kValues).empty());
  EXPECT_TRUE(
      has(steps("neg(float32[1]{1.5e-45})", Simplification::kValues), "neg(float32[1]{1e-22})"));
  EXPECT_TRUE(has(steps("neg(int8[1]{-126})", Simplification::kValues), "neg(int8[1]{-100})"));
  EXPECT_TRUE(has(steps("neg(int32[1]{-2147483000})", Simplification::kValues),
                  "neg(int32[1]{-2147483648})"));
  EXPECT_FALSE(has(steps("neg(int32[1]{-2000000000})", Simplification::kValues),
                   "neg(int32[1]{-2147483648})"));
  EXPECT_FALSE(
      has(steps("neg(float32[1]{7e30})", Simplification::kValues), "neg(float32[1]{inf})"));
  const std::vector<std::string> of_parts =
      steps("neg(complex64[1]{1.25+7e-20j})", Simplification::kValues);
  EXPECT_TRUE(has(of_parts, "neg(complex64[1]{0.5+7e-20j})"));
  EXPECT_TRUE(has(of_parts, "neg(complex64[1]{1.25+0j})"));
}

TEST(Simplify, ElementsThatDifferBecomeAlikeOrAreCounted) {
  const std::string line = "neg(float32[3]{0.3,7,1e-20})";
  EXPECT_EQ(steps(line, Simplification::kValues).front(), "neg(float32[3]{0.5,0.5,0.5})");
  EXPECT_TRUE(has(steps(line, Simplification::kValues), "neg(float32[3]{1,2,3})"));
  EXPECT_TRUE(steps("neg(float32[3]{1,2,3})", Simplification::kValues).empty());
}

TEST(Simplify, ANumberKeepsItsKindOrTakesACommonerOne) {
  const std::vector<std::string> of_a_float =
      steps("add.Tensor(float32[1]{1}, 100000.25)", Simplification::kNumbers);
  EXPECT_EQ(of_a_float.front(), "add.Tensor(float32[1]{1}, 1)");
  EXPECT_TRUE(has(of_a_float, "add.Tensor(float32[1]{1}, 0.5)"));
  EXPECT_TRUE(has(of_a_float, "add.Tensor(float32[1]{1}, 1e+05)"));
  EXPECT_TRUE(has(steps("add.Tensor(float32[1]{1}, True)", Simplification::kNumbers),
                  "add.Tensor(float32[1]{1}, 0.5)"));
  EXPECT_FALSE(has(steps("add.Tensor(float32[1]{1}, 7)", Simplification::kNumbers),
                   "add.Tensor(float32[1]{1}, True)"));
}

TEST(Simplify, APartOfVectorsOfOneLength) {
  const Case c = parse_case("add.Tensor(float32[3]{1,2,3}, float32[3]{3,4,5}, alpha=2)");
  EXPECT_EQ(print_case(*with_elements(c, 1)), "add.Tensor(float32[1]{2}, float32[1]{4}, alpha=2)");
  EXPECT_EQ(print_case(*with_elements(c, 1, 2)),
            "add.Tensor(float32[2]{2,3}, float32[2]{4,5}, alpha=2)");
  EXPECT_FALSE(with_elements(c, 2, 2));
  EXPECT_FALSE(with_elements(parse_case("neg(float32[1]{3})"), 0));
  EXPECT_FALSE(with_elements(parse_case("neg(float32[2])"), 0));
  EXPECT_FALSE(with_elements(parse_case("add.Tensor(float32[2]{1,2}, float32[3]{1,2,3})"), 0));
  EXPECT_EQ(
      steps("neg(float32[3]{1,2,3})", Simplification::kElements),
      (std::vector<std::string>{"neg(float32[1]{1})", "neg(float32[1]{2})", "neg(float32[1]{3})"}));
  EXPECT_EQ(steps("neg(float32[9]{1,2,3,4,5,6,7,8,9})", Simplification::kElements),
            (std::vector<std::string>{"neg(float32[5]{1,2,3,4,5})", "neg(float32[4]{6,7,8,9})"}));
}

}  // namespace
}  // namespace upcast
