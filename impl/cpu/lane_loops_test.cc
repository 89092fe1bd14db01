// Tests the loops of impl/ops/lane_loop.h through calls: their results have the bits of the
// functor, which the baseline computes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "impl/cpu/testing/calls.h"
#include "impl/ops/lane_loop.h"

namespace upcast {
namespace {

using testing::call;
using testing::tensor;
using testing::values;

struct LaneOp {
  const char* name;
  float other_sign;  // operands are multiplied by it by turns
};

std::vector<std::uint32_t> codes_of(const std::string& op, const Argument& self,
                                    Capability capability) {
  return values<std::uint32_t>(
      call(op, {self}, nullptr, {.capability = capability}).value().tensor);
}

/// `count` operands of many sizes, of which the middle one is `special`.
std::vector<float> lane_operands(std::size_t count, float other_sign, float special) {
  std::vector<float> operands;
  for (std::size_t i = 0; i < count; ++i)
    operands.push_back(
        std::ldexp(i % 2 == 0 ? 1.37F : 1.37F * other_sign, static_cast<int>(i % 41) - 36));
  if (!operands.empty()) operands[count / 2] = special;
  return operands;
}

/// The loops' runs have 8 or 16 elements, and their blocks 512.
class LaneLoops : public ::testing::TestWithParam<LaneOp> {
  void SetUp() override {
    if (best_capability() < Capability::kV3) GTEST_SKIP() << "only x86-64-v3 and up have lanes";
  }
};

TEST_P(LaneLoops, GiveTheBitsOfTheBaselineAlsoInPlace) {
  const std::string op = GetParam().name, in_place = op + "_";
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const std::size_t count : {0, 7, 8, 9, 15, 16, 17, 511, 512, 1050})
    for (const float special : {0.0F, -0.0F, 0x1p-149F, 1.0F, -0x1.fffffep-1F, -1.0F, 14.5F, -99.0F,
                                101.0F, -1e30F, 0x1.fffffep-127F, 0x1p-126F, 0x1.fffffep127F,
                                kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
      const auto self = [&] {
        return tensor(DType::kFloat32, {static_cast<std::int64_t>(count)},
                      lane_operands(count, GetParam().other_sign, special));
      };
      const auto expected = codes_of(op, self(), Capability::kBaseline);
      for (const Capability capability : {Capability::kV3, Capability::kV4}) {
        if (best_capability() < capability) continue;
        EXPECT_EQ(codes_of(op, self(), capability), expected) << count << ' ' << special;
        EXPECT_EQ(codes_of(in_place, self(), capability), expected) << count << ' ' << special;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Ops, LaneLoops,
                         ::testing::Values(LaneOp{"sigmoid", -1}, LaneOp{"gelu", -1},
                                           LaneOp{"rsqrt", 1}, LaneOp{"log", 1}, LaneOp{"log2", 1},
                                           LaneOp{"log10", 1}, LaneOp{"log1p", -1e-3F}),
                         [](const auto& instance) { return std::string(instance.param.name); });

/// The estimate on lanes is the processor's own. All mantissas of two binades show that it does not
/// matter: in the other binades results are scaled by powers of two.
TEST(LaneLoops, RsqrtOfEveryMantissaHasTheBitsOfTheBaseline) {
  if (best_capability() < Capability::kV3) GTEST_SKIP() << "only x86-64-v3 and up have lanes";
  constexpr std::uint32_t kHalf = 0x3f000000, kTwo = 0x40000000, kStep = 1 << 20;
  for (std::uint32_t first = kHalf; first < kTwo; first += kStep) {
    std::vector<std::uint32_t> codes(kStep);
    std::iota(codes.begin(), codes.end(), first);
    const Argument self = tensor(DType::kFloat32, {kStep}, codes);
    ASSERT_EQ(codes_of("rsqrt", self, best_capability()),
              codes_of("rsqrt", self, Capability::kBaseline));
  }
}

}  // namespace
}  // namespace upcast
