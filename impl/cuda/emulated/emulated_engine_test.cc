// The kernels under the emulated launch: every path, and what must not go unnoticed.
#include "impl/cuda/emulated/emulated_engine.h"

#include <gtest/gtest.h>

#include <cstring>

#include "impl/cuda/emulated/emulated_memory.h"
#include "impl/ops/call_op.h"

namespace upcast {
namespace {

Tensor counting(DType dtype, std::int64_t n, Memory& memory) {
  Tensor tensor = make_tensor(dtype, {n});
  for (std::int64_t i = 0; i < n; ++i) {
    if (dtype == DType::kFloat32) reinterpret_cast<float*>(tensor.data())[i] = float(i);
    if (dtype == DType::kInt32) reinterpret_cast<std::int32_t*>(tensor.data())[i] = int(i);
  }
  return copy_to(tensor, memory);
}

Outcome<CallResult> call(Engine& engine, std::string_view callable,
                         std::vector<Argument> arguments) {
  const FoundOp found = find_callable(callable);
  arguments.resize(found.op->schemas[found.overload].parameters.size());
  const Call made{
      .schema = &found.op->schemas[found.overload], .form = found.form, .arguments = arguments};
  return call_op(*found.op, made, engine);
}

Argument as_argument(const Tensor& tensor) {
  return {.tag = Argument::Tag::kTensor, .tensor = tensor};
}

std::vector<float> floats(const Tensor& tensor) {
  const std::vector<std::byte> bytes = logical_bytes(copy_to(tensor, host_memory()));
  std::vector<float> values(bytes.size() / sizeof(float));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(EmulatedEngine, AddsInVectorsHeadsAndTails) {
  EmulatedEngine engine;
  for (const std::int64_t n : {0, 1, 3, 4, 5, 16, 17, 1000, 5000})
    for (int turn = 0; turn < 2; ++turn) {  // aligned, and beside it
      const Tensor a = counting(DType::kFloat32, n, engine.memory());
      const Tensor b = counting(DType::kInt32, n, engine.memory());
      for (const Tensor& other : {a, b}) {
        const auto sum = call(engine, "add.Tensor", {as_argument(a), as_argument(other)});
        ASSERT_TRUE(sum.ok());
        std::vector<float> expected(n);
        for (std::int64_t i = 0; i < n; ++i) expected[i] = float(2 * i);
        EXPECT_EQ(floats(sum.value().tensor), expected) << n;
      }
    }
}

TEST(EmulatedEngine, ANumberIsNoMemory) {
  EmulatedEngine engine;
  const Tensor a = counting(DType::kFloat32, 10, engine.memory());
  const auto sum = call(engine, "add.Tensor",
                        {as_argument(a), {.tag = Argument::Tag::kNumber, .number = Number(0.5)}});
  ASSERT_TRUE(sum.ok());
  EXPECT_EQ(floats(sum.value().tensor)[9], 9.5F);
  EXPECT_FALSE(sum.value().tensor.on_host());
}

TEST(EmulatedMemory, ADeadCanaryEndsTheProgram) {
  EXPECT_DEATH(
      {
        EmulatedMemory memory;
        std::byte* const bytes = memory.allocate(10);
        bytes[10] = std::byte{0};
        memory.free(bytes, 10);
      },
      "outside the memory of a tensor");
  EmulatedMemory memory;  // the control
  std::byte* const bytes = memory.allocate(10);
  bytes[9] = std::byte{0};
  memory.free(bytes, 10);
}

TEST(EmulatedMemory, AlternatesItsAlignment) {
  EmulatedMemory memory;
  std::byte* const first = memory.allocate(10);
  std::byte* const second = memory.allocate(10);
  EXPECT_NE(reinterpret_cast<std::uintptr_t>(first) % 16,
            reinterpret_cast<std::uintptr_t>(second) % 16);
  memory.free(first, 10);
  memory.free(second, 10);
}

}  // namespace
}  // namespace upcast
