#include "bench/libtorch_peer.h"

#include <gtest/gtest.h>

#include <cstring>

#include "bench/uniform.h"
#include "cases/notation.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"

namespace upcast::bench {
namespace {

/// Fills an operand that claims to be on a device, but lies in the host's memory.
void fill(Storage& storage, DType dtype, int) {
  const auto n = static_cast<std::int64_t>(storage.size()) / itemsize(dtype);
  const std::vector<std::byte> values = uniform(dtype, n, 0, 100, 1);
  storage.memory().write(values, storage.data());
}

TEST(LibTorchPeer, CallsLibTorchOverTheSameMemory) {
  for (const char* const line :
       {"add.Tensor(float32[100], float32[100])", "add.Tensor(int32[100], 2.5)",
        "add.Tensor(float32[10,10], float32[10,10]:permuted)",
        "add.Tensor(float32[100]:strides(2), float32[]:device(cpu))"}) {
    const BenchCall call(parse_case(line), Device::kCuda, host_memory(), fill);
    LibTorchPeer peer(call);
    ASSERT_EQ(peer.missing(), "");
    const Answer theirs = peer.answer();
    CpuEngine cpu;
    Case on_host = parse_case(line);
    CaseCall holder;  // holds our call; `call` claims to be on a device
    Call made = holder.make(on_host, kPyTorchRules, nullptr);
    std::vector<Argument> arguments(made.arguments.begin(), made.arguments.end());
    for (std::size_t i = 0; i < arguments.size(); ++i)
      arguments[i].tensor.storage = call.tensor(static_cast<int>(i)).storage;
    made.arguments = arguments;
    const Outcome<CallResult> ours = call_op(call.op(), made, cpu);
    ASSERT_TRUE(ours.ok());
    EXPECT_EQ(theirs.dtype, ours.value().tensor.dtype) << line;
    EXPECT_EQ(theirs.bytes, logical_bytes(ours.value().tensor)) << line;
    peer.run();
  }
}

TEST(LibTorchPeer, RefusesAsLibTorchDoes) {
  const BenchCall call(parse_case("add.Tensor(float32[3], float32[4])"), Device::kCuda,
                       host_memory(), fill);
  LibTorchPeer peer(call);
  EXPECT_ANY_THROW(peer.run());
}

}  // namespace
}  // namespace upcast::bench
