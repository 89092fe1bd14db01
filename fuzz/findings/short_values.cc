#include "fuzz/findings/short_values.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "cases/element.h"
#include "cases/literal.h"
#include "impl/core/cast.h"
#include "impl/ops/number_cast.h"

namespace upcast::fuzz::internal {
namespace {

std::string spelled_real(double value, Language language) {
  if (std::isfinite(value)) return print_number(Number(value));
  const char* const sign = std::signbit(value) ? "-" : "";
  const bool is_nan = std::isnan(value);
  if (language == Language::kPython)
    return fmt::format("{}float(\"{}\")", sign, is_nan ? "nan" : "inf");
  // double(...): the macros NAN and INFINITY are of type float, and torch::tensor takes one type
  // for all elements.
  return fmt::format("{}double({})", sign, is_nan ? "NAN" : "INFINITY");
}

/// complex(...): Python adds the parts of 1+2j, which loses the sign of a zero and turns an
/// infinity into NaN.
bool is_plain(double part) { return std::isfinite(part) && !(part == 0 && std::signbit(part)); }

std::string spelled_complex(Complex<double> value, Language language) {
  if (language == Language::kPython && is_plain(value.re) && is_plain(value.im))
    return print_number(Number(value));
  return fmt::format("{}({}, {})",
                     language == Language::kPython ? "complex" : "c10::complex<double>",
                     spelled_real(value.re, language), spelled_real(value.im, language));
}

std::string spelled_whole(std::int64_t value, Language language) {
  if (language == Language::kPython) return fmt::format("{}", value);
  // In C++, -2147483648 is a minus before 2147483648, which is a long: no int holds it.
  if (value == INT32_MIN) return "INT32_MIN";
  if (value == INT64_MIN) return "INT64_MIN";
  const bool fits_int = value > INT32_MIN && value <= INT32_MAX;
  return fmt::format("{}{}", value, fits_int ? "" : "L");
}

/// The number to write for a floating element whose decimal text torch converts to the element's
/// bits.
double decimal_of(DType dtype, const std::byte* element) {
  const std::string text = print_element(dtype, element);
  const double value = real_part(dtype, element);
  if (!std::isfinite(value)) return value;
  double written = 0;
  std::from_chars(text.data(), text.data() + text.size(), written);
  const std::vector<std::byte> made = element_of(dtype, written);
  // torch refuses a decimal above the dtype's largest number, although rounding would give that
  // number.
  const bool is_taken = std::abs(written) <= largest_finite(dtype) &&
                        std::memcmp(made.data(), element, made.size()) == 0;
  return is_taken ? written : value;
}

std::optional<Number> written_number(DType dtype, const std::byte* element) {
  if (print_element(dtype, element).starts_with("bits:")) return std::nullopt;
  if (is_complex(dtype)) {
    const DType real = to_real(dtype);
    return Number(
        Complex<double>{decimal_of(real, element), decimal_of(real, element + itemsize(real))});
  }
  return is_floating(dtype) ? Number(decimal_of(dtype, element)) : number_of(dtype, element);
}

}  // namespace

std::vector<std::byte> bytes_of_hex(std::string_view hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

std::string spelled(const Number& number, Language language) {
  return number.visit([language](auto value) -> std::string {
    using T = decltype(value);
    if constexpr (std::is_same_v<T, bool>)
      return language == Language::kPython ? (value ? "True" : "False")
                                           : (value ? "true" : "false");
    else if constexpr (std::is_same_v<T, std::int64_t>)
      return spelled_whole(value, language);
    else if constexpr (std::is_same_v<T, std::uint64_t>)
      return fmt::format("{}{}", value, language == Language::kPython ? "" : "UL");
    else if constexpr (kIsComplex<T>)
      return spelled_complex(value, language);
    else
      return spelled_real(value, language);
  });
}

Number number_of(DType dtype, const std::byte* element) {
  if (is_complex(dtype)) return value_of(dtype, element);
  if (is_floating(dtype)) return real_part(dtype, element);
  if (is_bool(dtype)) return *element != std::byte{0};
  std::uint64_t bits = 0;
  cast_elements(dtype, element, dtype == DType::kUInt64 ? dtype : DType::kInt64,
                reinterpret_cast<std::byte*>(&bits), 1);
  return dtype == DType::kUInt64 ? Number(bits) : Number(static_cast<std::int64_t>(bits));
}

std::vector<std::string> spelled_elements(DType dtype, std::span<const std::byte> bytes,
                                          Language language) {
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < bytes.size(); at += size) {
    const std::optional<Number> number = written_number(dtype, bytes.data() + at);
    if (!number) return {};
    texts.push_back(spelled(*number, language));
  }
  return texts;
}

Words words_of(DType dtype, std::span<const std::byte> bytes) {
  const int width = std::min(itemsize(dtype), 8);
  Words words{.bytes = width, .texts = {}};
  for (std::size_t at = 0; at < bytes.size(); at += static_cast<std::size_t>(width)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, static_cast<std::size_t>(width));
    words.texts.push_back(fmt::format("0x{:0{}x}", word, 2 * width));
  }
  return words;
}

}  // namespace upcast::fuzz::internal
