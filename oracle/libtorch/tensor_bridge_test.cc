// Tests of operands and answers of libtorch:cuda on their way to a device and back. The host takes
// the place of a GPU.
#include "oracle/libtorch/tensor_bridge.h"

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include "cases/notation.h"

namespace upcast::libtorch {
namespace {

std::string text_of(const at::Tensor& tensor) {
  Answer answer;
  read_tensor(tensor, answer);
  return to_text(answer);
}

/// Makes an operand for CUDA with the host in its place, and for the CPU. Expects the same of both.
std::string through_the_stand_in(std::string_view line, int position) {
  const Case c = parse_case(line);
  TensorBridge stand_in(Device::kCuda, /*host_stands_in=*/true);
  TensorBridge host(Device::kCpu);
  stand_in.begin_call(c);
  host.begin_call(c);
  const at::Tensor moved = stand_in.read_operand(c, position);
  const at::Tensor made = host.read_operand(c, position);
  EXPECT_EQ(text_of(moved), text_of(made)) << line;
  EXPECT_EQ(moved.strides(), made.strides()) << line;
  EXPECT_EQ(moved.storage_offset(), made.storage_offset()) << line;
  EXPECT_EQ(moved.storage().nbytes(), made.storage().nbytes()) << line;
  return text_of(moved);
}

TEST(TensorBridge, MovesStorageAsItLies) {
  EXPECT_EQ(through_the_stand_in("neg(int32[3]{1,2,3})", 0), "int32[3]{1,2,3}");
  EXPECT_EQ(through_the_stand_in("neg(int32[2,2]:strides(1,3)+offset(2){1,2,3,4})", 0),
            "int32[2,2]{1,2,3,4}");
  EXPECT_EQ(through_the_stand_in("neg(float32[2,3]:strides(0,1))", 0).substr(0, 12),
            "float32[2,3]");
  EXPECT_EQ(through_the_stand_in("neg(float16[0])", 0), "float16[0]{}");
  EXPECT_EQ(through_the_stand_in("neg(complex64[]{1+2j})", 0), "complex64[]{1+2j}");
  through_the_stand_in("neg(bool[5], values=special)", 0);
  through_the_stand_in("neg(float8_e4m3fn[4], values=random, seed=3)", 0);
  through_the_stand_in("add(int32[4]{1,2,3,4}, int32[2]:offset(1)+shares(0))", 1);
}

TEST(TensorBridge, ValuesAreThoseOfTheClassOnEveryDevice) {
  const std::string small = through_the_stand_in("neg(float32[4])", 0);
  const std::string random = through_the_stand_in("neg(float32[4], values=random, seed=1)", 0);
  EXPECT_NE(small, random);
  EXPECT_NE(random, through_the_stand_in("neg(float32[4], values=random, seed=2)", 0));
}

TEST(TensorBridge, OperandsThatAreWrittenAlikeAreTwoTensors) {
  TensorBridge bridge(Device::kCpu);
  const Case c = parse_case("equal(float8_e5m2[2]{1,2}, float8_e5m2[2]{1,2})");
  bridge.begin_call(c);
  const at::Tensor self = bridge.read_operand(c, 0);
  EXPECT_FALSE(self.is_alias_of(bridge.read_operand(c, 1)));
  EXPECT_TRUE(self.is_alias_of(bridge.read_operand(c, 0)));
  EXPECT_FALSE(
      bridge.wrapped_number(Number(2), 0).is_alias_of(bridge.wrapped_number(Number(2), 1)));
}

TEST(TensorBridge, WhatACallWroteIsRestored) {
  const Case c = parse_case("neg_(int32[3]:strides(2){1,2,3})");
  TensorBridge bridge(Device::kCuda, /*host_stands_in=*/true);
  for (int i = 0; i < 3; ++i) {
    bridge.begin_call(c);
    at::Tensor written = bridge.written_operand(c, 0);
    EXPECT_EQ(text_of(written), "int32[3]{1,2,3}");
    written.fill_(7);
    EXPECT_EQ(text_of(written), "int32[3]{7,7,7}");
  }
}

}  // namespace
}  // namespace upcast::libtorch
