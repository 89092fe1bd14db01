#include "reports/token.h"

#include <cctype>

namespace upcast::reports {

Token parse_token(std::string_view text) {
  if (const size_t bracket = text.find('['); bracket != std::string_view::npos) {
    const int code = find_dtype_code(text.substr(0, bracket));
    if (code == kDTypeCount) return {};
    const bool zero_dim = text.substr(bracket).starts_with("[]");
    return {zero_dim ? TokenKind::kZeroDim : TokenKind::kDim, dtype_from_code(code)};
  }
  if (text == "True" || text == "False") return {TokenKind::kWrapped, DType::kBool};
  std::string_view number = text;
  if (number.starts_with('-') || number.starts_with('+')) number.remove_prefix(1);
  if (number == "inf" || number == "nan") return {TokenKind::kWrapped, DType::kFloat64};
  if (number.empty() || std::isdigit(static_cast<unsigned char>(number[0])) == 0) return {};
  if (number.ends_with('j')) return {TokenKind::kWrapped, DType::kComplex128};
  const bool hexadecimal = number.starts_with("0x");
  const bool floating = number.find_first_of(hexadecimal ? ".pP" : ".eE") != std::string_view::npos;
  return {TokenKind::kWrapped, floating ? DType::kFloat64 : DType::kInt64};
}

}  // namespace upcast::reports
