#include "impl/core/cast.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <array>
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

template <class From, class To>
[[gnu::always_inline]] inline void cast_body(const std::byte* source, std::int64_t source_stride,
                                             std::byte* destination,
                                             std::int64_t destination_stride, std::int64_t n) {
  if (source_stride == sizeof(From) && destination_stride == sizeof(To)) {
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i)
      cast_one<From, To>(source + i * sizeof(From), destination + i * sizeof(To));
  } else {
    for (std::int64_t i = 0; i < n; ++i)
      cast_one<From, To>(source + i * source_stride, destination + i * destination_stride);
  }
}

template <class From, class To>
void cast_baseline(const std::byte* source, std::int64_t source_stride, std::byte* destination,
                   std::int64_t destination_stride, std::int64_t n) {
  cast_body<From, To>(source, source_stride, destination, destination_stride, n);
}
template <class From, class To>
UPCAST_TARGET_V3 void cast_v3(const std::byte* source, std::int64_t source_stride,
                              std::byte* destination, std::int64_t destination_stride,
                              std::int64_t n) {
  cast_body<From, To>(source, source_stride, destination, destination_stride, n);
}
template <class From, class To>
UPCAST_TARGET_V4 void cast_v4(const std::byte* source, std::int64_t source_stride,
                              std::byte* destination, std::int64_t destination_stride,
                              std::int64_t n) {
  cast_body<From, To>(source, source_stride, destination, destination_stride, n);
}

#if defined(__x86_64__)
/// float16 and float32 by the processor's own conversions, eight at a time. What is left of a run,
/// and strided runs, go the general way; both give the same bits, NaN being one.
UPCAST_TARGET_V3 void half_to_float(const std::byte* source, std::int64_t source_stride,
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
  cast_body<Half, float>(source + i * source_stride, source_stride,
                         destination + i * destination_stride, destination_stride, n - i);
}

UPCAST_TARGET_V3 void float_to_half(const std::byte* source, std::int64_t source_stride,
                                    std::byte* destination, std::int64_t destination_stride,
                                    std::int64_t n) {
  std::int64_t i = 0;
  if (source_stride == sizeof(float) && destination_stride == sizeof(Half))
    for (; i + 8 <= n; i += 8) {
      const __m256 values =
          _mm256_loadu_ps(reinterpret_cast<const float*>(source + i * std::int64_t{sizeof(float)}));
      const __m128i halves = _mm256_cvtps_ph(values, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
      const __m256i nan = _mm256_castps_si256(_mm256_cmp_ps(values, values, _CMP_UNORD_Q));
      const __m128i is_nan =
          _mm_packs_epi32(_mm256_castsi256_si128(nan), _mm256_extracti128_si256(nan, 1));
      _mm_storeu_si128(
          reinterpret_cast<__m128i*>(destination + i * std::int64_t{sizeof(Half)}),
          _mm_blendv_epi8(halves, _mm_set1_epi16(static_cast<short>(kHalfFormat.nan_code)),
                          is_nan));
    }
  cast_body<float, Half>(source + i * source_stride, source_stride,
                         destination + i * destination_stride, destination_stride, n - i);
}
#endif

template <class T>
inline constexpr bool kIsFloat8 = kIsPacked<T> && sizeof(T) == 1;

/// Casts worth a loop of their own for each capability: those that vectorise.
template <class From, class To>
inline constexpr bool kVectorises =
    !kIsComplex<From> && !kIsComplex<To> && !kIsFloat8<From> && !kIsFloat8<To>;

using CastRow = std::array<CastLoop, kCapabilityCount>;
using CastTable = std::array<std::array<CastRow, kDTypeCount>, kDTypeCount>;

template <class From, class To>
constexpr CastRow make_cast_row() {
#if defined(__x86_64__)
  if constexpr (std::is_same_v<From, Half> && std::is_same_v<To, float>)
    return {&cast_baseline<From, To>, &half_to_float, &half_to_float};
  if constexpr (std::is_same_v<From, float> && std::is_same_v<To, Half>)
    return {&cast_baseline<From, To>, &float_to_half, &float_to_half};
#endif
  if constexpr (kVectorises<From, To>)
    return {&cast_baseline<From, To>, &cast_v3<From, To>, &cast_v4<From, To>};
  else
    return {&cast_baseline<From, To>, &cast_baseline<From, To>, &cast_baseline<From, To>};
}

constexpr CastTable make_cast_table() {
  CastTable table{};
  for_each_element(AllElements{}, [&table](auto from) {
    for_each_element(AllElements{}, [&table, from](auto to) {
      table[code(from.dtype)][code(to.dtype)] =
          make_cast_row<typename decltype(from)::type, typename decltype(to)::type>();
    });
  });
  return table;
}

constexpr CastTable kCastTable = make_cast_table();

}  // namespace

CastLoop cast_loop(DType from, DType to, Capability capability) {
  return kCastTable[code(from)][code(to)][static_cast<int>(capability)];
}

void cast_elements(DType from, const std::byte* source, DType to, std::byte* destination,
                   std::int64_t n) {
  const CastLoop loop = cast_loop(from, to, Capability::kBaseline);
  check(loop != nullptr, "cast_elements: both dtypes are elementwise");
  loop(source, itemsize(from), destination, itemsize(to), n);
}

}  // namespace upcast
