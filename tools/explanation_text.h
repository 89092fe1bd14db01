// An explanation as text: what `upcast explain` prints and the report shows of a case.
#pragma once

#include <string>
#include <vector>

#include "tools/explanation.h"

namespace upcast::tools {

/// The call, the operands on their way into slots, how the slots meet, what follows, the dtypes,
/// and the steps. Ends with a newline.
std::string explanation_text(const Explanation& told);

/// Rows of cells under each other, two blanks between; the last cell of a row is not padded.
std::string table_text(const Rows& rows, std::size_t indent = 2);

/// "undefined", or the kind of the operand.
std::string kind_text(TypedOperand operand);
std::string category_of(DType dtype);

}  // namespace upcast::tools
