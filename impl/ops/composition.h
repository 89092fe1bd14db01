// Helps to write an op as a composition of other ops.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "impl/ops/call.h"

namespace upcast {

/// Calls ops one after the other. After a refusal it calls no further op, and `finish` returns that
/// refusal.
class Composition {
 public:
  Composition(const Call& outer, Caller caller) : outer_(outer), caller_(caller) {}

  /// Calls an op with Arguments, Tensors or Numbers, and returns its result. After a refusal it
  /// returns an undefined tensor.
  template <class... Operands>
  Tensor call(std::string_view callable, const Operands&... operands) {
    if (refused_) return {};
    const std::vector<Argument> arguments{as_argument(operands)...};
    Outcome<CallResult> result = caller_(callable, arguments, outer_);
    if (result.ok()) return result.value().tensor;
    refused_ = result.rejection();
    return {};
  }

  Outcome<CallResult> finish(Tensor result) const {
    if (refused_) return *refused_;
    return CallResult{.tensor = std::move(result)};
  }

 private:
  static Argument as_argument(const Argument& argument) { return argument; }
  static Argument as_argument(const Tensor& tensor) {
    return {.tag = Argument::Tag::kTensor, .tensor = tensor};
  }
  static Argument as_argument(const Number& number) {
    return {.tag = Argument::Tag::kNumber, .number = number};
  }

  const Call& outer_;
  Caller caller_;
  std::optional<Rejection> refused_;
};

}  // namespace upcast
