// Tensors that PyTorch's functions make: torch.ones(3, dtype=torch.int32), torch.tensor([1, 2.5]).
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "cases/python/value.h"

namespace upcast::python {

/// The names of PyTorch's functions that make tensors, without "torch.".
std::vector<std::string_view> creation_names();

/// The tensor that torch.NAME(...) makes; nothing if no such function makes tensors. The operand
/// spells its values out if the function determines them and they are few. Otherwise they are those
/// of the case's value class. Throws SyntaxFault at the argument at fault, or at `position` if none
/// is.
std::optional<Operand> make_tensor(std::string_view name, std::size_t position,
                                   std::span<const GivenValue> arguments, Defaults defaults);

}  // namespace upcast::python
