// Numbers and tensor elements as text.
//   Number    True, 7, 5.5, 1e30, 0x1.8p3, nan, inf, 1+2j, bits:0x7ff8000000000001
//   Element   like a number, but a point is never needed, and the dtype must be able to hold it.
//             For bool: True and False. For any dtype bits:0x..: the element as a little-endian
//             integer; the real part of a complex element is in the low half
// Printing gives the shortest text that parses to the same bits.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cases/text_cursor.h"
#include "impl/core/number.h"

namespace upcast {

/// Whether a number comes next: a digit, a sign, a point, True, False, nan, inf or bits.
bool number_comes_next(const TextCursor& cursor);

/// Reads a number. Faults if the text has none, or if uint64 and float64 cannot hold it.
Number parse_number(TextCursor& cursor);
std::string print_number(const Number& number);

/// Appends one element of `dtype`. Decimals round to nearest; a number that the dtype cannot hold
/// (out of range, a fraction in an integer, a zero in float8_e8m0fnu) is a fault.
void parse_element(TextCursor& cursor, DType dtype, std::vector<std::byte>& elements);
std::string print_element(DType dtype, const std::byte* element);

}  // namespace upcast
