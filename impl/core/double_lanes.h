// Eight float64 in one register of AVX-512. Where the compiler vectorises a loop over float32, it
// takes sixteen lanes apart to compute in float64, and puts them together again. A loop over these
// lanes does not. Each operation gives the bits that it gives for double.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include "impl/core/capability.h"

namespace upcast {

// Only loops for x86-64-v4 call its functions. They are not always_inline: a caller that is
// compiled for the same capability inlines them.
class DoubleLanes {
 public:
  static constexpr int kLanes = 8;
  class LargestMagnitude;

  UPCAST_TARGET_V4 inline DoubleLanes(double x) : value_(_mm512_set1_pd(x)) {}
  // Not the default: a class with a copy constructor of its own is passed in memory. A class
  // without one is returned in a vector register, where a caller that is compiled for the baseline,
  // and does not inline the call, would not look for it.
  UPCAST_TARGET_V4 inline DoubleLanes(const DoubleLanes& other) : value_(other.value_) {}

  UPCAST_TARGET_V4 static inline DoubleLanes widen(const float* values) {
    return DoubleLanes(_mm512_maskz_cvtps_pd(kAll, _mm256_loadu_ps(values)));
  }
  UPCAST_TARGET_V4 inline void narrow(float* values) const {
    _mm256_storeu_ps(values, _mm512_maskz_cvtpd_ps(kAll, value_));
  }

  UPCAST_TARGET_V4 friend inline DoubleLanes operator-(const DoubleLanes& a) {
    return DoubleLanes(-a.value_);
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes operator+(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ + b.value_);
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes operator-(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ - b.value_);
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes operator*(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ * b.value_);
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes operator/(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ / b.value_);
  }

  // The same as the functions of math/branchless.h with these names.
  UPCAST_TARGET_V4 friend inline DoubleLanes fused(const DoubleLanes& a, const DoubleLanes& b,
                                                   const DoubleLanes& c) {
    return DoubleLanes(_mm512_fmadd_pd(a.value_, b.value_, c.value_));
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes times_power_of_two(const DoubleLanes& x,
                                                                const DoubleLanes& rounded) {
    const __m512i exponents =
        _mm512_maskz_slli_epi64(kAll, _mm512_castpd_si512(rounded.value_), 52);
    return DoubleLanes(
        _mm512_castsi512_pd(_mm512_add_epi64(_mm512_castpd_si512(x.value_), exponents)));
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes magnitude_up_to(const DoubleLanes& x, double limit) {
    constexpr int kSmallerMagnitude = 2, kWithoutSign = 2 << 2;
    return DoubleLanes(_mm512_maskz_range_pd(kAll, x.value_, _mm512_set1_pd(limit),
                                             kSmallerMagnitude | kWithoutSign));
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes positive_part(const DoubleLanes& x) {
    return DoubleLanes(_mm512_maskz_max_pd(kAll, _mm512_set1_pd(-0.0), x.value_));
  }

 private:
  static constexpr __mmask8 kAll = 0xff;  // full mask: GCC 12 warns of the unmasked forms

  UPCAST_TARGET_V4 explicit inline DoubleLanes(__m512d value) : value_(value) {}

  __m512d value_;
};

/// The largest magnitude of float32 that it has seen.
class DoubleLanes::LargestMagnitude {
 public:
  static constexpr int kLanes = 16;

  UPCAST_TARGET_V4 inline LargestMagnitude() : codes_(_mm512_setzero_si512()) {}

  UPCAST_TARGET_V4 inline void see(const float* values) {
    codes_ = _mm512_maskz_max_epu32(kAll, codes_, without_signs(_mm512_loadu_ps(values)));
  }
  /// Whether it is above `limit` or NaN.
  UPCAST_TARGET_V4 inline bool exceeds(float limit) const {
    return _mm512_cmpgt_epu32_mask(codes_, without_signs(_mm512_set1_ps(limit))) != 0;
  }

 private:
  static constexpr __mmask16 kAll = 0xffff;

  UPCAST_TARGET_V4 static inline __m512i without_signs(__m512 values) {
    return _mm512_and_si512(_mm512_castps_si512(values), _mm512_set1_epi32(0x7fffffff));
  }

  __m512i codes_;
};

}  // namespace upcast
#endif
