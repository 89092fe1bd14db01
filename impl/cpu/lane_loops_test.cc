// Tests the loops of impl/ops/lane_loop.h through calls: their results have the bits of the
// functor, which the baseline computes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "impl/core/cache.h"
#include "impl/cpu/testing/calls.h"
#include "impl/ops/activation.h"
#include "impl/ops/exponential.h"
#include "impl/ops/hyperbolic.h"
#include "impl/ops/lane_loop.h"
#include "impl/ops/special.h"

namespace upcast {
namespace {

using testing::call;
using testing::tensor;
using testing::values;

#if defined(__x86_64__)
// Without its form on lanes an op would pass these tests: the functor would compute everything.
template <class T, class O, class... Mode>
constexpr bool is_on_lanes() {
  return internal::HasLaneForm<O, T, internal::LanesOfV3, Mode...> &&
         internal::HasLaneForm<O, T, internal::LanesOfV4, Mode...>;
}
static_assert(is_on_lanes<float, Sigmoid>() && is_on_lanes<float, Rsqrt>());
static_assert(is_on_lanes<float, Log>() && is_on_lanes<float, Log1p>());
static_assert(is_on_lanes<float, Log2>() && is_on_lanes<float, Log10>());
static_assert(is_on_lanes<float, Gelu, std::false_type>());
static_assert(is_on_lanes<double, Gelu, std::false_type>());
static_assert(is_on_lanes<float, Exp>() && is_on_lanes<double, Exp>());
static_assert(is_on_lanes<double, Erf>());
static_assert(!is_on_lanes<double, Gelu, std::true_type>() && !is_on_lanes<float, Erf>());

template <class Lanes>
using RsqrtLanes = internal::LanesFor<Rsqrt::FloatsOnLanes, float, Lanes>;

TEST(StreamedLanes, AreLargeAndNoInput) {
  using OnLanes = RsqrtLanes<internal::LanesOfV3>;
  static_assert(internal::CanStream<OnLanes, float> &&
                internal::CanStream<RsqrtLanes<internal::LanesOfV4>, float>);
  constexpr std::int64_t kLeast = kLeastStreamed / 4;
  const std::array<float, 2> some{};  // to decide reads no memory
  EXPECT_TRUE(internal::are_streamed<OnLanes>(&some[0], &some[1], kLeast));
  EXPECT_FALSE(internal::are_streamed<OnLanes>(&some[0], &some[1], kLeast - 1));
  EXPECT_FALSE(internal::are_streamed<OnLanes>(&some[0], &some[0], kLeast));
}
#endif

struct LaneOp {
  const char* name;
  DType dtype;
  double other_sign;  // operands are multiplied by it by turns
};
constexpr LaneOp kLaneOps[] = {{"sigmoid", DType::kFloat32, -1}, {"gelu", DType::kFloat32, -1},
                               {"exp", DType::kFloat32, -1},     {"rsqrt", DType::kFloat32, 1},
                               {"log", DType::kFloat32, 1},      {"log2", DType::kFloat32, 1},
                               {"log10", DType::kFloat32, 1},    {"log1p", DType::kFloat32, -1e-3},
                               {"exp", DType::kFloat64, -1},     {"erf", DType::kFloat64, -1},
                               {"gelu", DType::kFloat64, -1}};

template <class T>
using CodeOf = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;

template <class T>
Argument operands_of(const std::vector<T>& operands, DType dtype) {
  return tensor(dtype, {static_cast<std::int64_t>(operands.size())}, operands);
}

template <class T>
std::vector<CodeOf<T>> codes_of(const std::string& op, const Argument& self,
                                Capability capability) {
  return values<CodeOf<T>>(call(op, {self}, nullptr, {.capability = capability}).value().tensor);
}

/// `count` operands of many sizes, of which the middle one is `special`.
template <class T>
std::vector<T> lane_operands(std::size_t count, double other_sign, T special) {
  std::vector<T> operands;
  for (std::size_t i = 0; i < count; ++i)
    operands.push_back(static_cast<T>(
        std::ldexp(i % 2 == 0 ? 1.37 : 1.37 * other_sign, static_cast<int>(i % 41) - 36)));
  if (!operands.empty()) operands[count / 2] = special;
  return operands;
}

template <class T>
std::vector<T> lane_specials() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> specials{0,
                          Limits::denorm_min(),
                          Limits::min(),
                          Limits::max(),
                          Limits::infinity(),
                          Limits::quiet_NaN(),
                          std::nextafter(Limits::min(), T(0)),
                          1,
                          std::nextafter(T(1), T(0)),
                          14.5,
                          35,
                          std::nextafter(T(35), T(36)),
                          99,
                          101,
                          600,
                          707,
                          708,
                          746,
                          1e30};
  for (std::size_t i = 0, n = specials.size(); i < n; ++i) specials.push_back(-specials[i]);
  return specials;
}

/// The loops' runs have 8, 16 or 32 elements, and their blocks 2,048.
class LaneLoops : public ::testing::TestWithParam<std::tuple<LaneOp, Capability>> {
 protected:
  void SetUp() override {
    if (best_capability() < capability_) GTEST_SKIP() << "this run has no " << name(capability_);
  }

