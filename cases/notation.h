// The case notation: a line is a case, its id, its seed and its reproducer (docs/case_notation.md).
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/case.h"
#include "cases/text_cursor.h"
#include "impl/core/error.h"

namespace upcast {

/// Parses one case line; a `#` comment may follow. Throws UsageError, one line with the column
/// (from 1) and a remedy.
Case parse_case(std::string_view line);

/// Like parse_case, but throws a SyntaxFault, which has the offset of the fault in the line.
Case parse_case_or_fault(std::string_view line);

/// Reads what follows the call in a case line, up to the line's end: "@SETTING=VALUE ... ->
/// EXPECTATION".
void parse_settings(TextCursor& cursor, Case& c);

/// A syntax fault as an error message for the user: "column 5: ...".
UsageError usage_error(const SyntaxFault& fault);

/// The canonical line of a case: parse_case(print_case(c)) == c.
std::string print_case(const Case& c);

/// Like print_case, but `print(position, operand)` gives the text of each argument. The position is
/// the parameter's, or kOutPosition.
using OperandPrinter = std::function<std::string(int position, const Operand& operand)>;
std::string print_case(const Case& c, const OperandPrinter& print);

/// Whether print_case writes the argument by position. It writes int, float, bool and text
/// arguments by name, and also arguments that may be left out.
bool stands_by_position(const Parameter& parameter);

/// An operand as in a case line: "int32[4]", "float16[]", "5.5".
std::string print_operand(const Operand& operand);

/// Reads a `.cases` file: a case a line, `#` comments, blank lines. `{a,b}` in the place of a dtype
/// makes one case for each; several sets make their product. A set in the expectation pairs with
/// the only other set of its length. Throws UsageError with file, line and column, also if there is
/// no case at all.
std::vector<Case> load_cases(const std::string& path);
std::vector<Case> parse_cases(std::string_view text, std::string_view file_name);

}  // namespace upcast
