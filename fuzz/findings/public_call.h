// Writes a call by the name that people use in Python: torch.add(x, y), F.elu(x), x.add_(y), x & y.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "cases/case.h"

namespace upcast::fuzz::internal {

/// A call's arguments as texts, as Python writes them.
struct WrittenCall {
  std::vector<std::string> positional{};
  /// Named arguments: the parameter's name, and the value as text.
  std::vector<std::pair<std::string, std::string>> named{};
  std::vector<std::string> outs{};
  /// The tensors of the call: the variable's name, and the operand that it holds.
  std::vector<std::pair<std::string, const Operand*>> tensors{};
};

/// Whether tensors have a method with the operator's name, such as add_, in Python and so in C++.
bool is_method(const std::string& name);

/// The text of a case's call by its public name. "" if no public name leads to the overload of the
/// case.
std::string public_call(const Case& c, const WrittenCall& written);
/// The text of a case's call by the operator's name, torch.ops.aten.add.Tensor(x, y). "" for a call
/// with two outputs, whose keywords differ by op.
std::string operator_call(const Case& c, const WrittenCall& written);

}  // namespace upcast::fuzz::internal
