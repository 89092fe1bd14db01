// Counts which calls went to our implementation, and which to LibTorch's CPU.
#pragma once

#include <ATen/core/stack.h>

#include <string>

namespace upcast::device {

/// Counts one call that our implementation answers, or one that goes to LibTorch's CPU. `callable`:
/// as "add.Tensor".
void count_ours(const std::string& callable);
void count_fallback(const std::string& callable);

/// Runs a call on LibTorch's CPU, and counts it.
void run_on_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack);

/// The counts since the last call of take_counts(), one line each: "ours add.Tensor 12", "fallback
/// sort 3".
std::string take_counts();

}  // namespace upcast::device
