#include "oracle/frameworks/privateuse1/calls.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/native/CPUFallback.h>
#include <torch/library.h>

#include <map>

namespace upcast::device {
namespace {

struct Counts {
  std::map<std::string, std::int64_t> ours, fallback;
};

Counts& counts() {
  static Counts made;
  return made;
}

}  // namespace

void count_ours(const std::string& callable) { ++counts().ours[callable]; }
void count_fallback(const std::string& callable) { ++counts().fallback[callable]; }

void run_on_cpu(const c10::OperatorHandle& op, torch::jit::Stack* stack) {
  const c10::FunctionSchema& schema = op.schema();
  count_fallback(schema.name().substr(schema.name().find("::") + 2) +
                 (schema.overload_name().empty() ? "" : "." + schema.overload_name()));
  at::native::cpu_fallback(op, stack);
}

std::string take_counts() {
  std::string text;
  for (const auto& [name, calls] : counts().ours)
    text += "ours " + name + " " + std::to_string(calls) + "\n";
  for (const auto& [name, calls] : counts().fallback)
    text += "fallback " + name + " " + std::to_string(calls) + "\n";
  counts() = {};
  return text;
}

TORCH_LIBRARY(upcast, library) { library.def("take_counts() -> str", &take_counts); }

}  // namespace upcast::device
