// Makes tensors and calls for tests of the CPU's engine.
#pragma once

#include <cstring>
#include <string_view>
#include <utility>
#include <vector>

#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"

namespace upcast::testing {

template <class T>
Argument tensor(DType dtype, Dims sizes, std::vector<T> values) {
  Tensor made = make_tensor(dtype, sizes);
  if (!values.empty()) std::memcpy(made.data(), values.data(), values.size() * sizeof(T));
  return {.tag = Argument::Tag::kTensor, .tensor = made};
}

template <class T>
std::vector<T> values(const Tensor& tensor) {
  const std::vector<std::byte> bytes = logical_bytes(tensor);
  std::vector<T> result(bytes.size() / sizeof(T));
  std::memcpy(result.data(), bytes.data(), bytes.size());
  return result;
}

inline Outcome<CallResult> call(std::string_view callable, std::vector<Argument> arguments,
                                const Tensor* out = nullptr, CpuSettings settings = {}) {
  const FoundOp found = find_callable(callable);
  Call made;
  made.schema = &found.op->schemas[found.overload];
  made.form = found.form;
  arguments.resize(made.schema->parameters.size());
  made.arguments = arguments;
  made.out = out;
  CpuEngine cpu(settings);
  return call_op(*found.op, made, cpu);
}

}  // namespace upcast::testing
