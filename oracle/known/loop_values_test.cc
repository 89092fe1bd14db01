// Tests of which elements a vector body computes, and of the broadcast operands that it reads.
#include "oracle/known/loop_values.h"

#include <gtest/gtest.h>

#include "cases/notation.h"

namespace upcast::models {
namespace {

/// A picture of an answer: '#' for each element that a vector body computes, '.' for each that a
/// scalar loop computes.
std::string bodies(std::string_view line, std::size_t count, DType common = DType::kFloat64) {
  std::string text;
  for (const bool vector : in_vector_body(parse_case(line), common, count))
    text += vector ? '#' : '.';
  return text;
}

TEST(InVectorBody, IsAWholeNumberOfSteps) {
  EXPECT_EQ(bodies("maximum(float64[7], float64[7])", 7), ".......");
  EXPECT_EQ(bodies("maximum(float64[8], float64[8])", 8), "########");
  EXPECT_EQ(bodies("maximum(float64[9], float64[9])", 9), "########.");
  EXPECT_EQ(bodies("maximum(float32[17], float32[17])", 17, DType::kFloat32), "################.");
}

TEST(InVectorBody, IsOfEachRowWhereOperandsBroadcast) {
  EXPECT_EQ(bodies("maximum(float64[2,1], float64[1,9])", 18), "########.########.");
  EXPECT_EQ(bodies("maximum(float64[2,4], float64[2,4])", 8), "########") << "one loop";
}

TEST(InVectorBody, TakesOneOperandThatStandsStill) {
  EXPECT_EQ(bodies("maximum(float64[8], float64[])", 8), "########");
  EXPECT_EQ(bodies("clamp.Tensor(float64[8], min=float64[], max=float64[8])", 8), "########");
  EXPECT_EQ(bodies("clamp.Tensor(float64[8], min=float64[], max=float64[])", 8), "........");
}

TEST(InVectorBody, IsNoneWhereAnOperandIsStrided) {
  EXPECT_EQ(bodies("maximum(float64[8]:strides(2), float64[8])", 8), "........");
  EXPECT_EQ(bodies("maximum(float64[3], float64[4])", 4), "....") << "refused";
}

/// TensorIterator copies operands to the common dtype. The copy is dense, even that of a strided
/// output.
TEST(InVectorBody, IsOfTheCopyOfAStridedOperandThatIsPromoted) {
  EXPECT_EQ(bodies("maximum(float32[8]:strides(2), float64[8])", 8), "########");
  EXPECT_EQ(bodies("maximum(float64[8], float32[8]:strides(0))", 8), "########");
  EXPECT_EQ(bodies("maximum.out(float64[8], float64[8], out=float32[8]:strides(2))", 8),
            "########");
  EXPECT_EQ(bodies("maximum.out(float64[8], float64[8], out=float64[8]:strides(2))", 8),
            "........");
}

/// Vector bodies follow rows of memory, not rows of the result: "#" wherever 16 elements follow
/// each other in memory.
TEST(InVectorBody, FollowsTheLayout) {
  EXPECT_EQ(bodies("lerp.Scalar(float32[2,16]:strides(1,2), float32[2,16]:strides(1,2), 1)", 32,
                   DType::kFloat32),
            std::string(32, '#'));
  EXPECT_EQ(bodies("lerp.Scalar(float64[9,2]:strides(1,10), float64[9,2]:strides(1,9), 1)", 18),
            std::string(16, '#') + "..");
}

TEST(LoopValues, RepeatAsTheOperandBroadcasts) {
  const Case c = parse_case("maximum(float32[2,1]{1,2}, int32[3]{4,5,6})");
  const auto values = [&c](int position) {
    return loop_values<float>(c, position, {2, 3}, DType::kFloat32, DType::kFloat32);
  };
  EXPECT_EQ(values(0), (std::vector<float>{1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(values(1), (std::vector<float>{4, 5, 6, 4, 5, 6}));
  EXPECT_TRUE(loop_values<float>(c, 1, {2}, DType::kFloat32, DType::kFloat32).empty());
}

TEST(LoopValues, AreRoundedToTheCommonDType) {
  const Case c = parse_case("maximum(float16[1], 0.1)");
  EXPECT_EQ(loop_values<float>(c, 1, {1}, DType::kFloat16, DType::kFloat32),
            (std::vector<float>{0.0999755859375F}));
}

}  // namespace
}  // namespace upcast::models
