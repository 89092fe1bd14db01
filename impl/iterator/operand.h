// The operands of an iteration, and what the iterator's steps know of them.
#pragma once

#include <array>
#include <span>

#include "impl/tensor/tensor.h"

namespace upcast {

inline constexpr int kMaxOutputs = 2;
inline constexpr int kMaxInputs = 3;

struct IteratorOperand {
  const Tensor* tensor = nullptr;   // null: a left-out input, or an output to allocate
  DType dtype = DType::kUndefined;  // for an input: dtype of TensorIterator's CPU copy of it
  bool is_output = false;
  bool read_write = false;   // whether an output is also an input (in place)
  bool will_resize = false;  // whether an output has a wrong shape, and gets the computed one

  bool defined() const { return tensor != nullptr && tensor->defined(); }
  /// Whether the operand takes part in deciding the result's layout.
  bool has_layout() const { return defined() && !will_resize; }
};

/// The flags of TensorIteratorConfig that concern shapes, strides and devices. Its flags about
/// dtypes are in PromotionKind.
struct IteratorConfig {
  bool check_overlap = true;
  bool resize_outputs = true;  // false: the output's shape takes part in broadcasting
  CpuScalars cpu_scalars = CpuScalars::kNone;
};

struct StepTrace;

/// The state that each step of the iterator passes on to the next. Outputs come first in it.
struct Iteration {
  IteratorConfig config{};
  std::array<IteratorOperand, kMaxOutputs + kMaxInputs> slots{};
  int output_count = 0;
  int input_count = 0;
  Dims shape{};
  bool all_same_shape = true;
  Device device = Device::kCpu;
  StepTrace* trace = nullptr;  // where steps note decisions; null: nowhere

  std::span<IteratorOperand> operands() {
    return {slots.data(), std::size_t(output_count + input_count)};
  }
  std::span<const IteratorOperand> operands() const {
    return {slots.data(), std::size_t(output_count + input_count)};
  }
  std::span<IteratorOperand> outputs() { return operands().first(output_count); }
  std::span<const IteratorOperand> outputs() const { return operands().first(output_count); }
  std::span<const IteratorOperand> inputs() const { return operands().subspan(output_count); }
};

}  // namespace upcast
