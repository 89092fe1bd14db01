// The ops ceil, floor, round (also to decimals), trunc, frac, sign, sgn and copysign.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "impl/math/wrapping.h"
#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"

namespace upcast {

/// The dtypes of ceil, floor, round and trunc. Integers are included, because these ops copy them.
inline constexpr DTypeSet kRoundable = kIntegers | kUnsigned | kFloats;

struct Ceil {
  static constexpr OpSpec spec{
      .name = "ceil",
      .overloads = unary("ceil(Tensor self) -> Tensor", "ceil_", "ceil.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kRoundable,
      .copies_integers = true};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
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
      .dtypes = kRoundable,
      .copies_integers = true};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
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
      .copies_integers = true,
      .note = "halves to even"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsInteger<T>)
      return x;
    else
      return std::nearbyint(x);
  }
};

struct Trunc {
  static constexpr OpSpec spec{
      .name = "trunc",
      .overloads = unary("trunc(Tensor self) -> Tensor", "trunc_", "trunc.out",
                         "fix(Tensor self) -> Tensor", "fix_", "fix.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kRoundable,
      .copies_integers = true};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
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
  UPCAST_HOST_DEVICE T operator()(T x) const {
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
      .note = "NaN gives NaN, -0 gives +0"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) {
      if (std::isnan(x)) return x;
    }
    return static_cast<T>(static_cast<int>(T(0) < x) - static_cast<int>(x < T(0)));
  }
};

namespace internal {

/// The whole number nearest to the exact number of which `scaled` is a rounding; `beyond` is the
/// exact number minus `scaled`. It is `whole`, unless rounding made `scaled` a half. Then it is the
/// neighbour on the side of the exact number.
UPCAST_HOST_DEVICE inline double settle_half(double scaled, double whole, double beyond) {
  const bool half = std::abs(scaled - std::trunc(scaled)) == 0.5;
  return half && beyond > 0 ? std::ceil(scaled) : half && beyond < 0 ? std::floor(scaled) : whole;
}

/// Rounds x to a number of decimal digits, halves to even. Whether x is a half is decided exactly:
/// x * 10^d is exact for float32, and its rounding error is known for float64. From 2^52 on there
/// are no digits to round.
UPCAST_HOST_DEVICE inline double round_decimals(double x, int decimals) {
  const double power = std::pow(10.0, std::min(std::abs(decimals), 308));
  if (decimals < 0) {
    if (!std::isfinite(x)) return x;
    if (decimals < -308) return std::copysign(0.0, x);
    const double scaled = x / power;
    if (std::abs(scaled) >= 0x1p53) return x;  // no other multiple is nearer to x
    const double whole = std::nearbyint(scaled);
    // The sign of `beyond` tells on which side of a half the exact quotient lies.
    const double beyond = std::fma(-scaled, power, x);
    return settle_half(scaled, whole, beyond) * power;
  }
  const double rest = decimals > 308 ? std::pow(10.0, decimals - 308) : 1.0;
  const double scaled = x * power * rest;
  if (!(std::abs(scaled) < 4503599627370496.0)) return x;  // x is large, infinite or NaN
  const double whole = std::nearbyint(scaled);
  const double beyond = std::fma(x * rest, power, -scaled);
  return settle_half(scaled, whole, beyond) / power / rest;
}

}  // namespace internal

struct RoundDecimals {
  static constexpr OpSpec spec{
      .name = "round",
      .overloads = {{{"round.decimals(Tensor self, *, int decimals) -> Tensor", "round_.decimals",
                      "round.decimals_out"},
                     {"special_round(Tensor self, *, int decimals=0) -> Tensor", "",
                      "special_round.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kRoundable,
      .accuracy = {{0.51F, 1.F}, {1.F, 1.F}, {0.51F, 0.51F}},
      .note =
          "no step overflows; halves to even; integers are copied, or refused if decimals is "
          "negative"};

  template <class T>
  struct Params {
    int decimals;
    Params(const Call& call, DType) : decimals(static_cast<int>(whole(call))) {}
    static std::int64_t whole(const Call& call) {
      const auto value = number_to<std::int64_t>(call.number("decimals", 0));
      return std::clamp<std::int64_t>(value, -1000, 1000);
    }
  };
  /// Refuses negative decimals for integers, as torch.round does. With other decimals, integers are
  /// copied.
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    if (!is_floating(promoted.common) && number_to<std::int64_t>(call.number("decimals", 0)) < 0)
      return Rejection{RejectionCode::kUnsupportedDType, "integers have no decimals to round"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, [[maybe_unused]] const Params<T>& params) const {
    if constexpr (kIsInteger<T>)
      return x;
    else if (params.decimals == 0)
      return std::nearbyint(x);
    else
      return static_cast<T>(internal::round_decimals(static_cast<double>(x), params.decimals));
  }
};

/// The op sgn. For complex numbers it is z / |z|.
struct Sgn {
  static constexpr OpSpec spec{
      .name = "sgn",
      .overloads = unary("sgn(Tensor self) -> Tensor", "sgn_", "sgn.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kBools | kIntegers | kFloats | kComplexHalf | kFullComplex,
      .accuracy = {.reduced = {0.51F, 1.F}, .complex64 = {0.51F, 3.F}, .complex128 = {2.F, 3.F}},
      .note = "as sign; complex: 0 at 0, NaN where a part is infinite or NaN"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return direction(x);
    else
      return Sign{}(x);
  }

 private:
  template <class R>
  UPCAST_HOST_DEVICE static Complex<R> direction(Complex<R> z) {
    const double re = static_cast<double>(z.re);
    const double im = static_cast<double>(z.im);
    const double larger = std::max(std::abs(re), std::abs(im));
    if (re == 0 && im == 0) return {};
    const double length = std::hypot(re / larger, im / larger);
    return {static_cast<R>(re / larger / length), static_cast<R>(im / larger / length)};
  }
};

struct CopySign {
  static constexpr OpSpec spec{
      .name = "copysign",
      .overloads = {{{"copysign.Tensor(Tensor self, Tensor other) -> Tensor", "copysign_.Tensor",
                      "copysign.out"},
                     {"copysign.Scalar(Tensor self, Scalar other) -> Tensor", "copysign_.Scalar",
                      "copysign.Scalar_out"}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .rounds_numbers = true,
      .note = "-0 and a NaN whose sign bit is set are negative"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return std::copysign(a, b);
  }
};

using Rounding = OpFamily<Ceil, Floor, Round, RoundDecimals, Trunc, Frac, Sign, Sgn, CopySign>;

}  // namespace upcast
