// Values of Python expressions, before they become operands of a call.
#pragma once

#include <string>
#include <vector>

#include "cases/case.h"

namespace upcast::python {

/// The most elements that a question's case spells out. A larger tensor's elements come from the
/// value class.
inline constexpr std::int64_t kMostWritten = 64;

/// What Value::variable is for a value that no variable holds.
inline constexpr int kNoVariable = -1;

struct Value {
  Operand operand{};
  bool is_sequence = false;    // whether the value is a tuple or a list
  std::vector<Value> items{};  // the items of a tuple or list
  int variable = kNoVariable;  // index of the variable; uses of one variable share their storage
};

/// One argument of a call, evaluated.
struct GivenValue {
  std::size_t position = 0;  // where the argument stands in the text
  std::string keyword{};     // "" for an argument by position
  Value value{};
};

}  // namespace upcast::python
