// Tests of the kernels under the emulated launch: every path is taken, and out-of-bounds writes are
// noticed.
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

Outcome<CallResult> call(Engine& engine, std::string_view callable, std::vector<Argument> arguments,
                         const Tensor* out = nullptr) {
  const FoundOp found = find_callable(callable);
  arguments.resize(found.op->schemas[found.overload].parameters.size());
  const Call made{.schema = &found.op->schemas[found.overload],
                  .form = found.form,
                  .arguments = arguments,
                  .out = out};
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
    for (int turn = 0; turn < 2; ++turn) {  // once aligned to 16 bytes, once not
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

/// A tensor of counting values, allocated from `memory`, whose first byte is at a 16-byte boundary.
Tensor aligned_counting(DType dtype, std::int64_t n, Memory& memory) {
  Tensor tensor = counting(dtype, n, memory);
  while (reinterpret_cast<std::uintptr_t>(tensor.data()) % 16 != 0)
    tensor = counting(dtype, n, memory);
  return tensor;
}

/// All operands have the same alignment, so that the kernels take vectors after a head.
TEST(EmulatedEngine, VectorsOfOneDTypeAndOfSeveralAfterAnyHead) {
  constexpr std::int64_t kCount = 37;
  EmulatedEngine engine;
  for (std::int64_t head = 0; head < 4; ++head) {
    const auto after_head = [&](DType dtype) {
      Tensor tensor = aligned_counting(dtype, head + kCount, engine.memory());
      tensor.offset = head;
      tensor.sizes = {kCount};
      return tensor;
    };
    const Tensor a = after_head(DType::kFloat32);
    for (const Tensor& b : {after_head(DType::kInt32), after_head(DType::kFloat32)}) {
      const Tensor out = after_head(DType::kFloat32);
      ASSERT_TRUE(call(engine, "add.out", {as_argument(a), as_argument(b)}, &out).ok());
      Tensor whole = out;
      whole.offset = 0;
      whole.sizes = {head + kCount};
      std::vector<float> expected(head + kCount);
      for (std::int64_t i = 0; i < head + kCount; ++i) expected[i] = float(i < head ? i : 2 * i);
      EXPECT_EQ(floats(whole), expected) << head << " " << name(b.dtype);
    }
  }
}

TEST(EmulatedEngine, AnInt64IsRoundedOnceToAReducedDType) {
  EmulatedEngine engine;
  Tensor above_tie = make_tensor(DType::kInt64, {1});  // halfway between two bfloat16, plus 1
  *reinterpret_cast<std::int64_t*>(above_tie.data()) =
      (std::int64_t{1} << 62) + (std::int64_t{1} << 54) + 1;
  const auto sum =
      call(engine, "add.Tensor",
           {as_argument(copy_to(above_tie, engine.memory())),
            as_argument(copy_to(make_tensor(DType::kBFloat16, {1}), engine.memory()))});
  ASSERT_TRUE(sum.ok());
  const std::vector<std::byte> bytes = logical_bytes(copy_to(sum.value().tensor, host_memory()));
  EXPECT_EQ(bytes, (std::vector<std::byte>{std::byte{0x81}, std::byte{0x5e}})) << "0x1.02p62";
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
