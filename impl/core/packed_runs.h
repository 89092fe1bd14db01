// Converts short runs of float16 and bfloat16 elements to float32 and back, in registers.
//
// float16 uses the processor's own conversions, bfloat16 uses loops that vectorise. Both give the
// same bits as convert<>, also for NaN (cast_test). A run is `in_order` if element i of it is
// values[i].
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <bit>
#include <cstdint>
#include <cstring>

#include "impl/core/capability.h"
#include "impl/core/element.h"

namespace upcast {

/// Elements of a run. They fill two of the widest vectors, so that the processor can overlap the
/// work on both.
inline constexpr std::int64_t kRunElements = 32;

/// Converts a run one element at a time.
template <class Packed>
struct ScalarRun {
  using Element = Packed;
  static constexpr bool in_order = true;
  [[gnu::always_inline]] static void widen(const Packed* packed, float* values) {
    for (std::int64_t i = 0; i < kRunElements; ++i) values[i] = convert<float>(packed[i]);
  }
  [[gnu::always_inline]] static void narrow(const float* values, Packed* packed) {
    for (std::int64_t i = 0; i < kRunElements; ++i) packed[i] = convert<Packed>(values[i]);
  }
  [[gnu::always_inline]] static void narrow_numbers(const float* values, Packed* packed) {
    narrow(values, packed);
  }
};

/// Converts a run of bfloat16 as pairs in words of 32 bits: first all elements in the lower halves,
/// then those in the upper halves. Vectors of words need no widening and no packing.
struct BFloat16PairsRun {
  using Element = BFloat16;
  static constexpr bool in_order = false;
  static_assert(std::endian::native == std::endian::little);

  [[gnu::always_inline]] static void widen(const BFloat16* packed, float* values) {
    for (std::int64_t i = 0; i < kPairs; ++i) {
      std::uint32_t pair;
      std::memcpy(&pair, packed + 2 * i, sizeof pair);
      values[i] = std::bit_cast<float>(pair << 16);
      values[kPairs + i] = std::bit_cast<float>(pair & kUpper);
    }
  }
  [[gnu::always_inline]] static void narrow(const float* values, BFloat16* packed) {
    store<encode_bfloat16_above>(values, packed);
  }
  [[gnu::always_inline]] static void narrow_numbers(const float* values, BFloat16* packed) {
    store<encode_number_above>(values, packed);
  }

 private:
  static constexpr std::int64_t kPairs = kRunElements / 2;
  static constexpr std::uint32_t kUpper = 0xffff0000U;

  template <auto kEncodeAbove>
  [[gnu::always_inline]] static void store(const float* values, BFloat16* packed) {
    for (std::int64_t i = 0; i < kPairs; ++i) {
      const std::uint32_t pair =
          kEncodeAbove(values[i]) >> 16 | (kEncodeAbove(values[kPairs + i]) & kUpper);
      std::memcpy(static_cast<void*>(packed + 2 * i), &pair, sizeof pair);
    }
  }
};

#if defined(__x86_64__)
namespace internal {

inline constexpr __mmask16 kAllLanes = 0xffff;  // full mask: GCC 12 warns of the unmasked forms
inline constexpr int kNearest = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
inline constexpr short kHalfNan = kHalfFormat.nan_code;
inline constexpr short kHalfSign = static_cast<short>(0x8000);

}  // namespace internal

// HalfLanesV3 and HalfLanesV4: their functions are not always_inline. A caller that is compiled for
// the same capability inlines them (capability.h).

struct HalfLanesV3 {
  static constexpr std::int64_t kLanes = 8;
  UPCAST_TARGET_V3 static inline void widen(const Half* packed, float* values) {
    _mm256_storeu_ps(values,
                     _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(packed))));
  }
  UPCAST_TARGET_V3 static inline void narrow_numbers(const float* source, Half* packed) {
    store(_mm256_loadu_ps(source), packed);
  }
  /// The same for values of which some may be NaN.
  UPCAST_TARGET_V3 static inline void narrow(const float* source, Half* packed) {
    const __m256 values = _mm256_loadu_ps(source);
    const __m256 signs = _mm256_and_ps(values, _mm256_set1_ps(-0.0F));
    const __m256 nans = _mm256_or_ps(signs, _mm256_set1_ps(__builtin_nanf("")));
    store(_mm256_blendv_ps(values, nans, _mm256_cmp_ps(values, values, _CMP_UNORD_Q)), packed);
  }
  UPCAST_TARGET_V3 static inline bool run_has_nan(const float* values) {
    __m256 nan = _mm256_setzero_ps();
    for (std::int64_t i = 0; i < kRunElements; i += 2 * kLanes)
      nan = _mm256_or_ps(nan, _mm256_cmp_ps(_mm256_loadu_ps(values + i),
                                            _mm256_loadu_ps(values + i + kLanes), _CMP_UNORD_Q));
    return _mm256_movemask_ps(nan) != 0;
  }

 private:
  UPCAST_TARGET_V3 static inline void store(__m256 values, Half* packed) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(packed),
                     _mm256_cvtps_ph(values, internal::kNearest));
  }
};

