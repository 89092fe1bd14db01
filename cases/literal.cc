#include "cases/literal.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "cases/element.h"
#include "cases/literal_scan.h"
#include "impl/core/cast.h"
#include "impl/core/dtype_set.h"
#include "impl/ops/number_cast.h"

namespace upcast {
namespace {

using internal::NumberText;
using internal::RealText;

using Element = std::array<std::byte, 16>;

constexpr std::size_t kShort = 7;  // characters

/// The value of a whole number with its sign. Faults if int64 cannot hold it.
std::int64_t to_signed(const RealText& real, std::uint64_t magnitude) {
  constexpr std::uint64_t kTwo63 = std::uint64_t{1} << 63;
  if (magnitude > (real.negative ? kTwo63 : kTwo63 - 1))
    TextCursor::fail_at(real.position,
                        (real.negative ? "-" : "") + std::string(real.digits) + " is beyond int64");
  return static_cast<std::int64_t>(real.negative ? ~magnitude + 1 : magnitude);
}

Element element_of_bits(const NumberText& number, int bytes) {
  const std::string_view digits = number.bits;
  if (digits.size() > 2 * static_cast<std::size_t>(bytes))
    TextCursor::fail_at(number.position,
                        "bits:0x.. has more than " + std::to_string(2 * bytes) + " hex digits");
  Element element{};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const char digit = digits[digits.size() - 1 - i];
    const int value = digit <= '9' ? digit - '0' : (digit | 0x20) - 'a' + 10;
    element[i / 2] |= static_cast<std::byte>(value << (i % 2 * 4));
  }
  return element;
}

std::string print_bits(const std::byte* element, int bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text = "bits:0x";
  for (int i = bytes - 1; i >= 0; --i) {
    text += kDigits[static_cast<int>(element[i]) >> 4];
    text += kDigits[static_cast<int>(element[i]) & 15];
  }
  return text;
}

template <class T>
std::string shortest(T value) {
  std::array<char, 64> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

Element from_double(double value, DType dtype) {
  Element element{};
  cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&value), dtype, element.data(),
                1);
  return element;
}

/// Faults if `element` is not what `value` rounds to in its dtype.
void check_float(const RealText& real, double value, DType dtype, const std::byte* element) {
  const double held = real_part(dtype, element);
  const auto fail = [&](const std::string& what) {
    TextCursor::fail_at(real.position, std::string(name(dtype)) + " " + what);
  };
  if (std::isnan(value)) return;
  if (std::isinf(value) && !std::isinf(held)) fail("has no infinity");
  if (value == 0 && held != 0) fail("has no zero");
  if (std::signbit(value) && !std::signbit(held))
    fail(value == 0 ? "has no negative zero" : "has no negative numbers");
  const double largest = largest_finite(dtype);
  const bool beyond = group(dtype) == Group::kFloat8 && std::abs(value) > largest;
  if (std::isfinite(value) && (!std::isfinite(held) || beyond))
    fail("ends at " + shortest(largest));
}

Element parse_float(const RealText& real, DType dtype) {
  Element element{};
  if (dtype == DType::kFloat32) {  // rounded once, from the decimal text, not by way of float64
    const float value = internal::to_floating<float>(real);
    std::memcpy(element.data(), &value, sizeof value);
    return element;
  }
  const double value = internal::to_floating<double>(real);
  element = from_double(value, dtype);
  check_float(real, value, dtype, element.data());
  return element;
}

/// A real element as text; "" for a NaN with other bits than the dtype's usual NaN. A value of a
/// narrow dtype is written in full if that is short (65504), else with as few digits as still round
/// to it.
std::string print_float(DType dtype, const std::byte* element) {
  const double value = real_part(dtype, element);
  if (std::isnan(value)) {
    const Element own = from_double(std::numeric_limits<double>::quiet_NaN(), dtype);
    return std::memcmp(own.data(), element, itemsize(dtype)) == 0 ? "nan" : "";
  }
  if (dtype == DType::kFloat32) return shortest(static_cast<float>(value));
  std::string exact = shortest(value);
  if (dtype == DType::kFloat64 || std::isinf(value) || exact.size() <= kShort) return exact;
  const double largest = largest_finite(dtype);
  for (int digits = 1; digits < 17; ++digits) {
    std::array<char, 64> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::scientific, digits - 1)
                         .ptr;
    double rounded = 0;
    std::from_chars(buffer.data(), end, rounded);
    const Element back = from_double(rounded, dtype);
    if (std::memcmp(back.data(), element, itemsize(dtype)) == 0 && std::abs(rounded) <= largest)
      return shortest(rounded);
  }
  return exact;
}

Element parse_integer(const RealText& real, DType dtype) {
  if (!real.whole())
    TextCursor::fail_at(real.position, std::string(name(dtype)) + " holds whole numbers only");
  const std::uint64_t magnitude = internal::to_magnitude(real);
  Element element{};
  if (dtype == DType::kUInt64) {
    if (real.negative && magnitude != 0)
      TextCursor::fail_at(real.position, "uint64 cannot hold negative numbers");
    std::memcpy(element.data(), &magnitude, sizeof magnitude);
    return element;
  }
  const std::int64_t value = to_signed(real, magnitude);
  std::int64_t back = 0;
  cast_elements(DType::kInt64, reinterpret_cast<const std::byte*>(&value), dtype, element.data(),
                1);
  cast_elements(dtype, element.data(), DType::kInt64, reinterpret_cast<std::byte*>(&back), 1);
  if (back != value)
    TextCursor::fail_at(real.position, std::to_string(value) + " is outside the range of " +
                                           std::string(name(dtype)));
  return element;
}

