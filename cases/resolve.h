// Finds the overload and parameters that a name and arguments in a line mean.
//
// "add.Tensor", "add_.Tensor" and "add.out" name an overload in a form. A name without overload is
// resolved as Python resolves it: overloads with more Tensor parameters are tried first. A number
// fits a Scalar parameter, and also a Tensor parameter of add, sub, mul, div and floor_divide. If
// no overload fits in this way, a number fits any Tensor parameter, as a wrapped number. The
// prefixes "torch." and "aten::" are dropped; "special.i0" is special_i0, or i0.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "cases/text_cursor.h"

namespace upcast {

struct WrittenArgument {
  std::size_t position = 0;  // where the argument stands in the line
  std::string_view keyword;  // "" for an argument by position
  Operand operand;
};

struct WrittenCall {
  std::size_t position = 0;  // where the name stands in the line
  std::string_view name;
  std::vector<WrittenArgument> arguments;
  std::optional<Operand> out;
  std::optional<Operand> second_out;
  std::size_t end = 0;  // where the closing parenthesis stands in the line
};

/// Whether None may be given for an optional parameter. ParameterType does not distinguish str?
/// from str. A str parameter whose default is a text does not take None.
bool may_be_none(const Parameter& parameter);

/// Sets op, overload, form, arguments and out of `c` to what the call means. Faults if no overload
/// takes its arguments.
void resolve_call(WrittenCall call, Case& c);

}  // namespace upcast
