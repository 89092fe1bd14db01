// The steps of a call in the order in which they are taken, and what each one found. If a call has
// a trace, each step notes its decision in it.
#pragma once

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "impl/core/rejection.h"
#include "impl/iterator/fast_setup.h"
#include "impl/iterator/plan.h"

namespace upcast {

enum class Step : std::uint8_t {
  kGpuOperands,  // the GPU's kernel refuses an operand from the CPU
  kOperands,     // undefined operands, and the op's own checks
  kOutput,       // which outputs are given, and which are also inputs
  kOverlap,
  kShape,
  kResizing,
  kDTypes,
  kDevices,
  kKernel,     // whether the common dtype has a kernel
  kFastSetup,  // the strides of a result that is allocated
  kOrder,      // how dimensions are ordered and merged
  kResult,     // the result's dtype, shape and strides
  kLoops,
  kRun,      // the kernel
  kParts,    // the calls that the op is composed of
  kCopyOut,  // a functional result is copied to out
};

constexpr std::string_view name(Step step) {
  constexpr std::string_view kNames[]{"gpu operands", "operands",    "output", "overlap",
                                      "shape",        "resizing",    "dtypes", "devices",
                                      "kernel",       "fast set-up", "order",  "result",
                                      "loops",        "kernel run",  "parts",  "copy to out"};
  return kNames[static_cast<int>(step)];
}

/// Plain data.
struct StepTrace {
  struct Taken {
    Step step;
    std::optional<Rejection> refused{};
  };
  struct Operand {
    DType dtype = DType::kUndefined;  // kUndefined: a left-out operand, or an output to allocate
    Dims sizes{}, strides{};
    bool read_write = false;
  };

  std::vector<Taken> taken{};
  std::vector<Operand> outputs{}, inputs{};  // the operands as the caller gives them
  Dims shape{};
  Device device = Device::kCpu;
  FastSetup fast_setup = FastSetup::kNone;
  std::vector<int> order{};  // fastest first
  std::vector<Operand> results{};
  IteratorPlan plan{};

  /// Notes a step. A step that is taken for several outputs is noted once.
  void note(Step step, const std::optional<Rejection>& refused = std::nullopt) {
    const auto same = [step](const Taken& other) { return other.step == step; };
    const auto found = std::find_if(taken.begin(), taken.end(), same);
    if (found == taken.end())
      taken.push_back({step, refused});
    else
      found->refused = refused;
  }
  /// The step that refuses the call; null if none does.
  const Taken* refusing() const {
    for (const Taken& step : taken)
      if (step.refused) return &step;
    return nullptr;
  }
};

/// Notes a step in the trace, if there is one. Returns whether the step refuses the call.
inline bool refuses(StepTrace* trace, Step step, const std::optional<Rejection>& refused) {
  if (trace != nullptr) trace->note(step, refused);
  return refused.has_value();
}
template <class T>
bool refuses(StepTrace* trace, Step step, const Outcome<T>& outcome) {
  if (trace != nullptr) trace->note(step, refusal_of(outcome));
  return !outcome.ok();
}

inline void note_order(StepTrace* trace, const std::vector<int>& order) {
  if (trace == nullptr) return;
  trace->note(Step::kOrder);
  trace->order = order;
}

}  // namespace upcast
