#include "impl/core/cast.h"

#include <array>
#include <bit>
#include <concepts>
#include <cstring>

#include "impl/core/element.h"
#include "impl/core/error.h"
#include "impl/core/packed_runs.h"

namespace upcast {
namespace {

template <class From, class To>
[[gnu::always_inline]] inline void cast_one(const std::byte* source, std::byte* destination) {
  From from;
  std::memcpy(&from, source, sizeof from);
  const To to = convert<To>(from);
  std::memcpy(destination, &to, sizeof to);
}

/// A loop that casts n elements. Strides are in bytes.
using CastRow = void (*)(const std::byte* source, std::int64_t source_stride,
                         std::byte* destination, std::int64_t destination_stride, std::int64_t n);

template <class From, class To>
[[gnu::always_inline]] inline void cast_row(const std::byte* source, std::int64_t source_stride,
                                            std::byte* destination, std::int64_t destination_stride,
                                            std::int64_t n) {
  if (source_stride == sizeof(From) && destination_stride == sizeof(To)) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
      cast_one<From, To>(source + i * sizeof(From), destination + i * sizeof(To));
  } else {
    for (std::int64_t i = 0; i < n; ++i)
      cast_one<From, To>(source + i * source_stride, destination + i * destination_stride);
  }
}

#if defined(__x86_64__)
// Casts to and from float16 with the processor's own conversions. They give the same bits as
// convert<>, also for NaN.

/// Casts a row in steps of kStep elements by kCast. Strided rows, and the end of a row, are cast
/// one element at a time.
template <class From, class To, std::int64_t kStep, void (*kCast)(const From*, To*)>
[[gnu::always_inline]] inline void cast_in_steps(const std::byte* source,
                                                 std::int64_t source_stride, std::byte* destination,
                                                 std::int64_t destination_stride, std::int64_t n) {
  std::int64_t i = 0;
  if (source_stride == sizeof(From) && destination_stride == sizeof(To))
    for (; i + kStep <= n; i += kStep)
      kCast(reinterpret_cast<const From*>(source) + i, reinterpret_cast<To*>(destination) + i);
  cast_row<From, To>(source + i * source_stride, source_stride,
                     destination + i * destination_stride, destination_stride, n - i);
}

/// Casts a run of integers by way of float32, which is exact for those that do not overflow.
template <class From, class Run>
[[gnu::always_inline]] inline void integers_to_half(const From* integers, Half* halves) {
  std::array<float, kRunElements> values;
  for (std::int64_t i = 0; i < kRunElements; ++i) {
    From integer;
    std::memcpy(&integer, integers + i, sizeof integer);
    values[i] = internal::small_integer_to_float(integer);
  }
  Run::narrow(values.data(), halves);
}

/// Casts a run of uint64 without branches. AVX2 has no instruction for it, and the compiler would
/// branch on the highest bit.
[[gnu::always_inline]] inline void unsigned_to_floats(const std::uint64_t* integers,
                                                      float* floats) {
  for (std::int64_t i = 0; i < kRunElements; ++i) {
    std::uint64_t integer = 0;
    std::memcpy(&integer, integers + i, sizeof integer);
    floats[i] = static_cast<float>(internal::integer_to_odd_double(integer));
  }
}
#endif

/// Casts complex elements as pairs of real ones, with the loop kParts for real elements.
template <class From, class To, CastRow kParts>
[[gnu::always_inline]] inline void complex_row(const std::byte* source, std::int64_t source_stride,
                                               std::byte* destination,
                                               std::int64_t destination_stride, std::int64_t n) {
  constexpr std::int64_t kFrom = sizeof(From) / 2, kTo = sizeof(To) / 2;
  if (source_stride == sizeof(From) && destination_stride == sizeof(To))
    kParts(source, kFrom, destination, kTo, 2 * n);
  else
    cast_row<From, To>(source, source_stride, destination, destination_stride, n);
}

template <CastRow kRow>
[[gnu::always_inline]] inline void cast_rows(const std::byte* source, BlockStrides source_strides,
                                             std::byte* destination,
                                             BlockStrides destination_strides, Block block) {
  for (std::int64_t row = 0; row < block.rows; ++row)
    kRow(source + row * source_strides.row, source_strides.column,
         destination + row * destination_strides.row, destination_strides.column, block.columns);
}

template <CastRow kRow>
void cast_baseline(const std::byte* source, BlockStrides source_strides, std::byte* destination,
                   BlockStrides destination_strides, Block block) {
  cast_rows<kRow>(source, source_strides, destination, destination_strides, block);
}
template <CastRow kRow>
UPCAST_TARGET_V3 void cast_v3(const std::byte* source, BlockStrides source_strides,
                              std::byte* destination, BlockStrides destination_strides,
                              Block block) {
  cast_rows<kRow>(source, source_strides, destination, destination_strides, block);
}
template <CastRow kRow>
UPCAST_TARGET_V4 void cast_v4(const std::byte* source, BlockStrides source_strides,
                              std::byte* destination, BlockStrides destination_strides,
                              Block block) {
  cast_rows<kRow>(source, source_strides, destination, destination_strides, block);
}

template <class T>
inline constexpr bool kIsFloat8 = kIsPacked<T> && sizeof(T) == 1;

/// Whether the compiler vectorises a cast's loop. Only such a cast has a loop for each capability.
template <class From, class To>
inline constexpr bool kVectorises =
    !kIsFloat8<From> && !kIsFloat8<To> && !(kIsComplex<From> && !kIsComplex<To>);

/// The loops that cast a row, one for each capability.
template <class From, class To>
struct CastRowLoops {
  static constexpr CastRow kBaseline = &cast_row<From, To>, kV3 = kBaseline, kV4 = kBaseline;
  using IsCompilersAlone = void;  // the specialisations below have loops of their own, and not this
};
#if defined(__x86_64__)
template <>
struct CastRowLoops<Half, float> {
  template <class Lanes>
  static constexpr CastRow kBy = &cast_in_steps<Half, float, Lanes::kLanes, &Lanes::widen>;
  static constexpr CastRow kBaseline = &cast_row<Half, float>, kV3 = kBy<HalfLanesV3>,
                           kV4 = kBy<HalfLanesV4>;
};
template <>
struct CastRowLoops<float, Half> {
  template <class Lanes>
  static constexpr CastRow kBy = &cast_in_steps<float, Half, Lanes::kLanes, &Lanes::narrow>;
  static constexpr CastRow kBaseline = &cast_row<float, Half>, kV3 = kBy<HalfLanesV3>,
                           kV4 = kBy<HalfLanesV4>;
};
template <std::integral From>
struct CastRowLoops<From, Half> {
  template <class Run>
  static constexpr CastRow kBy =
      &cast_in_steps<From, Half, kRunElements, &integers_to_half<From, Run>>;
  static constexpr CastRow kBaseline = &cast_row<From, Half>, kV3 = kBy<HalfRunV3>,
                           kV4 = kBy<HalfRunV4>;
};
template <>
struct CastRowLoops<std::uint64_t, float> {
  static constexpr CastRow
      kBaseline = &cast_row<std::uint64_t, float>,
      kV3 = &cast_in_steps<std::uint64_t, float, kRunElements, &unsigned_to_floats>,
      kV4 = kBaseline;
};
#endif
template <class From, class To>
requires(kIsComplex<From>&& kIsComplex<To>) struct CastRowLoops<From, To> {
  using Parts = CastRowLoops<typename From::Real, typename To::Real>;
  static constexpr CastRow kBaseline = &complex_row<From, To, Parts::kBaseline>,
                           kV3 = &complex_row<From, To, Parts::kV3>,
                           kV4 = &complex_row<From, To, Parts::kV4>;
};

/// Whether a cast gains nothing from AVX-512 but longer vectors: it only widens, with instructions
/// that AVX2 has too. From memory the shorter vectors of kV3 are faster: add(int32, float32) of
/// 2^24 elements takes 0.36 to 0.40 ns an element instead of 0.49 to 0.53 (Zen 4).
template <class From, class To>
constexpr bool only_widens() {
  constexpr bool kBothIntegral = std::is_integral_v<From> && std::is_integral_v<To>;
  // AVX2 converts integers to floating only if they are signed and have up to 32 bits.
  constexpr bool kIsShort =
      std::is_integral_v<From> && (sizeof(From) < 4 || std::is_same_v<From, std::int32_t>);
  constexpr bool kToFloating = kIsShort && std::is_floating_point_v<To>;
  constexpr bool kBothFloating =
      (std::is_same_v<From, BFloat16> || std::is_same_v<From, float>)&&std::is_floating_point_v<To>;
  // UBSan's compiler refuses to compare the functions themselves in a constant.
  constexpr bool kHasOwnLoop = !requires { typename CastRowLoops<From, To>::IsCompilersAlone; };
  return !kHasOwnLoop && sizeof(From) <= sizeof(To) &&
         (kBothIntegral || kToFloating || kBothFloating);
}

using CastLoops = std::array<CastLoop, kCapabilityCount>;
using CastTable = std::array<std::array<CastLoops, kDTypeCount>, kDTypeCount>;

template <class From, class To>
constexpr CastLoops make_cast_loops() {
  using Row = CastRowLoops<From, To>;
  if constexpr (kVectorises<From, To>)
    return {&cast_baseline<Row::kBaseline>, &cast_v3<Row::kV3>,
            only_widens<From, To>() ? &cast_v3<Row::kV3> : &cast_v4<Row::kV4>};
  else
    return {&cast_baseline<Row::kBaseline>, &cast_baseline<Row::kBaseline>,
            &cast_baseline<Row::kBaseline>};
}

constexpr CastTable make_cast_table() {
  CastTable table{};
  for_each_element(AllElements{}, [&table](auto from) {
    for_each_element(AllElements{}, [&table, from](auto to) {
      table[code(from.dtype)][code(to.dtype)] =
          make_cast_loops<typename decltype(from)::type, typename decltype(to)::type>();
    });
  });
  return table;
}

constexpr CastTable kCastTable = make_cast_table();

template <std::size_t kSize>
[[gnu::always_inline]] inline void fill(std::byte* elements, std::int64_t n) {
  struct Element {
    std::array<std::byte, kSize> bytes;
  } first;
  std::memcpy(&first, elements, kSize);
  for (std::int64_t i = 1; i < n; ++i)
    std::memcpy(elements + i * std::int64_t{kSize}, &first, kSize);
}
template <std::size_t kSize>
void fill_baseline(std::byte* elements, std::int64_t n) {
  fill<kSize>(elements, n);
}
template <std::size_t kSize>
UPCAST_TARGET_V3 void fill_v3(std::byte* elements, std::int64_t n) {
  fill<kSize>(elements, n);
}
template <std::size_t kSize>
UPCAST_TARGET_V4 void fill_v4(std::byte* elements, std::int64_t n) {
  fill<kSize>(elements, n);
}
template <std::size_t kSize>
constexpr std::array<FillLoop, kCapabilityCount> kFillLoops{&fill_baseline<kSize>, &fill_v3<kSize>,
                                                            &fill_v4<kSize>};
/// The fill loops, indexed by the binary logarithm of an element's size in bytes.
constexpr std::array kFillTable{kFillLoops<1>, kFillLoops<2>, kFillLoops<4>, kFillLoops<8>,
                                kFillLoops<16>};

}  // namespace

CastLoop cast_loop(DType from, DType to, Capability capability) {
  return kCastTable[code(from)][code(to)][static_cast<int>(capability)];
}

FillLoop fill_loop(int size, Capability capability) {
  return kFillTable[std::countr_zero(static_cast<unsigned>(size))][static_cast<int>(capability)];
}

void cast_elements(DType from, const std::byte* source, DType to, std::byte* destination,
                   std::int64_t n) {
  const CastLoop loop = cast_loop(from, to, Capability::kBaseline);
  check(loop != nullptr, "cast_elements: both dtypes are elementwise");
  loop(source, {.column = itemsize(from)}, destination, {.column = itemsize(to)}, {.columns = n});
}

}  // namespace upcast
