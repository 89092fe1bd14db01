#include "bench/gpu/traffic.h"

#include <gtest/gtest.h>

#include <cctype>
#include <ostream>
#include <set>
#include <string>

#include "bench/gpu/gpu_cases.h"
#include "bench/gpu/planning_engine.h"
#include "cases/notation.h"
#include "impl/core/error.h"

namespace upcast::bench {
namespace {

Traffic traffic(const std::string& line) {
  PlanningEngine engine;
  return traffic_of(BenchCall(parse_case(line + " @device=cuda"), Device::kCuda, engine.memory()),
                    engine);
}

struct Expected {
  std::string line;
  GpuPath path;
  double memory, cache;  // expected bytes for each element
};

/// GoogleTest names each test after its case line; only letters and digits of the line are allowed.
void PrintTo(const Expected& expected, std::ostream* out) {
  for (const char c : expected.line) *out << (std::isalnum(c) != 0 ? c : '_');
}

class TrafficModel : public testing::TestWithParam<Expected> {};

TEST_P(TrafficModel, CountsTheBytesOfItsPath) {
  const Expected& expected = GetParam();
  const Traffic found = traffic(expected.line);
  EXPECT_EQ(name(found.path), name(expected.path)) << expected.line;
  EXPECT_NEAR(found.memory_bytes_per_element(), expected.memory, 0.02) << expected.line;
  EXPECT_NEAR(found.cache_bytes_per_element(), expected.cache, 0.02) << expected.line;
}

// All tensors have 2^20 elements. The expected bytes an element were counted by hand: those read
// and those written.
INSTANTIATE_TEST_SUITE_P(
    Dense, TrafficModel,
    testing::Values(
        Expected{"add.Tensor(float32[1048576], float32[1048576])", GpuPath::kContiguous, 12, 12},
        Expected{"add.Tensor(float64[1048576], float64[1048576])", GpuPath::kContiguous, 24, 24},
        Expected{"eq.Tensor(int64[1048576], int64[1048576])", GpuPath::kContiguous, 17, 17},
        Expected{"where.self(bool[1048576], float32[1048576], float32[1048576])", GpuPath::kMixed,
                 13, 13},
        Expected{"add.Tensor(int32[1048576], float32[1048576])", GpuPath::kMixed, 12, 12},
        Expected{"add.Tensor(uint8[1048576], int64[1048576])", GpuPath::kMixed, 17, 17},
        Expected{"exp(int64[1048576])", GpuPath::kMixed, 12, 12},
        Expected{"add.Tensor(float16[1048576], complex128[1048576])", GpuPath::kMixed, 34, 34}));

INSTANTIATE_TEST_SUITE_P(
    Scalars, TrafficModel,
    testing::Values(
        Expected{"add.Tensor(float32[1048576], 2.5)", GpuPath::kContiguous, 8, 8},
        Expected{"add.Tensor(float32[1048576], float32[]:device(cpu))", GpuPath::kContiguous, 8, 8},
        Expected{"add.Tensor(int32[1048576], 2.5)", GpuPath::kMixed, 8, 8},
        // the zero-dim tensor: one sector from memory, and one sector for every warp from a cache
        Expected{"add.Tensor(float32[1048576], float32[])", GpuPath::kContiguous, 8, 9}));

INSTANTIATE_TEST_SUITE_P(
    Strides, TrafficModel,
    testing::Values(
        Expected{"add.Tensor(float32[1048576]:strides(2), float32[1048576])", GpuPath::kStrided, 16,
                 16},
        Expected{"neg(float32[1048576]:strides(8))", GpuPath::kStrided, 36, 36},
        Expected{"neg(float32[1048576]:strides(100))", GpuPath::kStrided, 36, 36},
        // the transposed matrix: once from memory, but a sector for each element from a cache
        Expected{"add.Tensor(float32[1024,1024], float32[1024,1024]:permuted)", GpuPath::kStrided,
                 12, 40},
        Expected{"add.Tensor(float32[1024,1024], float32[1024])", GpuPath::kStrided, 8, 12},
        Expected{"add.Tensor(float32[1024,1024], float32[1024,1])", GpuPath::kStrided, 8, 9}));

TEST(Traffic, CountsTheLaunchesOfASplitPlan) {
  EXPECT_EQ(traffic("neg(float32[1024])").launches, 1U);
  const Traffic large = traffic("neg(float32[1073741824])");  // 4 GiB: beyond 32-bit byte offsets
  EXPECT_GT(large.launches, 1U);
  EXPECT_EQ(large.memory_bytes, 8.0 * 1073741824);
  EXPECT_EQ(traffic("neg(float32[0])").launches, 0U);
}

TEST(GpuDevices, PredictTimesFromPublishedBandwidths) {
  const GpuDevice& h200 = find_gpu_device("H200");
  const Traffic add = traffic("add.Tensor(float32[268435456], float32[268435456])");
  EXPECT_NEAR(least_nanoseconds(add, h200.bytes_per_second), 12.0 * 268435456 / 4800, 1);
  EXPECT_THROW(find_gpu_device("Voodoo2"), UsageError);
}

TEST(GpuCases, HaveARowForEveryFamilyWithAKernel) {
  std::set<std::string_view> wanted, found;
  for (const Op& op : catalogue())
    for (const KernelEntry& entry : op.kernels)
      if (entry) wanted.insert(op.family);
  for (const GpuCase& made : gpu_cases(10, "family/")) {
    const Case c = parse_case(made.line);
    found.insert(c.op->family);
    EXPECT_TRUE(made.name.starts_with("family/" + std::string(c.op->family) + " ")) << made.name;
  }
  EXPECT_EQ(found, wanted);
}

TEST(GpuCases, CanBePlannedAtEverySize) {
  std::set<GpuPath> paths;
  for (const int exponent : gpu_sizes())
    for (const GpuCase& made : gpu_cases(exponent)) {
      PlanningEngine engine;
      const Case c = parse_case(made.line);
      const Traffic found = traffic_of(BenchCall(c, Device::kCuda, engine.memory()), engine);
      EXPECT_GT(found.memory_bytes, 0) << made.name;
      EXPECT_LE(found.memory_bytes, 2 * bytes_needed(c) + 1024) << made.name;
      paths.insert(found.path);
    }
  EXPECT_EQ(paths.size(), 3U);  // the benchmark's cases take every path
  EXPECT_EQ(gpu_cases(20, "pair ").size(), 78U);
  EXPECT_EQ(gpu_cases(20, "no such row").size(), 0U);
}

}  // namespace
}  // namespace upcast::bench
