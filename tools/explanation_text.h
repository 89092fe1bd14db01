// Writes an explanation as text, for `upcast explain` and the report.
#pragma once

#include <string>
#include <vector>

#include "tools/explanation.h"

namespace upcast::tools {

/// The explanation as text, in this order: the call, how operands enter slots, how slots combine,
/// the rules after that, the dtypes, and the steps. Ends with a newline.
std::string explanation_text(const Explanation& told);

/// A table as text: cells in columns, with two blanks between columns. The last cell of a row is
/// not padded.
std::string table_text(const Rows& rows, std::size_t indent = 2);

/// The kind of an operand in words; "undefined" if it is absent.
std::string kind_text(TypedOperand operand);
std::string category_of(DType dtype);

}  // namespace upcast::tools
