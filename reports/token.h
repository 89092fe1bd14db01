// Reads axis tokens of a grid row, for the report.
#pragma once

#include <string_view>

#include "impl/core/dtype.h"

namespace upcast::reports {

/// The operand kind that a token writes; kOther: an attribute, or a whole line.
enum class TokenKind { kDim = 0, kZeroDim = 1, kWrapped = 2, kOther = 3 };

struct Token {
  TokenKind kind = TokenKind::kOther;
  DType dtype = DType::kUndefined;  // for a number: bool, int64, float64 or complex128
};

/// Reads a token: `int32[4]` is dim, `int32[]` zero_dim, `True`, `7`, `-5.5`, `inf`, `1+2j`
/// wrapped; all else is other.
Token parse_token(std::string_view text);

}  // namespace upcast::reports
