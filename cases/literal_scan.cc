#include "cases/literal_scan.h"

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace upcast::internal {
namespace {

constexpr std::string_view kDecimalDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

std::size_t skip_digits(TextCursor& cursor, std::string_view digits) {
  const std::size_t start = cursor.position();
  while (!cursor.at_end() && digits.find(cursor.peek()) != digits.npos)
    cursor.move_to(cursor.position() + 1);
  return cursor.position() - start;
}

/// Skips an exponent such as `e-5` or `p3`. Returns whether there was one.
bool skip_exponent(TextCursor& cursor, char lower, char upper) {
  if (cursor.peek() != lower && cursor.peek() != upper) return false;
  const std::size_t sign = cursor.peek(1) == '-' || cursor.peek(1) == '+' ? 2 : 1;
  cursor.move_to(cursor.position() + sign);
  if (skip_digits(cursor, kDecimalDigits) == 0) cursor.fail("an exponent needs digits");
  return true;
}

void check_length(std::size_t position, std::string_view digits) {
  if (digits.size() > kMaxNumber)
    TextCursor::fail_at(position, "a number has at most " + std::to_string(kMaxNumber) +
                                      " characters: '" + beginning(digits) + "'");
}

RealText scan_real(TextCursor& cursor) {
  using Form = RealText::Form;
  RealText real{.position = cursor.position()};
  real.negative = cursor.accept("-");
  if (!real.negative) cursor.accept("+");
  if (cursor.accept("inf")) {
    real.form = Form::kInfinity;
    return real;
  }
  if (cursor.accept("nan")) {
    if (real.negative)
      TextCursor::fail_at(real.position, "a NaN with a sign is written as bits:0x..");
    real.form = Form::kNaN;
    return real;
  }
  const bool hex = cursor.accept("0x") || cursor.accept("0X");
  const std::string_view digits = hex ? kHexDigits : kDecimalDigits;
  const std::size_t start = cursor.position();
  std::size_t count = skip_digits(cursor, digits);
  const bool point = cursor.accept(".");
  if (point) count += skip_digits(cursor, digits);
  if (count == 0) TextCursor::fail_at(real.position, "expected a number");
  const bool exponent = hex ? skip_exponent(cursor, 'p', 'P') : skip_exponent(cursor, 'e', 'E');
  real.digits = cursor.since(start);
  check_length(real.position, real.digits);
  if (hex)
    real.form = point || exponent ? Form::kHexFloat : Form::kHexInteger;
  else
    real.form = point || exponent ? Form::kDecimal : Form::kInteger;
  return real;
}

}  // namespace

NumberText scan_number(TextCursor& cursor) {
  NumberText number{.position = cursor.position()};
  if (cursor.accept("bits:")) {
    if (!cursor.accept("0x")) cursor.fail("expected 0x and hex digits after bits:");
    const std::size_t start = cursor.position();
    if (skip_digits(cursor, kHexDigits) == 0) cursor.fail("expected hex digits after bits:0x");
    number.bits = cursor.since(start);
    check_length(number.position, number.bits);
  } else {
    number.real = scan_real(cursor);
    if (cursor.accept("j")) {
      number.imaginary = number.real;
      number.real = RealText{.position = number.position, .digits = "0"};
    } else if (cursor.peek() == '+' || cursor.peek() == '-') {
      number.imaginary = scan_real(cursor);
      if (!cursor.accept("j")) cursor.fail("expected 'j' after an imaginary part");
    }
  }
  if (!cursor.word(".").empty())
    TextCursor::fail_at(number.position,
                        "'" + std::string(cursor.since(number.position)) + "' is not a number");
  return number;
}

template <class T>
T to_floating(const RealText& real) {
  using Form = RealText::Form;
  T value = 0;
  switch (real.form) {
    case Form::kInfinity:
      value = std::numeric_limits<T>::infinity();
      break;
    case Form::kNaN:
      return std::numeric_limits<T>::quiet_NaN();
    default: {
      const bool hex = real.form == Form::kHexFloat || real.form == Form::kHexInteger;
      const char* end = real.digits.data() + real.digits.size();
      const auto [parsed, error] =
          std::from_chars(real.digits.data(), end, value,
                          hex ? std::chars_format::hex : std::chars_format::general);
      if (error == std::errc::result_out_of_range) {
        // from_chars does not say whether a number is too large or too small; strtod does.
        const std::string text = (hex ? "0x" : "") + std::string(real.digits);
        const double wide = std::strtod(text.c_str(), nullptr);
        value = static_cast<T>(wide);
        if (std::isinf(value))
          TextCursor::fail_at(real.position, std::string(real.digits) + " overflows " +
                                                 (sizeof(T) == 4 ? "float32" : "float64") +
                                                 "; write inf for the infinity");
      }
    }
  }
  return real.negative ? -value : value;
}
template float to_floating<float>(const RealText&);
template double to_floating<double>(const RealText&);

std::uint64_t to_magnitude(const RealText& real) {
  std::uint64_t magnitude = 0;
  const char* end = real.digits.data() + real.digits.size();
  const int base = real.form == RealText::Form::kHexInteger ? 16 : 10;
  if (std::from_chars(real.digits.data(), end, magnitude, base).ec != std::errc())
    TextCursor::fail_at(real.position, std::string(real.digits) + " is beyond uint64; a float64 " +
                                           "is written with a point or an exponent");
  return magnitude;
}

}  // namespace upcast::internal
