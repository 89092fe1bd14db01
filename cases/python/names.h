// What the names and operators of Python stand for: data, and the nearest known name to a mistyped
// one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "impl/core/dtype.h"

namespace upcast::python {

/// Whether the first word of a dotted name is a module: torch, F, nn, math.
bool is_module(std::string_view word);

/// The name without its module: "relu" of "F.relu", "special.erf" of "torch.special.erf",
/// "add.Tensor" of "torch.ops.aten.add.Tensor".
std::string_view without_module(std::string_view dotted);

/// A dtype: torch.int32, int32, i32, torch.half, and Python's own float, int and complex.
std::optional<DType> find_dtype(std::string_view dotted);

/// inf, nan, pi, e of torch and math.
std::optional<double> find_constant(std::string_view dotted);

/// Whether the catalogue has it, with or without overload.
bool is_callable(std::string_view name);

/// The name of an op as PyTorch's Python has it, where the catalogue has another: F.logsigmoid.
std::string_view catalogue_name(std::string_view name);

/// " (or did you mean X?)" for a name that has no value: dtypes, modules and constants.
std::string or_did_you_mean_value(std::string_view name);

/// Faults with the nearest known function, or with the reason why this one is unknown.
[[noreturn]] void fail_unknown_function(std::size_t position, std::string_view dotted);

/// The methods that Python calls for an operator of a tensor (torch/_tensor.py).
struct OperatorMethods {
  std::string_view sign;
  std::string_view method;
  std::string_view reflected;          // for NUMBER sign TENSOR
  bool number_first = false;           // the reflected one takes the number first
  std::string_view in_place{};         // "": a += b is a = a + b
  std::string_view of_tensor_first{};  // 5 / x is x.reciprocal() * 5
};
/// Null: a sign that calls no elementwise op.
const OperatorMethods* find_operator(std::string_view sign);
/// The method of -x, +x and ~x.
std::string_view unary_method(std::string_view sign);

/// The dtype that x.float(), x.int() and their like convert to.
std::optional<DType> conversion_of(std::string_view method);
/// Whether a method gives the tensor that it is called on: detach, contiguous, cpu.
bool keeps_tensor(std::string_view method);

}  // namespace upcast::python
