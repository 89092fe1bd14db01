// Operands as text: DTYPE[DIMS]:LAYOUT{VALUES}, numbers, dtypes, quoted text, None, undefined.
#pragma once

#include <string>
#include <vector>

#include "cases/case.h"
#include "cases/text_cursor.h"

namespace upcast {

/// A dtype by name or short name, with or without "torch.". Faults where there is none; Undefined
/// is none.
DType parse_dtype(TextCursor& cursor);

/// `[2,3]`; `[]` is zero-dim. Faults on a negative size, and where the elements exceed 2^48.
Dims parse_dims(TextCursor& cursor);
std::string print_dims(const Dims& dims);

/// `{1,2,3}`: the elements of a tensor of `dtype` and `sizes`, in logical order. Faults where their
/// number differs.
std::vector<std::byte> parse_values(TextCursor& cursor, DType dtype, const Dims& sizes);
std::string print_values(DType dtype, const std::vector<std::byte>& values);

/// Faults, at `position`, where a text that stood in quotes is longer than kMaxText or not
/// visible().
void check_text(std::string_view text, std::size_t position);

/// Any operand. A bare dtype becomes Tag::kDType.
Operand parse_operand(TextCursor& cursor);

}  // namespace upcast
