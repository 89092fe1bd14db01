// Registers of AVX2 as lanes: eight float32, or four float64 that are read from float32. Where the
// compiler vectorises a loop over float32, it takes the lanes apart to compute in float64, and puts
// them together again. A loop over lanes of float64 does not (ops/lane_loop.h). Each operation
// gives the bits that it gives for a single number, but for the estimate.
//
// The functions are those of math/branchless.h with their names. Only loops for x86-64-v3 and
// x86-64-v4 call them. They are not always_inline: a caller that is compiled for such a capability
// inlines them. Copy constructors are written out, so that objects are passed in memory. They would
// be returned in vector registers otherwise. A caller that is compiled for the baseline, and does
// not inline the call, would not look for them there.
//
// Range sees as many float32 at a time as two objects of its lanes hold. It tells whether all were
// at least `low` and at most `high`. UpToMagnitude is the same for ranges from -high to high. To
// both, NaN is outside.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <cstdint>

#include "impl/core/capability.h"

namespace upcast::v3 {

class FloatLanes {
 public:
  static constexpr int kLanes = 8;
  class Range;

  UPCAST_TARGET_V3 inline FloatLanes(float x) : value_(_mm256_set1_ps(x)) {}
  UPCAST_TARGET_V3 inline FloatLanes(const FloatLanes& other) : value_(other.value_) {}
  UPCAST_TARGET_V3 inline FloatLanes& operator=(const FloatLanes& other) {
    value_ = other.value_;
    return *this;
  }

  UPCAST_TARGET_V3 static inline FloatLanes read(const float* values) {
    return FloatLanes(_mm256_loadu_ps(values));
  }
  UPCAST_TARGET_V3 inline void write(float* values) const { _mm256_storeu_ps(values, value_); }

  UPCAST_TARGET_V3 friend inline FloatLanes operator-(const FloatLanes& a) {
    return FloatLanes(-a.value_);
  }
  UPCAST_TARGET_V3 friend inline FloatLanes operator*(const FloatLanes& a, const FloatLanes& b) {
    return FloatLanes(a.value_ * b.value_);
  }
  UPCAST_TARGET_V3 friend inline FloatLanes fused(const FloatLanes& a, const FloatLanes& b,
                                                  const FloatLanes& c) {
    return FloatLanes(_mm256_fmadd_ps(a.value_, b.value_, c.value_));
  }
  /// 1 / sqrt(x) for positive normal x, with a relative error of at most 1.5 * 2^-12. Its bits are
  /// those of the processor: makers differ.
  UPCAST_TARGET_V3 friend inline FloatLanes rsqrt_estimate(const FloatLanes& x) {
    return FloatLanes(_mm256_rsqrt_ps(x.value_));
  }

 private:
  UPCAST_TARGET_V3 explicit inline FloatLanes(__m256 value) : value_(value) {}

  __m256 value_;
};

/// Precondition: `low` is positive.
class FloatLanes::Range {
 public:
  UPCAST_TARGET_V3 inline Range(float low, float high)
      : low_(code_of(low)),
        span_(_mm256_sub_epi32(code_of(high), low_)),
        farthest_(_mm256_setzero_si256()) {}

  UPCAST_TARGET_V3 inline void see(const float* values) {
    for (int i = 0; i < 2; ++i) {
      const __m256 seen = _mm256_loadu_ps(values + i * kLanes);
      const __m256i distance = _mm256_sub_epi32(_mm256_castps_si256(seen), low_);
      farthest_ = _mm256_max_epu32(farthest_, distance);
    }
  }
  UPCAST_TARGET_V3 inline bool all() const {
    const __m256i beyond = _mm256_xor_si256(_mm256_max_epu32(farthest_, span_), span_);
    return _mm256_testz_si256(beyond, beyond) != 0;
  }

 private:
  UPCAST_TARGET_V3 static inline __m256i code_of(float value) {
    return _mm256_castps_si256(_mm256_set1_ps(value));
  }

  __m256i low_, span_;
  __m256i farthest_;  // the largest distance of a code above low_; codes below it are far above
};

class DoubleLanes {
 public:
  static constexpr int kLanes = 4;
  class Range;
  class UpToMagnitude;

  UPCAST_TARGET_V3 inline DoubleLanes(double x) : value_(_mm256_set1_pd(x)) {}
  UPCAST_TARGET_V3 inline DoubleLanes(const DoubleLanes& other) : value_(other.value_) {}
  UPCAST_TARGET_V3 inline DoubleLanes& operator=(const DoubleLanes& other) {
    value_ = other.value_;
    return *this;
  }

  UPCAST_TARGET_V3 static inline DoubleLanes read(const float* values) {
    return DoubleLanes(_mm256_cvtps_pd(_mm_loadu_ps(values)));
  }
  UPCAST_TARGET_V3 inline void write(float* values) const {
    _mm_storeu_ps(values, _mm256_cvtpd_ps(value_));
  }