struct HalfLanesV4 {
  static constexpr std::int64_t kLanes = 16;
  UPCAST_TARGET_V4 static inline void widen(const Half* packed, float* values) {
    _mm512_storeu_ps(values,
                     _mm512_maskz_cvtph_ps(internal::kAllLanes, _mm256_loadu_epi16(packed)));
  }
  UPCAST_TARGET_V4 static inline void narrow_numbers(const float* source, Half* packed) {
    _mm256_storeu_epi16(packed, halves(_mm512_loadu_ps(source)));
  }
  /// The same for values of which some may be NaN.
  UPCAST_TARGET_V4 static inline void narrow(const float* source, Half* packed) {
    const __m512 values = _mm512_loadu_ps(source);
    const __mmask16 is_nan = _mm512_cmp_ps_mask(values, values, _CMP_UNORD_Q);
    const __m256i narrowed = halves(values);
    const __m256i signs = _mm256_and_si256(narrowed, _mm256_set1_epi16(internal::kHalfSign));
    const __m256i nans = _mm256_or_si256(signs, _mm256_set1_epi16(internal::kHalfNan));
    _mm256_storeu_epi16(packed, _mm256_mask_mov_epi16(narrowed, is_nan, nans));
  }
  UPCAST_TARGET_V4 static inline bool run_has_nan(const float* values) {
    static_assert(kRunElements == 2 * kLanes);
    return _mm512_cmp_ps_mask(_mm512_loadu_ps(values), _mm512_loadu_ps(values + kLanes),
                              _CMP_UNORD_Q) != 0;
  }

 private:
  UPCAST_TARGET_V4 static inline __m256i halves(__m512 values) {
    return _mm512_maskz_cvtps_ph(internal::kAllLanes, values, internal::kNearest);
  }
};

/// Converts a run of float16, `Lanes::kLanes` elements at a time. The processor keeps a part of a
/// NaN's code, convert<> keeps its sign only. So a run with a NaN takes the slower way.
template <class Lanes>
struct HalfRun {
  using Element = Half;
  static constexpr bool in_order = true;
  [[gnu::always_inline]] static void widen(const Half* packed, float* values) {
    for (std::int64_t i = 0; i < kRunElements; i += Lanes::kLanes)
      Lanes::widen(packed + i, values + i);
  }
  [[gnu::always_inline]] static void narrow(const float* values, Half* packed) {
    if (Lanes::run_has_nan(values)) [[unlikely]] {
      for (std::int64_t i = 0; i < kRunElements; i += Lanes::kLanes)
        Lanes::narrow(values + i, packed + i);
    } else {
      narrow_numbers(values, packed);
    }
  }
  /// The same for values of which none is NaN.
  [[gnu::always_inline]] static void narrow_numbers(const float* values, Half* packed) {
    for (std::int64_t i = 0; i < kRunElements; i += Lanes::kLanes)
      Lanes::narrow_numbers(values + i, packed + i);
  }
};
using HalfRunV3 = HalfRun<HalfLanesV3>;
using HalfRunV4 = HalfRun<HalfLanesV4>;
#else
using HalfRunV3 = ScalarRun<Half>;
using HalfRunV4 = ScalarRun<Half>;
#endif

}  // namespace upcast
