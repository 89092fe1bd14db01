#include "cases/python/fold.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace upcast::python {
namespace {

__extension__ using Whole = __int128;

std::optional<Number> of_whole(Whole value) {
  if (value < std::numeric_limits<std::int64_t>::min() ||
      value > std::numeric_limits<std::uint64_t>::max())
    return std::nullopt;
  if (value < 0) return Number(static_cast<std::int64_t>(value));
  return Number(static_cast<std::uint64_t>(value));
}

std::optional<Number> product(Whole left, Whole right) {
  Whole result = 0;
  if (__builtin_mul_overflow(left, right, &result)) return std::nullopt;
  return of_whole(result);
}

std::optional<Whole> power(Whole base, Whole exponent) {
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (exponent > 128) return std::nullopt;
  Whole result = 1;
  for (Whole i = 0; i < exponent; ++i) {
    if (__builtin_mul_overflow(result, base, &result)) return std::nullopt;
  }
  return result;
}

double floored(double left, double right) { return std::floor(left / right); }

std::optional<Number> fold_real(std::string_view sign, double left, double right) {
  if (sign == "+") return Number(left + right);
  if (sign == "-") return Number(left - right);
  if (sign == "*") return Number(left * right);
  if (sign == "**") return Number(std::pow(left, right));
  if (right == 0) return std::nullopt;  // ZeroDivisionError
  if (sign == "/") return Number(left / right);
  if (sign == "//") return Number(floored(left, right));
  if (sign == "%") return Number(left - floored(left, right) * right);
  return std::nullopt;
}

std::optional<Number> fold_whole(std::string_view sign, Whole left, Whole right) {
  if (sign == "+") return of_whole(left + right);
  if (sign == "-") return of_whole(left - right);
  if (sign == "*") return product(left, right);
  if (sign == "&") return of_whole(left & right);
  if (sign == "|") return of_whole(left | right);
  if (sign == "^") return of_whole(left ^ right);
  if (sign == "<<" || sign == ">>") {
    if (right < 0 || right > 63) return std::nullopt;
    return sign == ">>" ? of_whole(left >> right) : product(left, Whole{1} << right);
  }
  if (sign == "**" && right >= 0) {
    const std::optional<Whole> result = power(left, right);
    return result ? of_whole(*result) : std::nullopt;
  }
  if (sign == "//" || sign == "%") {
    if (right == 0) return std::nullopt;
    Whole quotient = left / right;
    if (quotient * right != left && (left < 0) != (right < 0)) --quotient;
    return of_whole(sign == "//" ? quotient : left - quotient * right);
  }
  return fold_real(sign, static_cast<double>(left), static_cast<double>(right));
}

std::optional<Number> fold_complex(std::string_view sign, Complex<double> left,
                                   Complex<double> right) {
  if (sign == "+") return Number(Complex<double>{left.re + right.re, left.im + right.im});
  if (sign == "-") return Number(Complex<double>{left.re - right.re, left.im - right.im});
  return std::nullopt;
}

template <class T>
constexpr bool kIsComplex = std::is_same_v<T, Complex<double>>;

template <class T>
Complex<double> as_complex(T value) {
  if constexpr (kIsComplex<T>)
    return value;
  else
    return {static_cast<double>(value), 0.0};
}

}  // namespace

std::optional<Number> fold(std::string_view sign, const Number& left, const Number& right) {
  return left.visit([&](auto a) {
    return right.visit([&](auto b) {
      using A = decltype(a);
      using B = decltype(b);
      if constexpr (kIsComplex<A> || kIsComplex<B>)
        return fold_complex(sign, as_complex(a), as_complex(b));
      else if constexpr (std::is_same_v<A, double> || std::is_same_v<B, double>)
        return fold_real(sign, as_complex(a).re, as_complex(b).re);
      else
        return fold_whole(sign, a, b);
    });
  });
}

std::optional<Number> fold(std::string_view sign, const Number& number) {
  return number.visit([&](auto value) -> std::optional<Number> {
    using T = decltype(value);
    if constexpr (kIsComplex<T>) {
      if (sign == "-") return Number(Complex<double>{-value.re, -value.im});
      return sign == "+" ? std::optional(number) : std::nullopt;
    } else if constexpr (std::is_same_v<T, double>) {
      if (sign == "-") return Number(-value);
      return sign == "+" ? std::optional(number) : std::nullopt;
    } else {
      const auto whole = static_cast<Whole>(value);
      if (sign == "-") return of_whole(-whole);
      return of_whole(sign == "~" ? -whole - 1 : whole);
    }
  });
}

}  // namespace upcast::python
