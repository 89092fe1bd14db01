// The ops bitwise_and, bitwise_or, bitwise_xor, bitwise_not, the shifts, gcd and lcm.
#pragma once

#include <limits>
#include <type_traits>

#include "impl/math/wrapping.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

inline constexpr DTypeSet kBitwise = kBools | kIntegers | kUnsigned;

namespace internal {

/// The overloads of a bitwise op: Tensor, Scalar and Scalar_Tensor, and those of Python's operator
/// (__and__).
constexpr Overloads bitwise(const Overload& tensor, const Overload& scalar,
                            const Overload& scalar_tensor, const Overload& python_tensor,
                            const Overload& python_scalar) {
  return {{tensor, scalar, scalar_tensor, python_tensor, python_scalar}};
}

}  // namespace internal

struct BitwiseAnd {
  static constexpr OpSpec spec{
      .name = "bitwise_and",
      .overloads = internal::bitwise(
          {"bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor", "bitwise_and_.Tensor",
           "bitwise_and.Tensor_out"},
          {"bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor", "bitwise_and_.Scalar",
           "bitwise_and.Scalar_out"},
          {"bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", "",
           "bitwise_and.Scalar_Tensor_out", true},
          {"__and__.Tensor(Tensor self, Tensor other) -> Tensor", "__iand__.Tensor", ""},
          {"__and__.Scalar(Tensor self, Scalar other) -> Tensor", "__iand__.Scalar", ""}),
      .operands = kSelfOther,
      .dtypes = kBitwise};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};

struct BitwiseOr {
  static constexpr OpSpec spec{
      .name = "bitwise_or",
      .overloads = internal::bitwise(
          {"bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", "bitwise_or_.Tensor",
           "bitwise_or.Tensor_out"},
          {"bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor", "bitwise_or_.Scalar",
           "bitwise_or.Scalar_out"},
          {"bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", "",
           "bitwise_or.Scalar_Tensor_out", true},
          {"__or__.Tensor(Tensor self, Tensor other) -> Tensor", "__ior__.Tensor", ""},
          {"__or__.Scalar(Tensor self, Scalar other) -> Tensor", "__ior__.Scalar", ""}),
      .operands = kSelfOther,
      .dtypes = kBitwise};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};

struct BitwiseXor {
  static constexpr OpSpec spec{
      .name = "bitwise_xor",
      .overloads = internal::bitwise(
          {"bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor", "bitwise_xor_.Tensor",
           "bitwise_xor.Tensor_out"},
          {"bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor", "bitwise_xor_.Scalar",
           "bitwise_xor.Scalar_out"},
          {"bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", "",
           "bitwise_xor.Scalar_Tensor_out", true},
          {"__xor__.Tensor(Tensor self, Tensor other) -> Tensor", "__ixor__.Tensor", ""},
          {"__xor__.Scalar(Tensor self, Scalar other) -> Tensor", "__ixor__.Scalar", ""}),
      .operands = kSelfOther,
      .dtypes = kBitwise};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};

