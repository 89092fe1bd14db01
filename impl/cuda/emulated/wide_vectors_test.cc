// Tests vectors of 32 bytes under the emulated launch. The contiguous kernels have such vectors on
// devices of compute capability 10.0 and above.
#include <gtest/gtest.h>

#include <cstring>

#include "impl/cuda/device_engine.h"
#include "impl/cuda/emulated/emulated_memory.h"
#include "impl/ops/arithmetic.h"
#include "impl/ops/call_op.h"
#include "impl/ops/comparison.h"

namespace upcast {
namespace {

constexpr DeviceModel kModel{.threads = 5, .max_blocks = 3, .max_offset = 4096, .vector_bytes = 32};

/// An engine that runs only op O over one dtype, with vectors of `Bytes` bytes.
template <class O, class T, class S, int Bytes>
class WideEngine : public DeviceEngine {
 public:
  WideEngine() : DeviceEngine(kModel) {}
  Memory& memory() override { return memory_; }

  std::uint32_t vectors = 0, heads = 0;  // vectors and head elements, over all launches

 private:
  void start(const Op&, DType, const Launch& launch) override {
    const auto* const args = std::get_if<ContiguousArgs>(&launch.args);
    if (args != nullptr) {
      vectors += args->elements.vectors;
      heads += args->elements.head;
      EXPECT_EQ(args->elements.width, Bytes / sizeof(S));
    }
    for (std::uint32_t block = 0; block < launch.blocks; ++block)
      for (std::uint32_t thread = 0; thread < launch.threads; ++thread) {
        const LaunchIndex at{block, thread, launch.blocks, launch.threads};
        if (args != nullptr)
          elementwise_contiguous<O, T, S, Bytes>(at, *args);
        else  // if the operands' alignments differ
          elementwise_general<O, T>(at, std::get<GeneralArgs>(launch.args));
      }
  }
  Fault* fault() override { return &fault_; }
  Fault raised() override { return fault_; }

  EmulatedMemory memory_;
  Fault fault_;
};

template <class S>
Tensor counting(DType dtype, std::int64_t n, Memory& memory) {
  Tensor tensor = make_tensor(dtype, {n});
  for (std::int64_t i = 0; i < n; ++i)
    reinterpret_cast<S*>(tensor.data())[i] = convert<S>(static_cast<float>(i % 100));
  return copy_to(tensor, memory);
}

/// Tests `a op b`, in place and not. `distance` says how many allocations lie between a and b: 1
/// gives them different alignments, 2 the same.
template <class O, class T, class S, class R>
void expect_results(DType dtype, std::string_view callable, R (*expected)(std::int64_t)) {
  const FoundOp found = find_callable(callable);
  std::uint32_t vectors = 0, heads = 0;
  for (const std::int64_t n : {1, 7, 8, 33, 1000, 5000})
    for (const int distance : {1, 2})
      for (int turn = 0; turn < 2; ++turn) {  // turns begin at different alignments
        WideEngine<O, T, S, 32> engine;
        const auto pass = [&engine] { engine.memory().free(engine.memory().allocate(1), 1); };
        if (turn == 1) pass();
        const Tensor a = counting<S>(dtype, n, engine.memory());
        if (distance == 2) pass();
        const Tensor b = counting<S>(dtype, n, engine.memory());
        if (distance == 2) pass();
        std::vector<Argument> arguments{{.tag = Argument::Tag::kTensor, .tensor = a},
                                        {.tag = Argument::Tag::kTensor, .tensor = b}};
        arguments.resize(found.op->schemas[found.overload].parameters.size());
        const Call made{.schema = &found.op->schemas[found.overload],
                        .form = found.form,
                        .arguments = arguments};
        const auto result = call_op(*found.op, made, engine);
        ASSERT_TRUE(result.ok());
        const std::vector<std::byte> bytes =
            logical_bytes(copy_to(result.value().tensor, host_memory()));
        ASSERT_EQ(bytes.size(), n * sizeof(R));
        for (std::int64_t i = 0; i < n; ++i) {
          R value;
          std::memcpy(&value, bytes.data() + i * sizeof(R), sizeof(R));
          ASSERT_EQ(value, expected(i)) << n << " " << distance << " " << turn << " " << i;
        }
        vectors += engine.vectors;
        heads += engine.heads;
      }
  EXPECT_GT(vectors, 0U);
  EXPECT_TRUE(heads > 0 || found.form != Form::kInPlace);
}

TEST(WideVectors, AddFloat32) {
  expect_results<Add, float, float, float>(DType::kFloat32, "add_.Tensor", [](std::int64_t i) {
    return static_cast<float>(2 * (i % 100));
  });
}
TEST(WideVectors, AddInt64) {
  expect_results<Add, std::int64_t, std::int64_t, std::int64_t>(
      DType::kInt64, "add_.Tensor", [](std::int64_t i) { return 2 * (i % 100); });
}
TEST(WideVectors, AddUInt8) {
  expect_results<Add, std::uint8_t, std::uint8_t, std::uint8_t>(
      DType::kUInt8, "add_.Tensor",
      [](std::int64_t i) { return static_cast<std::uint8_t>(2 * (i % 100)); });
}
TEST(WideVectors, EqualFloat64) {
  expect_results<Eq, double, double, std::uint8_t>(DType::kFloat64, "eq.Tensor",
                                                   [](std::int64_t) { return std::uint8_t{1}; });
}

}  // namespace
}  // namespace upcast
