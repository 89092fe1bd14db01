// A number as a caller writes it: one of the five kinds of c10::Scalar.
#pragma once

#include <cstdint>
#include <variant>

#include "impl/core/complex.h"
#include "impl/core/dtype.h"

namespace upcast {

/// A bool, int64, uint64 (only for values above INT64_MAX), float64 or complex128.
class Number {
 public:
  constexpr Number() : value_(std::int64_t{0}) {}
  constexpr Number(bool value) : value_(value) {}
  constexpr Number(int value) : value_(std::int64_t{value}) {}
  constexpr Number(std::int64_t value) : value_(value) {}
  constexpr Number(std::uint64_t value) : value_(std::int64_t{0}) {
    if (value >> 63)
      value_ = value;
    else
      value_ = static_cast<std::int64_t>(value);
  }
  constexpr Number(double value) : value_(value) {}
  constexpr Number(Complex<double> value) : value_(value) {}

  /// The dtype that the number has as a wrapped number.
  constexpr DType dtype() const {
    constexpr DType kDTypes[] = {DType::kBool, DType::kInt64, DType::kUInt64, DType::kFloat64,
                                 DType::kComplex128};
    return kDTypes[value_.index()];
  }

  /// Calls `f` with the number's value, as a bool, int64_t, uint64_t, double or Complex<double>.
  template <class F>
  constexpr auto visit(F&& f) const {
    return std::visit(f, value_);
  }
  constexpr bool operator==(const Number&) const = default;

 private:
  std::variant<bool, std::int64_t, std::uint64_t, double, Complex<double>> value_;
};

}  // namespace upcast