struct BitwiseNot {
  static constexpr OpSpec spec{
      .name = "bitwise_not",
      .overloads = unary("bitwise_not(Tensor self) -> Tensor", "bitwise_not_", "bitwise_not.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kBools | kIntegers};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (std::is_same_v<T, bool>)
      return !x;
    else
      return static_cast<T>(~x);
  }
};

namespace internal {

template <class T>
inline constexpr int kBits = std::numeric_limits<std::make_unsigned_t<T>>::digits;

/// The size of x as an unsigned number. Unsigned, it can also hold the size of the most negative
/// integer.
template <class T>
UPCAST_HOST_DEVICE constexpr std::make_unsigned_t<T> magnitude(T x) {
  using U = std::make_unsigned_t<T>;
  return x < T(0) ? static_cast<U>(U(0) - static_cast<U>(x)) : static_cast<U>(x);
}

/// The greatest common divisor by Euclid's algorithm; gcd(0, 0) is 0.
template <class U>
UPCAST_HOST_DEVICE constexpr U gcd(U a, U b) {
  while (b != 0) {
    const U rest = static_cast<U>(a % b);
    a = b;
    b = rest;
  }
  return a;
}

}  // namespace internal

struct BitwiseLeftShift {
  static constexpr OpSpec spec{
      .name = "bitwise_left_shift",
      .overloads = internal::bitwise(
          {"bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor",
           "bitwise_left_shift_.Tensor", "bitwise_left_shift.Tensor_out"},
          {"bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
           "bitwise_left_shift_.Tensor_Scalar", "bitwise_left_shift.Tensor_Scalar_out"},
          {"bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", "",
           "bitwise_left_shift.Scalar_Tensor_out", true},
          {"__lshift__.Tensor(Tensor self, Tensor other) -> Tensor", "__ilshift__.Tensor",
           "__lshift__.Tensor_out", true},
          {"__lshift__.Scalar(Tensor self, Scalar other) -> Tensor", "__ilshift__.Scalar",
           "__lshift__.Scalar_out", true}),
      .operands = kSelfOther,
      .dtypes = kIntegers,
      .note = "0 where the shift is negative or not below the width"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (kIsInteger<T>) {
      const bool inside = b >= T(0) && b < T(internal::kBits<T>);
      return inside ? static_cast<T>(static_cast<std::uint64_t>(a) << b) : T(0);
    } else {
      return a;
    }
  }
};

struct BitwiseRightShift {
  static constexpr OpSpec spec{
      .name = "bitwise_right_shift",
      .overloads = internal::bitwise(
          {"bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor",
           "bitwise_right_shift_.Tensor", "bitwise_right_shift.Tensor_out"},
          {"bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
           "bitwise_right_shift_.Tensor_Scalar", "bitwise_right_shift.Tensor_Scalar_out"},
          {"bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", "",
           "bitwise_right_shift.Scalar_Tensor_out", true},
          {"__rshift__.Tensor(Tensor self, Tensor other) -> Tensor", "__irshift__.Tensor",
           "__rshift__.Tensor_out", true},
          {"__rshift__.Scalar(Tensor self, Scalar other) -> Tensor", "__irshift__.Scalar",
           "__rshift__.Scalar_out", true}),
      .operands = kSelfOther,
      .dtypes = kIntegers,
      .note = "arithmetic; the sign alone where the shift is negative or not below the width"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (kIsInteger<T>) {
      const bool inside = b >= T(0) && b < T(internal::kBits<T>);
      return inside ? static_cast<T>(a >> b) : a < T(0) ? T(-1) : T(0);
    } else {
      return a;
    }
  }
};

/// The op gcd. Its result is never negative, with one exception: 2^(bits-1) wraps to the least
/// integer.
struct Gcd {
  static constexpr OpSpec spec{
      .name = "gcd",
      .overloads = {{{"gcd(Tensor self, Tensor other) -> Tensor", "gcd_", "gcd.out"}}},
      .operands = kSelfOther,
      .dtypes = kIntegers,
      .gpu_scalars = kNoGpuScalars};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return static_cast<T>(internal::gcd(internal::magnitude(a), internal::magnitude(b)));
  }
};

struct Lcm {
  static constexpr OpSpec spec{
      .name = "lcm",
      .overloads = {{{"lcm(Tensor self, Tensor other) -> Tensor", "lcm_", "lcm.out"}}},
      .operands = kSelfOther,
      .dtypes = kIntegers,
      .gpu_scalars = kNoGpuScalars,
      .note = "a product out of range wraps; for int32 and int64 its absolute value is taken",
      .traps_on_least_integer = true};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    const auto x = internal::magnitude(a);
    const auto y = internal::magnitude(b);
    const auto divisor = internal::gcd(x, y);
    if (divisor == 0) return T(0);
    const T product = wrapping_mul(static_cast<T>(x / divisor), static_cast<T>(y));
    return sizeof(T) < sizeof(int) ? product : static_cast<T>(internal::magnitude(product));
  }
};

using Bitwise = OpFamily<BitwiseAnd, BitwiseOr, BitwiseXor, BitwiseNot, BitwiseLeftShift,
                         BitwiseRightShift, Gcd, Lcm>;

}  // namespace upcast
