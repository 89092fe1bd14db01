// Makes a case of a call with evaluated arguments.
#pragma once

#include <string>
#include <vector>

#include "cases/python/expression.h"
#include "cases/python/value.h"

namespace upcast::python {

struct CalledName {
  std::string name;          // "add_", "special.erf", "add.Tensor"
  std::size_t position = 0;  // in the text
  std::size_t end = 0;       // of the call
};

/// Whether the argument is values=special or the like: its word belongs to the case notation.
bool is_setting_of_values(const Argument& argument);

/// Sets op, overload, form and arguments of `c`, as resolve_call does; understands Python's
/// keywords input=, inplace= and reduction=, and out=(a, b). Where the arguments fit no schema, a
/// dtype in the place of a tensor stands for a tensor of it. Returns what was assumed.
std::vector<std::string> resolve_written(CalledName called,
                                         const std::vector<GivenValue>& arguments, Case& c);

}  // namespace upcast::python
