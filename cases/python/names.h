// What the names and operators of Python stand for, as data. It also finds the nearest known name
// to a mistyped one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "impl/core/dtype.h"

namespace upcast::python {

/// Whether the first word of a dotted name is one of the modules torch, F, nn, math and their like.
bool is_module(std::string_view word);

/// A name without its module: "relu" for "F.relu", "special.erf" for "torch.special.erf",
/// "add.Tensor" for "torch.ops.aten.add.Tensor".
std::string_view without_module(std::string_view dotted);

/// Finds a dtype by any of its names: torch.int32, int32, i32, torch.half, or Python's own float,
/// int and complex.
std::optional<DType> find_dtype(std::string_view dotted);

/// Finds one of the constants inf, nan, pi and e of torch and math.
std::optional<double> find_constant(std::string_view dotted);

/// Whether the catalogue has a callable of the given name, with or without overload.
bool is_callable(std::string_view name);

/// The catalogue's name for an op that PyTorch's Python names otherwise: log_sigmoid for
/// F.logsigmoid.
std::string_view catalogue_name(std::string_view name);

/// The end of an error message about an unknown variable: " (or did you mean X?)". X is the nearest
/// dtype, module or constant; "" if none is near.
std::string or_did_you_mean_value(std::string_view name);

/// Throws a fault about an unknown function at `position`. The message names the nearest known
/// function, or says why this one is not supported.
[[noreturn]] void fail_unknown_function(std::size_t position, std::string_view dotted);

/// The methods that Python calls for an operator of a tensor (torch/_tensor.py).
struct OperatorMethods {
  std::string_view sign;
  std::string_view method;
  std::string_view reflected;          // the method for NUMBER OPERATOR TENSOR
  bool number_first = false;           // whether the reflected method takes the number first
  std::string_view in_place{};         // the method for a += b; "": Python computes a = a + b
  std::string_view of_tensor_first{};  // called first on the tensor: 5 / x is x.reciprocal() * 5
};
/// The methods of a binary operator; null for one that calls no elementwise op.
const OperatorMethods* find_operator(std::string_view sign);
/// The method that Python calls for the sign in -x, +x or ~x.
std::string_view unary_method(std::string_view sign);

/// The dtype that a method such as x.float() or x.int() converts to; nothing for other methods.
std::optional<DType> conversion_of(std::string_view method);
/// Whether a method returns the tensor itself, as detach, contiguous and cpu do.
bool keeps_tensor(std::string_view method);

}  // namespace upcast::python
