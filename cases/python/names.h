// What the names and operators of Python stand for, as data. It also finds the nearest known name
// to a mistyped one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "impl/core/dtype.h"

namespace upcast::python {

/// Whether the first word of a dotted name is a module: torch, F, nn, math.
bool is_module(std::string_view word);

/// A name without its module: "relu" for "F.relu", "special.erf" for "torch.special.erf",
/// "add.Tensor" for "torch.ops.aten.add.Tensor".
std::string_view without_module(std::string_view dotted);

/// Finds a dtype: torch.int32, int32, i32, torch.half, and Python's own float, int and complex.
std::optional<DType> find_dtype(std::string_view dotted);

/// Finds a constant: inf, nan, pi, e of torch and math.
std::optional<double> find_constant(std::string_view dotted);

/// Whether the catalogue has a callable of that name, with or without overload.
bool is_callable(std::string_view name);

/// The catalogue's name for an op that PyTorch's Python names otherwise: F.logsigmoid.
std::string_view catalogue_name(std::string_view name);

/// " (or did you mean X?)" for a name that has no value: dtypes, modules and constants.
std::string or_did_you_mean_value(std::string_view name);

/// Throws a fault with the nearest known function, or with the reason why this one is unknown.
[[noreturn]] void fail_unknown_function(std::size_t position, std::string_view dotted);

/// The methods that Python calls for an operator of a tensor (torch/_tensor.py).
struct OperatorMethods {
  std::string_view sign;
  std::string_view method;
  std::string_view reflected;          // the method for NUMBER sign TENSOR
  bool number_first = false;           // whether the reflected one takes the number first
  std::string_view in_place{};         // "": a += b is a = a + b
  std::string_view of_tensor_first{};  // 5 / x is x.reciprocal() * 5
};
/// The methods of an operator; null for a sign that calls no elementwise op.
const OperatorMethods* find_operator(std::string_view sign);
/// The method of -x, +x and ~x.
std::string_view unary_method(std::string_view sign);

/// The dtype that x.float(), x.int() and their like convert to.
std::optional<DType> conversion_of(std::string_view method);
/// Whether a method returns the tensor itself: detach, contiguous, cpu.
bool keeps_tensor(std::string_view method);

}  // namespace upcast::python
