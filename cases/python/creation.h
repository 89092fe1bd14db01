// Tensors that PyTorch's functions make: torch.ones(3, dtype=torch.int32), torch.tensor([1, 2.5]).
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cases/python/value.h"

namespace upcast::python {

/// The names of the functions, without "torch.".
std::vector<std::string_view> creation_names();

/// The tensor that torch.NAME(...) makes; nothing if NAME makes none. Its values are written out if
/// the function says them and there are few. Otherwise they are those of the case's value class.
/// Throws SyntaxFault, at `position` if no argument is at fault.
std::optional<Operand> make_tensor(std::string_view name, std::size_t position,
                                   std::span<const GivenValue> arguments, Defaults defaults);

}  // namespace upcast::python
