// Writes a call by the name that people use in Python: torch.add(x, y), F.elu(x), x.add_(y), x & y.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cases/case.h"

namespace upcast::fuzz::internal {

/// The arguments of a call as Python writes them.
struct WrittenCall {
  std::vector<std::string> positional{};
  std::vector<std::pair<std::string, std::string>> named{};  // name and value
  std::vector<std::string> outs{};
  std::vector<std::pair<std::string, const Operand*>> tensors{};  // variable and operand
};

/// Whether a tensor has a method of the operator's name, such as add_, in Python and so in C++.
bool is_method(const std::string& name);

/// The call by its public name; "" if Python has none that leads to the overload of the case.
std::string public_call(const Case& c, const WrittenCall& written);
/// The call by the name of the operator, torch.ops.aten.add.Tensor(x, y). "" for two outputs, whose
/// names differ.
std::string operator_call(const Case& c, const WrittenCall& written);

}  // namespace upcast::fuzz::internal
