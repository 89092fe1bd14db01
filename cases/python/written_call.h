// Makes a case of a call whose arguments are evaluated.
#pragma once

#include <string>
#include <vector>

#include "cases/python/expression.h"
#include "cases/python/value.h"

namespace upcast::python {

struct CalledName {
  std::string name;          // as written, without its module: "add_", "special.erf", "add.Tensor"
  std::size_t position = 0;  // where the name stands in the text
  std::size_t end = 0;       // where the call ends in the text
};

/// Whether an argument is values=special or values= with another value class. That word belongs to
/// the case notation: it is no variable.
bool is_setting_of_values(const Argument& argument);

/// Sets op, overload, form and arguments of `c`, as resolve_call does. It also understands Python's
/// keywords input=, inplace= and reduction=, and out=(a, b). If the arguments fit no schema, a
/// dtype in the place of a tensor stands for a tensor of that dtype. Returns notes about what was
/// assumed.
std::vector<std::string> resolve_written(CalledName called,
                                         const std::vector<GivenValue>& arguments, Case& c);

}  // namespace upcast::python
