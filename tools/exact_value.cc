#include "tools/exact_value.h"

#include <fmt/format.h>

#include <cmath>

#include "cases/literal.h"
#include "impl/core/cast.h"
#include "impl/core/dtype_set.h"

namespace upcast::tools {
namespace {

constexpr std::size_t kMostDigits = 32;
constexpr int kDigitsOfAnyFloat64 = 767;

/// The digits of a number without zeros at either end: "-7001953125" for "-7.001953125000e-01".
std::string digits_of(const std::string& text) {
  std::string digits;
  for (const char c : text.substr(0, text.find('e'))) {
    if (c == '.' || c == '-' || (c == '0' && digits.empty())) continue;
    digits += c;
  }
  digits.erase(digits.find_last_not_of('0') + 1);
  return digits;
}

std::string exact_part(double value) {
  const std::string digits = digits_of(fmt::format("{:.{}e}", value, kDigitsOfAnyFloat64));
  if (digits.size() > kMostDigits) return fmt::format("{:a}", value);
  return fmt::format("{:.{}g}", value, digits.empty() ? 1 : digits.size());
}

}  // namespace

std::string exact_value(DType dtype, const std::byte* element) {
  if (!kElementwise.contains(dtype) || !is_floating(to_real(dtype))) return "";
  const DType part = to_real(dtype);
  std::string text;
  bool is_shown_exactly = true;
  for (int at = 0; at < itemsize(dtype); at += itemsize(part)) {
    double value = 0;
    cast_elements(part, element + at, DType::kFloat64, reinterpret_cast<std::byte*>(&value), 1);
    if (!std::isfinite(value)) return "";
    const std::string exact = exact_part(value);
    const std::string shortest = print_element(part, element + at);
    is_shown_exactly = is_shown_exactly && digits_of(exact) == digits_of(shortest);
    text += (at > 0 && exact[0] != '-' ? "+" : "") + exact;
  }
  return is_shown_exactly ? "" : text + (is_complex(dtype) ? "j" : "");
}

}  // namespace upcast::tools
