// Takes the needed parts of a program's prelude (prelude.cpp.in, prelude.py.in). A program for one
// case has only the parts that it uses.
#pragma once

#include <string>
#include <string_view>

namespace upcast::fuzz::internal {

/// The whole prelude, without the lines that begin with `mark` and delimit its parts.
std::string whole_prelude(std::string_view prelude, std::string_view mark);

/// The parts of a prelude that `body` uses, or that a taken part uses. A line "MARK NAME" begins a
/// part that is taken if NAME occurs without a letter, digit or '_' before it. A line MARK alone
/// begins one that is always taken.
std::string prelude_for(std::string_view body, std::string_view prelude, std::string_view mark);

}  // namespace upcast::fuzz::internal
