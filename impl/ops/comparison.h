// eq, ne, lt, le, gt, ge, and the classification of floating values.
#pragma once

#include <cmath>

#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

inline constexpr DTypeSet kEquatable = kElementwise;
inline constexpr DTypeSet kOrdered = kBools | kIntegers | kFloats;

namespace internal {

/// The six overload strings of a comparison.
constexpr Overloads comparison(std::string_view tensor, std::string_view tensor_,
                               std::string_view tensor_out, std::string_view scalar,
                               std::string_view scalar_, std::string_view scalar_out) {
  return {{{tensor, tensor_, tensor_out}, {scalar, scalar_, scalar_out}}};
}

}  // namespace internal

struct Eq {
  static constexpr OpSpec spec{
      .name = "eq",
      .overloads = internal::comparison(
          "eq.Tensor(Tensor self, Tensor other) -> Tensor", "eq_.Tensor", "eq.Tensor_out",
          "eq.Scalar(Tensor self, Scalar other) -> Tensor", "eq_.Scalar", "eq.Scalar_out"),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kEquatable};
  template <class T>
  bool operator()(T a, T b) const {
    return a == b;
  }
};

struct Ne {
  static constexpr OpSpec spec{
      .name = "ne",
      .overloads = internal::comparison(
          "ne.Tensor(Tensor self, Tensor other) -> Tensor", "ne_.Tensor", "ne.Tensor_out",
          "ne.Scalar(Tensor self, Scalar other) -> Tensor", "ne_.Scalar", "ne.Scalar_out"),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kEquatable};
  template <class T>
  bool operator()(T a, T b) const {
    return !(a == b);
  }
};

struct Lt {
  static constexpr OpSpec spec{
      .name = "lt",
      .overloads = internal::comparison(
          "lt.Tensor(Tensor self, Tensor other) -> Tensor", "lt_.Tensor", "lt.Tensor_out",
          "lt.Scalar(Tensor self, Scalar other) -> Tensor", "lt_.Scalar", "lt.Scalar_out"),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kOrdered};
  template <class T>
  bool operator()(T a, T b) const {
    return a < b;
  }
};

struct Le {
  static constexpr OpSpec spec{
      .name = "le",
      .overloads = internal::comparison(
          "le.Tensor(Tensor self, Tensor other) -> Tensor", "le_.Tensor", "le.Tensor_out",
          "le.Scalar(Tensor self, Scalar other) -> Tensor", "le_.Scalar", "le.Scalar_out"),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kOrdered};
  template <class T>
  bool operator()(T a, T b) const {
    return a <= b;
  }
};

struct Gt {
  static constexpr OpSpec spec{
      .name = "gt",
      .overloads = internal::comparison(
          "gt.Tensor(Tensor self, Tensor other) -> Tensor", "gt_.Tensor", "gt.Tensor_out",
          "gt.Scalar(Tensor self, Scalar other) -> Tensor", "gt_.Scalar", "gt.Scalar_out"),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kOrdered};
  template <class T>
  bool operator()(T a, T b) const {
    return a > b;
  }
};

struct Ge {
  static constexpr OpSpec spec{
      .name = "ge",
      .overloads = internal::comparison(
          "ge.Tensor(Tensor self, Tensor other) -> Tensor", "ge_.Tensor", "ge.Tensor_out",
          "ge.Scalar(Tensor self, Scalar other) -> Tensor", "ge_.Scalar", "ge.Scalar_out"),
      .operands = kSelfOther,
      .promotion = PromotionKind::kAlwaysBool,
      .dtypes = kOrdered};
  template <class T>
  bool operator()(T a, T b) const {
    return a >= b;
  }
};

struct IsNan {
  static constexpr OpSpec spec{
      .name = "isnan",
      .overloads = {{{"isnan(Tensor self) -> Tensor", "", "isnan.out", true}}},
      .operands = kSelf,
      .promotion = PromotionKind::kUnaryBool,
      .dtypes = kElementwise};
  template <class T>
  bool operator()(T x) const {
    return !(x == x);
  }
};

struct IsInf {
  static constexpr OpSpec spec{
      .name = "isinf",
      .overloads = {{{"isinf(Tensor self) -> Tensor", "", "isinf.out", true}}},
      .operands = kSelf,
      .promotion = PromotionKind::kUnaryBool,
      .dtypes = kElementwise};
  template <class T>
  bool operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return std::isinf(x.re) || std::isinf(x.im);
    else if constexpr (std::is_floating_point_v<T>)
      return std::isinf(x);
    else
      return false;
  }
};

struct IsFinite {
  static constexpr OpSpec spec{.name = "isfinite",
                               .overloads = {{{"isfinite(Tensor self) -> Tensor", "", ""}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kUnaryBool,
                               .dtypes = kElementwise};
  template <class T>
  bool operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return std::isfinite(x.re) && std::isfinite(x.im);
    else if constexpr (std::is_floating_point_v<T>)
      return std::isfinite(x);
    else
      return true;
  }
};

using Comparison = OpFamily<Eq, Ne, Lt, Le, Gt, Ge, IsNan, IsInf, IsFinite>;

}  // namespace upcast
