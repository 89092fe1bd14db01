// Reads and prints operands as text: DTYPE[DIMS]:LAYOUT{VALUES}, numbers, dtypes, quoted text,
// None, undefined.
#pragma once

#include <string>
#include <vector>

#include "cases/case.h"
#include "cases/text_cursor.h"

namespace upcast {

/// Reads a dtype by name or short name, with or without "torch.". Faults if the text has none.
/// Undefined does not count as one.
DType parse_dtype(TextCursor& cursor);

/// Reads sizes such as `[2,3]`; `[]` is zero-dim. Faults on a negative size, and on more than 2^48
/// elements.
Dims parse_dims(TextCursor& cursor);
std::string print_dims(const Dims& dims);

/// Reads `{1,2,3}`: the elements of a tensor of `dtype` and `sizes`, in logical order. Faults if
/// their number is not that of the tensor.
std::vector<std::byte> parse_values(TextCursor& cursor, DType dtype, const Dims& sizes);
std::string print_values(DType dtype, const std::vector<std::byte>& values);

/// Faults, at `position`, if a quoted text is longer than kMaxText or is not visible().
void check_text(std::string_view text, std::size_t position);

/// Reads any operand. A bare dtype becomes Tag::kDType.
Operand parse_operand(TextCursor& cursor);

}  // namespace upcast
