#include "impl/core/cast.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <array>
#include <bit>
#include <cstring>

#include "impl/core/element.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

template <class From, class To>
[[gnu::always_inline]] inline void cast_one(const std::byte* source, std::byte* destination) {
  From from;
  std::memcpy(&from, source, sizeof from);
  const To to = convert<To>(from);
  std::memcpy(destination, &to, sizeof to);
}

/// Casts n elements; strides in bytes.
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
// float16 and float32 by the processor's own conversions. The rest of a row, and strided rows, are
// cast by the general loop. Both give the same bits, also for NaN.

constexpr __mmask16 kAll = 0xffff;  // GCC 12 warns of the forms without a mask
constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
constexpr short kHalfNan = kHalfFormat.nan_code;
constexpr short kHalfSign = static_cast<short>(0x8000);

UPCAST_TARGET_V3 void half_to_float_v3(const std::byte* source, std::int64_t source_stride,
                                       std::byte* destination, std::int64_t destination_stride,
                                       std::int64_t n) {
  std::int64_t i = 0;
  if (source_stride == sizeof(Half) && destination_stride == sizeof(float))
    for (; i + 8 <= n; i += 8) {
      const __m128i halves = _mm_loadu_si128(
          reinterpret_cast<const __m128i*>(source + i * std::int64_t{sizeof(Half)}));
      _mm256_storeu_ps(reinterpret_cast<float*>(destination + i * std::int64_t{sizeof(float)}),
                       _mm256_cvtph_ps(halves));
    }
  cast_row<Half, float>(source + i * source_stride, source_stride,
                        destination + i * destination_stride, destination_stride, n - i);
}

UPCAST_TARGET_V4 void half_to_float_v4(const std::byte* source, std::int64_t source_stride,
                                       std::byte* destination, std::int64_t destination_stride,
                                       std::int64_t n) {
  std::int64_t i = 0;
  if (source_stride == sizeof(Half) && destination_stride == sizeof(float))
    for (; i + 16 <= n; i += 16)
      _mm512_storeu_ps(
          destination + i * std::int64_t{sizeof(float)},
          _mm512_maskz_cvtph_ps(kAll, _mm256_loadu_epi16(source + i * std::int64_t{sizeof(Half)})));
  cast_row<Half, float>(source + i * source_stride, source_stride,
                        destination + i * destination_stride, destination_stride, n - i);
}

UPCAST_TARGET_V3 void float_to_half_v3(const std::byte* source, std::int64_t source_stride,
                                       std::byte* destination, std::int64_t destination_stride,
                                       std::int64_t n) {
  std::int64_t i = 0;
  if (source_stride == sizeof(float) && destination_stride == sizeof(Half))
    for (; i + 8 <= n; i += 8) {
      const __m256 values =
          _mm256_loadu_ps(reinterpret_cast<const float*>(source + i * std::int64_t{sizeof(float)}));
      const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
      const __m128i is_nan =
          _mm_packs_epi32(_mm256_castsi256_si128(nan), _mm256_extracti128_si256(nan, 1));
      const __m128i halves = _mm256_cvtps_ph(values, kNearest);
      const __m128i signs = _mm_and_si128(halves, _mm_set1_epi16(kHalfSign));
      _mm_storeu_si128(
          reinterpret_cast<__m128i*>(destination + i * std::int64_t{sizeof(Half)}),
          _mm_blendv_epi8(halves, _mm_or_si128(signs, _mm_set1_epi16(kHalfNan)), is_nan));
    }
  cast_row<float, Half>(source + i * source_stride, source_stride,
                        destination + i * destination_stride, destination_stride, n - i);
}

UPCAST_TARGET_V4 void float_to_half_v4(const std::byte* source, std::int64_t source_stride,
                                       std::byte* destination, std::int64_t destination_stride,
                                       std::int64_t n) {
  std::int64_t i = 0;
  if (source_stride == sizeof(float) && destination_stride == sizeof(Half))
    for (; i + 16 <= n; i += 16) {
      const __m512 values = _mm512_loadu_ps(source + i * std::int64_t{sizeof(float)});
      const __mmask16 is_nan = _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q);
      const __m256i halves = _mm512_maskz_cvtps_ph(kAll, values, kNearest);
      const __m256i signs = _mm256_and_si256(halves, _mm256_set1_epi16(kHalfSign));
      _mm256_storeu_epi16(destination + i * std::int64_t{sizeof(Half)},
                          _mm256_mask_mov_epi16(
                              halves, is_nan, _mm256_or_si256(signs, _mm256_set1_epi16(kHalfNan))));
    }
  cast_row<float, Half>(source + i * source_stride, source_stride,
                        destination + i * destination_stride, destination_stride, n - i);
}
#endif

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

/// Whether a cast has a loop for each capability: true for those that vectorise.
template <class From, class To>
inline constexpr bool kVectorises =
    !kIsComplex<From> && !kIsComplex<To> && !kIsFloat8<From> && !kIsFloat8<To>;

using CastLoops = std::array<CastLoop, kCapabilityCount>;
using CastTable = std::array<std::array<CastLoops, kDTypeCount>, kDTypeCount>;

template <class From, class To>
constexpr CastLoops make_cast_loops() {
  constexpr CastRow kRow = &cast_row<From, To>;
#if defined(__x86_64__)
  if constexpr (std::is_same_v<From, Half> && std::is_same_v<To, float>)
    return {&cast_baseline<kRow>, &cast_v3<&half_to_float_v3>, &cast_v4<&half_to_float_v4>};
  if constexpr (std::is_same_v<From, float> && std::is_same_v<To, Half>)
    return {&cast_baseline<kRow>, &cast_v3<&float_to_half_v3>, &cast_v4<&float_to_half_v4>};
#endif
  if constexpr (kVectorises<From, To>)
    return {&cast_baseline<kRow>, &cast_v3<kRow>, &cast_v4<kRow>};
  else
    return {&cast_baseline<kRow>, &cast_baseline<kRow>, &cast_baseline<kRow>};
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
/// By the binary logarithm of the size.
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
