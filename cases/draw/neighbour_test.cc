#include "cases/draw/neighbour.h"

#include <gtest/gtest.h>

#include <set>

#include "cases/element.h"
#include "cases/notation.h"
#include "impl/ops/number_cast.h"

namespace upcast {
namespace {

TEST(Neighbour, IsOfTheSameCallWithOtherLengthsPositionsAndNearbyValues) {
  const Case c = parse_case("add.Tensor(float32[2]{1,inf}, float16[2]{-0.0,nan}, alpha=2.5)");
  std::set<std::int64_t> lengths;
  std::set<double> values, alphas;
  Random random(1);
  for (int i = 0; i < 200; ++i) {
    const Case near = draw_neighbour(random, c);
    EXPECT_EQ(parse_case(print_case(near)), near) << "it is a case of the notation";
    EXPECT_EQ(near.op, c.op);
    const Operand& left = near.arguments[0];
    EXPECT_EQ(left.dtype, DType::kFloat32);
    EXPECT_EQ(left.sizes, near.arguments[1].sizes);
    lengths.insert(left.sizes[0]);
    for (std::size_t at = 0; at < left.values.size(); at += 4)
      values.insert(real_part(DType::kFloat32, left.values.data() + at));
    alphas.insert(number_to<double>(near.arguments[2].number));
  }
  EXPECT_GT(lengths.size(), 10U);
  EXPECT_EQ(values.size(), 8U) << "1 with its six neighbours, and infinity";
  EXPECT_EQ(alphas.size(), 7U);
}

TEST(Neighbour, KeepsShapesThatAreNotAlikeAndStorageThatIsShared) {
  Random random(1);
  for (const char* line : {"add.Tensor(float32[2,2], float32[2])", "neg(float32[4]:strides(2))",
                           "equal(float32[2]{1,2}, float32[2]:shares(0))"}) {
    const Case c = parse_case(line);
    const Case near = draw_neighbour(random, c);
    EXPECT_EQ(near.arguments.back().shares, c.arguments.back().shares);
    if (c.arguments.back().shares != kOwnStorage) continue;
    EXPECT_EQ(near.arguments[0].sizes, c.arguments[0].sizes) << line;
  }
}

}  // namespace
}  // namespace upcast
