// The elements of an answer or an operand, as numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast::properties {

__extension__ typedef __int128 Wide;

/// A view of packed elements of one dtype, by which they are read as numbers.
class Elements {
 public:
  Elements(DType dtype, const std::vector<std::byte>& bytes);
  explicit Elements(const Answer& answer) : Elements(answer.dtype, answer.bytes) {}
  /// The elements of a tensor operand whose values the case gives.
  explicit Elements(const Operand& operand) : Elements(operand.dtype, operand.values) {}

  DType dtype() const { return dtype_; }
  std::size_t count() const { return bytes_.size() / size_; }
  const std::byte* at(std::size_t i) const { return bytes_.data() + i * size_; }
  /// The real and the imaginary part of an element. They are exact, except for 64-bit integers
  /// above 2^53.
  double re(std::size_t i) const;
  double im(std::size_t i) const;
  bool is_nan(std::size_t i) const { return std::isnan(re(i)) || std::isnan(im(i)); }
  bool is_finite(std::size_t i) const { return std::isfinite(re(i)) && std::isfinite(im(i)); }
  /// An element of an integral dtype or bool, as an exact number.
  Wide whole(std::size_t i) const;
  /// A key of a finite element of a real dtype. Keys have the order of the values, and both zeros
  /// have the key 0. The element must not be NaN.
  Wide order(std::size_t i) const;

 private:
  DType dtype_;
  std::size_t size_;
  const std::vector<std::byte>& bytes_;
};

/// An operand with the dtype and shape of `like`, and `value` in every element.
Operand filled(const Operand& like, double value);

/// A whole number, wrapped to a dtype's range as conversion between integral dtypes wraps.
Wide wrapped(DType dtype, Wide value);

/// The precision of a floating dtype in bits, with the hidden one, and the powers of 2 at both ends
/// of its range.
struct FloatRange {
  int precision, lowest, highest;  // 2^lowest is the smallest subnormal value
};
/// The range of a real floating dtype. Nothing for other dtypes, and for those without infinities
/// or without zeros of both signs.
std::optional<FloatRange> range_of(DType real);

/// Whether a tensor with given values in the case has a NaN whose topmost mantissa bit is 0.
bool holds_signalling_nan(const Case& c);

/// Whether a tensor of integers with given values has this value.
bool holds(const Operand& operand, Wide value);
bool holds_least_integer(const Operand& operand);
bool holds_minus_one(const Operand& operand);

}  // namespace upcast::properties