  UPCAST_TARGET_V3 friend inline DoubleLanes operator-(const DoubleLanes& a) {
    return DoubleLanes(-a.value_);
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes operator+(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ + b.value_);
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes operator-(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ - b.value_);
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes operator*(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ * b.value_);
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes operator/(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ / b.value_);
  }

  UPCAST_TARGET_V3 friend inline DoubleLanes fused(const DoubleLanes& a, const DoubleLanes& b,
                                                   const DoubleLanes& c) {
    return DoubleLanes(_mm256_fmadd_pd(a.value_, b.value_, c.value_));
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes times_power_of_two(const DoubleLanes& x,
                                                                const DoubleLanes& rounded) {
    const __m256i exponents = _mm256_slli_epi64(rounded.pattern(), 52);
    return of_pattern(_mm256_add_epi64(x.pattern(), exponents));
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes pattern_plus(const DoubleLanes& x, std::uint64_t n) {
    return of_pattern(_mm256_add_epi64(x.pattern(), repeated(n)));
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes pattern_and(const DoubleLanes& x, std::uint64_t mask) {
    return of_pattern(_mm256_and_si256(x.pattern(), repeated(mask)));
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes pattern_or(const DoubleLanes& x, std::uint64_t mask) {
    return of_pattern(_mm256_or_si256(x.pattern(), repeated(mask)));
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes upper_pattern(const DoubleLanes& x) {
    return of_pattern(_mm256_srli_epi64(x.pattern(), 52));
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes if_zero(const DoubleLanes& test,
                                                     const DoubleLanes& then,
                                                     const DoubleLanes& otherwise) {
    const __m256d zero = _mm256_cmp_pd(test.value_, _mm256_setzero_pd(), _CMP_EQ_OQ);
    return DoubleLanes(_mm256_blendv_pd(otherwise.value_, then.value_, zero));
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes magnitude_up_to(const DoubleLanes& x, double limit) {
    const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), x.value_);
    return DoubleLanes(_mm256_min_pd(size, _mm256_set1_pd(limit)));  // of NaN, the second
  }
  UPCAST_TARGET_V3 friend inline DoubleLanes positive_part(const DoubleLanes& x) {
    return DoubleLanes(_mm256_max_pd(_mm256_set1_pd(-0.0), x.value_));
  }

 private:
  UPCAST_TARGET_V3 explicit inline DoubleLanes(__m256d value) : value_(value) {}
  UPCAST_TARGET_V3 static inline DoubleLanes of_pattern(__m256i pattern) {
    return DoubleLanes(_mm256_castsi256_pd(pattern));
  }
  UPCAST_TARGET_V3 static inline __m256i repeated(std::uint64_t n) {
    return _mm256_set1_epi64x(static_cast<long long>(n));
  }
  UPCAST_TARGET_V3 inline __m256i pattern() const { return _mm256_castpd_si256(value_); }

  __m256d value_;
};

/// It takes operations of integers, which any vector unit does. Comparisons wait for the units that
/// add.
class DoubleLanes::UpToMagnitude {
 public:
  UPCAST_TARGET_V3 explicit inline UpToMagnitude(float limit)
      : limit_(code_of(_mm256_set1_ps(limit))), largest_(_mm256_setzero_si256()) {}

  UPCAST_TARGET_V3 inline void see(const float* values) {
    largest_ = _mm256_max_epu32(largest_, code_of(_mm256_loadu_ps(values)));
  }
  UPCAST_TARGET_V3 inline bool all() const {
    const __m256i beyond = _mm256_xor_si256(_mm256_max_epu32(largest_, limit_), limit_);
    return _mm256_testz_si256(beyond, beyond) != 0;
  }

 private:
  UPCAST_TARGET_V3 static inline __m256i code_of(__m256 values) {
    return _mm256_and_si256(_mm256_castps_si256(values), _mm256_set1_epi32(0x7fffffff));
  }

  __m256i limit_, largest_;
};

class DoubleLanes::Range {
 public:
  UPCAST_TARGET_V3 inline Range(float low, float high)
      : low_(_mm256_set1_ps(low)),
        high_(_mm256_set1_ps(high)),
        within_(_mm256_cmp_ps(low_, low_, _CMP_EQ_OQ)) {}

  UPCAST_TARGET_V3 inline void see(const float* values) {
    const __m256 seen = _mm256_loadu_ps(values);
    within_ = _mm256_and_ps(within_, _mm256_cmp_ps(seen, low_, _CMP_GE_OQ));
    within_ = _mm256_and_ps(within_, _mm256_cmp_ps(seen, high_, _CMP_LE_OQ));
  }
  UPCAST_TARGET_V3 inline bool all() const { return _mm256_movemask_ps(within_) == 0xff; }

 private:
  __m256 low_, high_, within_;
};

}  // namespace upcast::v3
#endif
