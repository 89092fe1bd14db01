// ceil, floor, round, trunc, frac, sign.
#pragma once

#include <cmath>

#include "impl/math/wrapping.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

/// Integers are copied by ceil, floor, round and trunc.
inline constexpr DTypeSet kRoundable = kIntegers | kUnsigned | kFloats;

struct Ceil {
  static constexpr OpSpec spec{
      .name = "ceil",
      .overloads = unary("ceil(Tensor self) -> Tensor", "ceil_", "ceil.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kRoundable};
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsInteger<T>)
      return x;
    else
      return std::ceil(x);
  }
};

struct Floor {
  static constexpr OpSpec spec{
      .name = "floor",
      .overloads = unary("floor(Tensor self) -> Tensor", "floor_", "floor.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kRoundable};
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsInteger<T>)
      return x;
    else
      return std::floor(x);
  }
};

struct Round {
  static constexpr OpSpec spec{
      .name = "round",
      .overloads = unary("round(Tensor self) -> Tensor", "round_", "round.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kRoundable,
      .note = "halves to even"};
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsInteger<T>)
      return x;
    else
      return std::nearbyint(x);
  }
};

struct Trunc {
  static constexpr OpSpec spec{
      .name = "trunc",
      .overloads = unary("trunc(Tensor self) -> Tensor", "trunc_", "trunc.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kRoundable};
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsInteger<T>)
      return x;
    else
      return std::trunc(x);
  }
};

struct Frac {
  static constexpr OpSpec spec{
      .name = "frac",
      .overloads = unary("frac(Tensor self) -> Tensor", "frac_", "frac.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .note = "x - trunc(x): NaN for infinities, +0 for integers"};
  template <class T>
  T operator()(T x) const {
    return x - std::trunc(x);
  }
};

struct Sign {
  static constexpr OpSpec spec{
      .name = "sign",
      .overloads = unary("sign(Tensor self) -> Tensor", "sign_", "sign.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kBools | kIntegers | kFloats,
      .note = "NaN gives 0, -0 gives +0"};
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(static_cast<int>(T(0) < x) - static_cast<int>(x < T(0)));
  }
};

using Rounding = OpFamily<Ceil, Floor, Round, Trunc, Frac, Sign>;

}  // namespace upcast
