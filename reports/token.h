// Reads the tokens of a grid row's axes, for the report.
#pragma once

#include <string_view>

#include "impl/core/dtype.h"

namespace upcast::reports {

/// The kind of operand that a token means. kOther: an attribute, or a whole case line.
enum class TokenKind { kDim = 0, kZeroDim = 1, kWrapped = 2, kOther = 3 };

struct Token {
  TokenKind kind = TokenKind::kOther;
  DType dtype = DType::kUndefined;  // a number has bool, int64, float64 or complex128
};

/// Reads a token. `int32[4]` is dim, `int32[]` is zero_dim. `True`, `7`, `-5.5`, `inf`, `1+2j` are
/// numbers. Any other text is kOther.
Token parse_token(std::string_view text);

}  // namespace upcast::reports