  template <class T>
  void try_sizes_and_specials() const {
    for (const std::size_t count :
         {0, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 95, 2047, 2048, 4170})
      for (const T special : lane_specials<T>()) {
        const auto self = [&] {
          return operands_of(lane_operands<T>(count, op_.other_sign, special), op_.dtype);
        };
        const auto expected = codes_of<T>(op_.name, self(), Capability::kBaseline);
        EXPECT_EQ(codes_of<T>(op_.name, self(), capability_), expected) << count << ' ' << special;
        EXPECT_EQ(codes_of<T>(std::string(op_.name) + "_", self(), capability_), expected)
            << count << ' ' << special;
      }
  }

  /// Tries every `stride`th pattern. They are in order, so that most blocks have nothing that is
  /// out of an op's range.
  template <class T>
  void try_patterns(CodeOf<T> stride) const {
    constexpr CodeOf<T> kLast = std::numeric_limits<CodeOf<T>>::max();
    std::vector<T> operands;
    for (CodeOf<T> i = 0; i <= kLast / stride; ++i)
      operands.push_back(std::bit_cast<T>(i * stride));
    const Argument self = operands_of(operands, op_.dtype);
    EXPECT_TRUE(codes_of<T>(op_.name, self, capability_) ==
                codes_of<T>(op_.name, self, Capability::kBaseline));
  }

  const LaneOp op_ = std::get<0>(GetParam());
  const Capability capability_ = std::get<1>(GetParam());
};

TEST_P(LaneLoops, GiveTheBitsOfTheBaselineAlsoInPlace) {
  if (op_.dtype == DType::kFloat32)
    try_sizes_and_specials<float>();
  else
    try_sizes_and_specials<double>();
}

TEST_P(LaneLoops, GiveTheBitsOfTheBaselineForAMillionPatterns) {
  if (op_.dtype == DType::kFloat32)
    try_patterns<float>(2039);
  else
    try_patterns<double>((std::uint64_t{1} << 43) + 0x5a5a5a5a5a5);
}

INSTANTIATE_TEST_SUITE_P(Ops, LaneLoops,
                         ::testing::Combine(::testing::ValuesIn(kLaneOps),
                                            ::testing::Values(Capability::kV3, Capability::kV4)),
                         [](const auto& instance) {
                           const bool is_v3 = std::get<1>(instance.param) == Capability::kV3;
                           const LaneOp& op = std::get<0>(instance.param);
                           return op.name + std::string(name(op.dtype)) + (is_v3 ? "V3" : "V4");
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
    ASSERT_TRUE(codes_of<float>("rsqrt", self, best_capability()) ==
                codes_of<float>("rsqrt", self, Capability::kBaseline))
        << std::hex << first;
  }
}

class LargeLaneResults : public ::testing::TestWithParam<Capability> {};

/// Large results are streamed, except those before the first cache line and after the last run. One
/// operand is out of range, so a block is computed again.
TEST_P(LargeLaneResults, HaveTheBitsOfTheBaseline) {
  if (best_capability() < GetParam()) GTEST_SKIP() << "this run has no " << name(GetParam());
  constexpr std::int64_t kCount = kLeastStreamed / 4 + 83, kOffset = 3, kGap = 5;
  std::vector<float> operands(kCount, 0.7F);
  for (std::int64_t i = 0; i < kCount; ++i) operands[i] += static_cast<float>(i % 8191);
  operands[kCount / 2] = 0;
  const Argument self = operands_of(operands, DType::kFloat32);
  const auto expected = codes_of<float>("rsqrt", self, Capability::kBaseline);
  Tensor out = make_tensor(DType::kFloat32, {kOffset + kCount + kGap});
  const Tensor whole = out;
  out.sizes = {kCount};
  out.offset = kOffset;
  ASSERT_TRUE(call("rsqrt.out", {self}, &out, {.capability = GetParam()}).ok());
  EXPECT_TRUE(values<std::uint32_t>(out) == expected);
  const auto all = values<std::uint32_t>(whole);
  EXPECT_EQ(std::count(all.begin(), all.begin() + kOffset, 0), kOffset);
  EXPECT_EQ(std::count(all.end() - kGap, all.end(), 0), kGap);
  ASSERT_TRUE(call("rsqrt.out", {self}, &self.tensor, {.capability = GetParam()}).ok());
  EXPECT_TRUE(values<std::uint32_t>(self.tensor) == expected) << "in place";
}

INSTANTIATE_TEST_SUITE_P(Capabilities, LargeLaneResults,
                         ::testing::Values(Capability::kV3, Capability::kV4),
                         [](const auto& instance) {
                           return instance.param == Capability::kV3 ? "V3" : "V4";
                         });

}  // namespace
}  // namespace upcast
