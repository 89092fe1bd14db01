// The lexical form of a number, before its dtype is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cases/text_cursor.h"

namespace upcast::internal {

/// One real number: an optional '-', then digits, a decimal, a hex float, inf or nan.
struct RealText {
  enum class Form : std::uint8_t { kInteger, kHexInteger, kDecimal, kHexFloat, kInfinity, kNaN };
  std::size_t position = 0;
  Form form = Form::kInteger;
  bool negative = false;
  std::string_view digits{};  // without sign and "0x"

  bool whole() const { return form == Form::kInteger || form == Form::kHexInteger; }
};

struct NumberText {
  std::size_t position = 0;
  std::string_view bits{};  // the hex digits of bits:0x..; then there is nothing else
  RealText real{};
  std::optional<RealText> imaginary{};  // `2j` has a real part of 0
};

/// Reads the form of a number; faults if there is none.
NumberText scan_number(TextCursor& cursor);

/// The magnitude with its sign. Faults if it is outside the range of T; a number that is too small
/// rounds to zero or to a subnormal.
template <class T>
T to_floating(const RealText& real);
extern template float to_floating<float>(const RealText&);
extern template double to_floating<double>(const RealText&);

/// The magnitude of a whole number; faults above uint64.
std::uint64_t to_magnitude(const RealText& real);

}  // namespace upcast::internal
