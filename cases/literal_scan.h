// The lexical form of a number, before its dtype is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cases/text_cursor.h"

namespace upcast::internal {

/// The text of one real number: an optional '-', then digits, a decimal, a hex float, inf or nan.
struct RealText {
  enum class Form : std::uint8_t { kInteger, kHexInteger, kDecimal, kHexFloat, kInfinity, kNaN };
  std::size_t position = 0;
  Form form = Form::kInteger;
  bool negative = false;
  std::string_view digits{};  // the digits, without sign and "0x"

  bool whole() const { return form == Form::kInteger || form == Form::kHexInteger; }
};

struct NumberText {
  std::size_t position = 0;
  std::string_view bits{};  // the hex digits of bits:0x..; if set, `real` is unused
  RealText real{};
  std::optional<RealText> imaginary{};  // set for `1+2j` and `2j`; the real part of `2j` is 0
};

/// Reads the form of a number. Faults if the text does not begin with one.
NumberText scan_number(TextCursor& cursor);

/// The value of a real number with its sign, rounded to T. Faults if it is too large for T. A
/// number that is too small rounds to zero or to a subnormal.
template <class T>
T to_floating(const RealText& real);
extern template float to_floating<float>(const RealText&);
extern template double to_floating<double>(const RealText&);

/// The value of a whole number without its sign. Faults if uint64 cannot hold it.
std::uint64_t to_magnitude(const RealText& real);

}  // namespace upcast::internal
