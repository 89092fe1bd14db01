// Tests of which tuples a case has.
#include "cases/tuple_space.h"

#include <gtest/gtest.h>

#include <string>

#include "cases/notation.h"

namespace upcast {
namespace {

/// The factor values of a case in words, "op=add form=functional ...". Factors that the case does
/// not have are left out.
std::string described(const std::string& line) {
  const TupleSpace space;
  const FactorValues values = factor_values(parse_case(line));
  std::string text;
  for (std::size_t i = 0; i < kFactors; ++i) {
    const auto factor = static_cast<Factor>(i);
    if (values[i] != kNoValue)
      text +=
          std::string(name(factor)) + "=" + std::string(space.value_name(factor, values[i])) + " ";
  }
  return text;
}

TEST(TupleSpace, AFactorIsWhatTheCaseIs) {
  EXPECT_EQ(described("add_.Tensor(float16[2], 2.5, values=special)"),
            "op=add form=in_place dtype=float16 second_dtype=float64 kind=dim second_kind=wrapped "
            "values=special shape=plain default_dtype=float32 number=float ");
  EXPECT_EQ(described("exp.out(int8[]{1}, out=float32[])"),
            "op=exp form=out dtype=int8 kind=zero_dim values=spelled shape=zero_dim "
            "default_dtype=float32 ");
  EXPECT_EQ(described("clamp(int8[2], None, 3)"),
            "op=clamp form=functional dtype=int8 kind=dim values=small shape=plain "
            "default_dtype=float32 number=int ");
}

TEST(TupleSpace, AShapeIsHowTheTensorsLieTogether) {
  const auto shape = [](const std::string& line) {
    const std::string text = described(line);
    const std::size_t at = text.find("shape=");
    return at == std::string::npos ? "" : text.substr(at + 6, text.find(' ', at) - at - 6);
  };
  EXPECT_EQ(shape("add.Tensor(float32[2], float32[2])"), "plain");
  EXPECT_EQ(shape("add.Tensor(float32[2], float32[])"), "broadcast");
  EXPECT_EQ(shape("add.Tensor(float32[2,0], float32[])"), "empty");
  EXPECT_EQ(shape("add.Tensor(float32[], float32[])"), "zero_dim");
  EXPECT_EQ(shape("add.Tensor(float32[2,2]:strides(1,2), float32[])"), "strided");
  EXPECT_EQ(shape("add.Tensor(2.5, True)"), "");
}

TEST(TupleSpace, TuplesAreNumberedOnce) {
  const TupleSpace space;
  EXPECT_EQ(space.combinations().size(), 45U + 120U);
  std::size_t next = 0;
  for (const Combination& combination : space.combinations()) {
    EXPECT_EQ(combination.first, next);
    next += combination.size;
  }
  EXPECT_EQ(space.tuples(), next);
}

}  // namespace
}  // namespace upcast
