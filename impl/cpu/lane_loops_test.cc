// Tests the loops of impl/ops/lane_loop.h through calls: their results have the bits of the
// functor, which the baseline computes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "impl/cpu/testing/calls.h"
#include "impl/ops/activation.h"
#include "impl/ops/exponential.h"
#include "impl/ops/hyperbolic.h"
#include "impl/ops/lane_loop.h"

namespace upcast {
namespace {

using testing::call;
using testing::tensor;
using testing::values;

#if defined(__x86_64__)
// Without its form on lanes an op would pass these tests: the functor would compute everything.
template <class O, class... Mode>
inline constexpr bool kIsOnLanes = internal::HasLaneForm<O, internal::LanesOfV3, Mode...>&&
    internal::HasLaneForm<O, internal::LanesOfV4, Mode...>;
static_assert(kIsOnLanes<Sigmoid> && kIsOnLanes<Gelu, std::false_type> && kIsOnLanes<Rsqrt>);
static_assert(kIsOnLanes<Log> && kIsOnLanes<Log2> && kIsOnLanes<Log10> && kIsOnLanes<Log1p>);
static_assert(!kIsOnLanes<Gelu, std::true_type> && !kIsOnLanes<Exp>);
#endif

struct LaneOp {
  const char* name;
  float other_sign;  // operands are multiplied by it by turns
};
constexpr LaneOp kLaneOps[] = {{"sigmoid", -1}, {"gelu", -1}, {"rsqrt", 1},     {"log", 1},
                               {"log2", 1},     {"log10", 1}, {"log1p", -1e-3F}};

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
class LaneLoops : public ::testing::TestWithParam<std::tuple<LaneOp, Capability>> {
 protected:
  void SetUp() override {
    if (best_capability() < capability_) GTEST_SKIP() << "this run has no " << name(capability_);
  }

  const LaneOp op_ = std::get<0>(GetParam());
  const Capability capability_ = std::get<1>(GetParam());
};

TEST_P(LaneLoops, GiveTheBitsOfTheBaselineAlsoInPlace) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (const std::size_t count : {0, 7, 8, 9, 15, 16, 17, 511, 512, 1050})
    for (const float special : {0.0F, -0.0F, 0x1p-149F, 1.0F, -0x1.fffffep-1F, -1.0F, 14.5F, -99.0F,
                                101.0F, -1e30F, 0x1.fffffep-127F, 0x1p-126F, 0x1.fffffep127F,
                                kInfinity, -kInfinity, std::numeric_limits<float>::quiet_NaN()}) {
      const auto self = [&] {
        return tensor(DType::kFloat32, {static_cast<std::int64_t>(count)},
                      lane_operands(count, op_.other_sign, special));
      };
      const auto expected = codes_of(op_.name, self(), Capability::kBaseline);
      EXPECT_EQ(codes_of(op_.name, self(), capability_), expected) << count << ' ' << special;
      EXPECT_EQ(codes_of(std::string(op_.name) + "_", self(), capability_), expected)
          << count << ' ' << special;
    }
}

/// The patterns are in order, so that most blocks have nothing that is out of an op's range.
TEST_P(LaneLoops, GiveTheBitsOfTheBaselineForEvery2039thPattern) {
  std::vector<std::uint32_t> codes;
  for (std::uint64_t code = 0; code < std::uint64_t{1} << 32; code += 2039)
    codes.push_back(static_cast<std::uint32_t>(code));
  const Argument self = tensor(DType::kFloat32, {static_cast<std::int64_t>(codes.size())}, codes);
  EXPECT_TRUE(codes_of(op_.name, self, capability_) ==
              codes_of(op_.name, self, Capability::kBaseline));
}

INSTANTIATE_TEST_SUITE_P(Ops, LaneLoops,
                         ::testing::Combine(::testing::ValuesIn(kLaneOps),
                                            ::testing::Values(Capability::kV3, Capability::kV4)),
                         [](const auto& instance) {
                           const bool is_v3 = std::get<1>(instance.param) == Capability::kV3;
                           return std::get<0>(instance.param).name +
                                  std::string(is_v3 ? "V3" : "V4");
                         });

/// The estimate on lanes is the processor's own. All mantissas of two binades show that it does not
/// matter: in the other binades results are scaled by powers of two.
TEST(LaneLoops, RsqrtOfEveryMantissaHasTheBitsOfTheBaseline) {
  if (best_capability() < Capability::kV3) GTEST_SKIP() << "this run has no lanes";
  constexpr std::uint32_t kHalf = 0x3f000000, kTwo = 0x40000000, kStep = 1 << 20;
  for (std::uint32_t first = kHalf; first < kTwo; first += kStep) {
    std::vector<std::uint32_t> codes(kStep);
    std::iota(codes.begin(), codes.end(), first);
    const Argument self = tensor(DType::kFloat32, {kStep}, codes);
    ASSERT_TRUE(codes_of("rsqrt", self, best_capability()) ==
                codes_of("rsqrt", self, Capability::kBaseline))
        << std::hex << first;
  }
}

}  // namespace
}  // namespace upcast
