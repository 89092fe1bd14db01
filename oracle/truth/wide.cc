#include "oracle/truth/wide.h"

#include <arf.h>

#include <cmath>
#include <cstring>

#include "impl/core/cast.h"
#include "oracle/truth/rounding.h"

namespace upcast::truth {
namespace {

constexpr double kTwoTo53 = 0x1p53;

/// Writes the low bytes of an integer, because every integral element is little-endian two's
/// complement.
void write_bytes(Int value, DType dtype, std::byte* element) {
  std::memcpy(element, &value, static_cast<std::size_t>(itemsize(dtype)));
}

/// Writes a number that the dtype can hold exactly: the cast only packs it.
void pack(double rounded, DType dtype, std::byte* element) {
  cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&rounded), dtype, element, 1);
}

double to_floating(Int value, DType dtype) {
  const auto nearest = static_cast<double>(value);
  if (std::abs(nearest) < kTwoTo53) return round_once(dtype, nearest);
  Arf exact;
  if (value < 0)
    arf_set_si(exact.get(), static_cast<slong>(value));
  else
    arf_set_ui(exact.get(), static_cast<ulong>(value));
  return round_once(dtype, exact.get());
}

}  // namespace

Int wrap(Int value, DType dtype) {
  if (is_bool(dtype)) return value != 0 ? 1 : 0;
  const int bits = bits_of(dtype);
  const UInt low = static_cast<UInt>(value) & ((UInt{1} << bits) - 1);
  const bool is_negative = is_signed(dtype) && (low >> (bits - 1)) != 0;
  return static_cast<Int>(low) - (is_negative ? Int{1} << bits : 0);
}

Int read_integer(DType dtype, const std::byte* element) {
  UInt low = 0;
  std::memcpy(&low, element, static_cast<std::size_t>(itemsize(dtype)));
  return wrap(static_cast<Int>(low), dtype);
}

void write_element(Int value, DType dtype, std::byte* element) {
  if (is_bool(dtype) || is_integral(dtype)) {
    write_bytes(wrap(value, dtype), dtype, element);
  } else if (is_complex(dtype)) {
    write_element(Complex<double>{to_floating(value, to_real(dtype)), 0}, dtype, element);
  } else {
    pack(to_floating(value, dtype), dtype, element);
  }
}

void write_element(double value, DType dtype, std::byte* element) {
  if (is_bool(dtype)) {
    write_bytes(value != 0 ? 1 : 0, dtype, element);
  } else if (is_integral(dtype)) {
    if (std::abs(value) < 0x1p65)
      write_bytes(static_cast<Int>(value), dtype, element);
    else
      pack(value, dtype, element);
  } else if (is_complex(dtype)) {
    write_element(Complex<double>{value, 0}, dtype, element);
  } else {
    pack(round_once(dtype, value), dtype, element);
  }
}

void write_element(Complex<double> value, DType dtype, std::byte* element) {
  if (is_complex(dtype)) {
    const DType part = to_real(dtype);
    write_element(value.re, part, element);
    write_element(value.im, part, element + itemsize(part));
  } else if (is_bool(dtype)) {
    write_bytes(value.re != 0 || value.im != 0 ? 1 : 0, dtype, element);
  } else {
    write_element(value.re, dtype, element);
  }
}

}  // namespace upcast::truth
