// From a name and arguments, as they stand in a line, to an overload and its parameters.
//
// "add.Tensor", "add_.Tensor" and "add.out" name an overload in a form. A name without overload is
// resolved as Python resolves it: overloads with more Tensor parameters are tried first, and a
// number fits a Scalar parameter, or a Tensor one of add, sub, mul, div and floor_divide. Where
// nothing fits so, a number fits any Tensor parameter, as a wrapped number. "torch.", "aten::" are
// dropped; "special.i0" is special_i0, or i0.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "cases/text_cursor.h"

namespace upcast {

struct WrittenArgument {
  std::size_t position = 0;  // in the line
  std::string_view keyword;  // "" where positional
  Operand operand;
};

struct WrittenCall {
  std::size_t position = 0;  // of the name
  std::string_view name;
  std::vector<WrittenArgument> arguments;
  std::optional<Operand> out;
  std::optional<Operand> second_out;
  std::size_t end = 0;  // of the closing parenthesis
};

/// Whether None may be given for a parameter, because it is optional. ParameterType does not
/// distinguish str? from str; a default that is a text does.
bool may_be_none(const Parameter& parameter);

/// Sets op, overload, form, arguments and out of `c`. Faults if no overload takes the arguments.
void resolve_call(WrittenCall call, Case& c);

}  // namespace upcast