std::string print_integer(DType dtype, const std::byte* element) {
  if (dtype == DType::kUInt64) {
    std::uint64_t value = 0;
    std::memcpy(&value, element, sizeof value);
    return std::to_string(value);
  }
  std::int64_t value = 0;
  cast_elements(dtype, element, DType::kInt64, reinterpret_cast<std::byte*>(&value), 1);
  return std::to_string(value);
}

std::string join_complex(const std::string& real, std::string imaginary) {
  if (!imaginary.starts_with('-')) imaginary.insert(0, "+");
  return real + imaginary + "j";
}

Element parse_real_element(const RealText& real, DType dtype) {
  return is_floating(dtype) ? parse_float(real, dtype) : parse_integer(real, dtype);
}

}  // namespace

bool number_comes_next(const TextCursor& cursor) {
  const char first = cursor.peek();
  if ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.') return true;
  TextCursor ahead = cursor;
  const std::string_view word = ahead.word();
  return word == "True" || word == "False" || word == "nan" || word == "inf" || word == "nanj" ||
         word == "infj" || (word == "bits" && ahead.peek() == ':');
}

Number parse_number(TextCursor& cursor) {
  TextCursor ahead = cursor;
  const std::string_view word = ahead.word();
  if (word == "True" || word == "False") {
    cursor = ahead;
    return Number(word == "True");
  }
  const NumberText text = internal::scan_number(cursor);
  if (!text.bits.empty()) {
    const bool complex = text.bits.size() > 16;
    const Element element = element_of_bits(text, complex ? 16 : 8);
    Complex<double> value;
    std::memcpy(&value, element.data(), sizeof value);
    return complex ? Number(value) : Number(value.re);
  }
  if (text.imaginary)
    return Number(Complex<double>{internal::to_floating<double>(text.real),
                                  internal::to_floating<double>(*text.imaginary)});
  if (!text.real.whole()) return Number(internal::to_floating<double>(text.real));
  const std::uint64_t magnitude = internal::to_magnitude(text.real);
  if (!text.real.negative) return Number(magnitude);
  return Number(to_signed(text.real, magnitude));
}

std::string print_number(const Number& number) {
  return number.visit([](auto value) -> std::string {
    using T = decltype(value);
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    if constexpr (std::is_same_v<T, bool>) {
      return value ? "True" : "False";
    } else if constexpr (std::is_integral_v<T>) {
      return std::to_string(value);
    } else if constexpr (kIsComplex<T>) {
      return print_element(DType::kComplex128, bytes);
    } else {
      std::string text = print_element(DType::kFloat64, bytes);
      if (std::isfinite(value) && text.find_first_of(".e") == text.npos) text += ".0";
      return text;
    }
  });
}

void parse_element(TextCursor& cursor, DType dtype, std::vector<std::byte>& elements) {
  const auto append = [&elements](const Element& element, int bytes) {
    elements.insert(elements.end(), element.begin(), element.begin() + bytes);
  };
  TextCursor ahead = cursor;
  const std::string_view word = ahead.word();
  if (is_bool(dtype) && (word == "True" || word == "False" || word == "1" || word == "0")) {
    cursor = ahead;
    append({std::byte{word == "True" || word == "1"}}, 1);
    return;
  }
  if (word == "True" || word == "False")
    cursor.fail(std::string(word) + " cannot be an element of " + std::string(name(dtype)));
  const NumberText text = internal::scan_number(cursor);
  if (!text.bits.empty()) {
    append(element_of_bits(text, itemsize(dtype)), itemsize(dtype));
    return;
  }
  if (!kElementwise.contains(dtype))
    TextCursor::fail_at(text.position,
                        "elements of " + std::string(name(dtype)) + " are written as bits:0x..");
  if (is_bool(dtype)) TextCursor::fail_at(text.position, "bool holds True and False only");
  if (is_complex(dtype)) {
    const DType part = to_real(dtype);
    append(parse_float(text.real, part), itemsize(part));
    append(text.imaginary ? parse_float(*text.imaginary, part) : Element{}, itemsize(part));
    return;
  }
  if (text.imaginary)
    TextCursor::fail_at(text.position, std::string(name(dtype)) + " cannot hold complex numbers");
  append(parse_real_element(text.real, dtype), itemsize(dtype));
}

std::string print_element(DType dtype, const std::byte* element) {
  if (is_bool(dtype) && static_cast<int>(*element) < 2)
    return static_cast<int>(*element) == 1 ? "True" : "False";
  if (!kElementwise.contains(dtype) || is_bool(dtype)) return print_bits(element, itemsize(dtype));
  if (is_integral(dtype)) return print_integer(dtype, element);
  const DType part = to_real(dtype);
  const std::string real = print_float(part, element);
  const std::string imaginary =
      is_complex(dtype) ? print_float(part, element + itemsize(part)) : "0";
  if (real.empty() || imaginary.empty()) return print_bits(element, itemsize(dtype));
  return is_complex(dtype) ? join_complex(real, imaginary) : real;
}

}  // namespace upcast
