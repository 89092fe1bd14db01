// The value of an expression, before it becomes an operand of a call.
#pragma once

#include <string>
#include <vector>

#include "cases/case.h"

namespace upcast::python {

/// The most elements that a question's case spells out; a larger tensor's are made from the value
/// class.
inline constexpr std::int64_t kMostWritten = 64;

/// The value of Value::variable if no variable holds the value.
inline constexpr int kNoVariable = -1;

struct Value {
  Operand operand{};
  bool is_sequence = false;    // a tuple or a list
  std::vector<Value> items{};  // of a sequence
  int variable = kNoVariable;  // values of one variable share their storage
};

/// One argument of a call, evaluated.
struct GivenValue {
  std::size_t position = 0;  // in the text
  std::string keyword{};     // "" where positional
  Value value{};
};

}  // namespace upcast::python
