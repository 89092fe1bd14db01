// exp, log and their kin, sqrt, rsqrt, logaddexp.
#pragma once

#include <cmath>

#include "impl/math/double_functions.h"
#include "impl/math/float_exponential.h"
#include "impl/math/widened.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

namespace internal {

inline double expm1(double x) { return std::expm1(x); }
inline double log1p(double x) { return std::log1p(x); }
inline double log2(double x) { return std::log2(x); }

/// exp(a + bi) - 1 without cancellation near 0: cos(b) - 1 = -2 sin(b/2)^2.
template <class R>
std::complex<R> expm1(std::complex<R> z) {
  const R growth = std::expm1(z.real());
  const R half_sine = std::sin(z.imag() / 2);
  return {growth * std::cos(z.imag()) - 2 * half_sine * half_sine,
          std::exp(z.real()) * std::sin(z.imag())};
}

/// log(1 + z): the real part is half the log1p of |1 + z|^2 - 1.
template <class R>
std::complex<R> log1p(std::complex<R> z) {
  const R square = z.real() * (z.real() + 2) + z.imag() * z.imag();
  const R real =
      std::abs(square) < R(0.5) ? R(0.5) * std::log1p(square) : std::log(std::abs(R(1) + z));
  return {real, std::atan2(z.imag(), 1 + z.real())};
}

template <class R>
std::complex<R> log2(std::complex<R> z) {
  constexpr R kLn2 = 0.693147180559945309417232121458L;
  const std::complex<R> natural = std::log(z);
  return {natural.real() / kLn2, natural.imag() / kLn2};
}

template <class V>
V rsqrt(V v) {
  return V(1) / std::sqrt(v);
}

inline double logaddexp(double a, double b) {
  if (std::isinf(a) && a == b) return a;
  const double larger = std::max(a, b);
  return std::isnan(a) || std::isnan(b) ? a + b : larger + std::log1p(std::exp(-std::abs(a - b)));
}

template <class R>
std::complex<R> logaddexp(std::complex<R> a, std::complex<R> b) {
  if (a == b && std::isinf(a.real())) return a;
  const auto [larger, smaller] = a.real() >= b.real() ? std::pair(a, b) : std::pair(b, a);
  return larger + log1p(std::exp(smaller - larger));
}

}  // namespace internal

struct Exp {
  static constexpr OpSpec spec{.name = "exp",
                               .overloads = unary("exp(Tensor self) -> Tensor", "exp_", "exp.out"),
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kElementaryTypes,
                               .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return widened([](auto v) { return std::exp(v); }, x);
    else
      return branchless::exp(x);
  }
};

struct Expm1 {
  static constexpr OpSpec spec{
      .name = "expm1",
      .overloads = unary("expm1(Tensor self) -> Tensor", "expm1_", "expm1.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    return elementary([](float v) { return branchless::expm1(v); },
                      [](auto v) { return internal::expm1(v); }, x);
  }
};

struct Log {
  static constexpr OpSpec spec{.name = "log",
                               .overloads = unary("log(Tensor self) -> Tensor", "log_", "log.out"),
                               .operands = kSelf,
                               .promotion = PromotionKind::kIntToFloat,
                               .dtypes = kElementaryTypes,
                               .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return widened([](auto v) { return std::log(v); }, x);
    else
      return branchless::log(x);
  }
};

struct Log10 {
  static constexpr OpSpec spec{
      .name = "log10",
      .overloads = unary("log10(Tensor self) -> Tensor", "log10_", "log10.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    return elementary([](float v) { return branchless::log10(v); },
                      [](auto v) { return std::log10(v); }, x);
  }
};

struct Log1p {
  static constexpr OpSpec spec{
      .name = "log1p",
      .overloads = unary("log1p(Tensor self) -> Tensor", "log1p_", "log1p.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    return elementary([](float v) { return branchless::log1p(v); },
                      [](auto v) { return internal::log1p(v); }, x);
  }
};

struct Log2 {
  static constexpr OpSpec spec{
      .name = "log2",
      .overloads = unary("log2(Tensor self) -> Tensor", "log2_", "log2.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    return elementary([](float v) { return branchless::log2(v); },
                      [](auto v) { return internal::log2(v); }, x);
  }
};

struct Sqrt {
  static constexpr OpSpec spec{
      .name = "sqrt",
      .overloads = unary("sqrt(Tensor self) -> Tensor", "sqrt_", "sqrt.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary,
      .note = "correctly rounded; LibTorch's VML is not"};
  template <class T>
  T operator()(T x) const {
    return widened([](auto v) { return std::sqrt(v); }, x);
  }
};

struct Rsqrt {
  static constexpr OpSpec spec{
      .name = "rsqrt",
      .overloads = unary("rsqrt(Tensor self) -> Tensor", "rsqrt_", "rsqrt.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  T operator()(T x) const {
    return widened([](auto v) { return internal::rsqrt(v); }, x);
  }
};

struct LogAddExp {
  static constexpr OpSpec spec{
      .name = "logaddexp",
      .overloads = {{{"logaddexp(Tensor self, Tensor other) -> Tensor", "", "logaddexp.out"}}},
      .operands = kSelfOther,
      .dtypes = kElementaryTypes,
      .accuracy = kElementary};
  template <class T>
  T operator()(T a, T b) const {
    return widened([](auto x, auto y) { return internal::logaddexp(x, y); }, a, b);
  }
};

using Exponential = OpFamily<Exp, Expm1, Log, Log10, Log1p, Log2, Sqrt, Rsqrt, LogAddExp>;

}  // namespace upcast
