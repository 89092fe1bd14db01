// Eight float64 in one register of AVX-512. See lanes_v3.h.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

#include "impl/core/capability.h"

namespace upcast::v4 {

class DoubleLanes {
 public:
  static constexpr int kLanes = 8;
  class Range;
  class UpToMagnitude;

  UPCAST_TARGET_V4 inline DoubleLanes(double x) : value_(_mm512_set1_pd(x)) {}
  UPCAST_TARGET_V4 inline DoubleLanes(const DoubleLanes& other) : value_(other.value_) {}
  UPCAST_TARGET_V4 inline DoubleLanes& operator=(const DoubleLanes& other) {
    value_ = other.value_;
    return *this;
  }

  UPCAST_TARGET_V4 static inline DoubleLanes read(const float* values) {
    return DoubleLanes(_mm512_maskz_cvtps_pd(kAll, _mm256_loadu_ps(values)));
  }
  UPCAST_TARGET_V4 inline void write(float* values) const {
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

  UPCAST_TARGET_V4 friend inline DoubleLanes fused(const DoubleLanes& a, const DoubleLanes& b,
                                                   const DoubleLanes& c) {
    return DoubleLanes(_mm512_fmadd_pd(a.value_, b.value_, c.value_));
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes times_power_of_two(const DoubleLanes& x,
                                                                const DoubleLanes& rounded) {
    const __m512i exponents = _mm512_maskz_slli_epi64(kAll, rounded.pattern(), 52);
    return of_pattern(_mm512_add_epi64(x.pattern(), exponents));
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes pattern_plus(const DoubleLanes& x, std::uint64_t n) {
    return of_pattern(_mm512_add_epi64(x.pattern(), repeated(n)));
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes pattern_and(const DoubleLanes& x, std::uint64_t mask) {
    return of_pattern(_mm512_and_si512(x.pattern(), repeated(mask)));
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes pattern_or(const DoubleLanes& x, std::uint64_t mask) {
    return of_pattern(_mm512_or_si512(x.pattern(), repeated(mask)));
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes upper_pattern(const DoubleLanes& x) {
    return of_pattern(_mm512_maskz_srli_epi64(kAll, x.pattern(), 52));
  }
  UPCAST_TARGET_V4 friend inline DoubleLanes if_zero(const DoubleLanes& test,
                                                     const DoubleLanes& then,
                                                     const DoubleLanes& otherwise) {
    const __mmask8 zero = _mm512_cmp_pd_mask(test.value_, _mm512_setzero_pd(), _CMP_EQ_OQ);
    return DoubleLanes(_mm512_mask_mov_pd(otherwise.value_, zero, then.value_));
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
  UPCAST_TARGET_V4 static inline DoubleLanes of_pattern(__m512i pattern) {
    return DoubleLanes(_mm512_castsi512_pd(pattern));
  }
  UPCAST_TARGET_V4 static inline __m512i repeated(std::uint64_t n) {
    return _mm512_set1_epi64(static_cast<long long>(n));
  }
  UPCAST_TARGET_V4 inline __m512i pattern() const { return _mm512_castpd_si512(value_); }

  __m512d value_;
};

class DoubleLanes::UpToMagnitude {
 public:
  UPCAST_TARGET_V4 explicit inline UpToMagnitude(float limit)
      : limit_(code_of(_mm512_set1_ps(limit))), largest_(_mm512_setzero_si512()) {}

  UPCAST_TARGET_V4 inline void see(const float* values) {
    largest_ = _mm512_maskz_max_epu32(kAll, largest_, code_of(_mm512_loadu_ps(values)));
  }
  UPCAST_TARGET_V4 inline bool all() const {
    return _mm512_cmpgt_epu32_mask(largest_, limit_) == 0;
  }

 private:
  static constexpr __mmask16 kAll = 0xffff;

  UPCAST_TARGET_V4 static inline __m512i code_of(__m512 values) {
    return _mm512_and_si512(_mm512_castps_si512(values), _mm512_set1_epi32(0x7fffffff));
  }

  __m512i limit_, largest_;
};

class DoubleLanes::Range {
 public:
  UPCAST_TARGET_V4 inline Range(float low, float high)
      : low_(_mm512_set1_ps(low)), high_(_mm512_set1_ps(high)), within_(kAll) {}

  UPCAST_TARGET_V4 inline void see(const float* values) {
    const __m512 seen = _mm512_loadu_ps(values);
    within_ = _mm512_mask_cmp_ps_mask(within_, seen, low_, _CMP_GE_OQ);
    within_ = _mm512_mask_cmp_ps_mask(within_, seen, high_, _CMP_LE_OQ);
  }
  UPCAST_TARGET_V4 inline bool all() const { return within_ == kAll; }

 private:
  static constexpr __mmask16 kAll = 0xffff;

  __m512 low_, high_;
  __mmask16 within_;
};

}  // namespace upcast::v4
#endif
