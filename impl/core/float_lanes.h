// Eight float32 in one register of AVX2, for formulas that start from an estimate of the processor.
// The compiler has no such formulas of its own: its loops would divide.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include "impl/core/capability.h"

namespace upcast {

// Only loops for x86-64-v3 and x86-64-v4 call its functions. See DoubleLanes for why they are not
// always_inline, and why the copy constructor is not the default.
class FloatLanes {
 public:
  static constexpr int kLanes = 8;
  class PositiveNormals;

  UPCAST_TARGET_V3 inline FloatLanes(float x) : value_(_mm256_set1_ps(x)) {}
  UPCAST_TARGET_V3 inline FloatLanes(const FloatLanes& other) : value_(other.value_) {}

  UPCAST_TARGET_V3 static inline FloatLanes load(const float* values) {
    return FloatLanes(_mm256_loadu_ps(values));
  }
  UPCAST_TARGET_V3 inline void store(float* values) const { _mm256_storeu_ps(values, value_); }

  UPCAST_TARGET_V3 friend inline FloatLanes operator-(const FloatLanes& a) {
    return FloatLanes(-a.value_);
  }
  UPCAST_TARGET_V3 friend inline FloatLanes operator*(const FloatLanes& a, const FloatLanes& b) {
    return FloatLanes(a.value_ * b.value_);
  }
  /// a * b + c, rounded once.
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

/// Whether all float32 that it has seen are positive, normal and finite.
class FloatLanes::PositiveNormals {
 public:
  UPCAST_TARGET_V3 inline PositiveNormals() : largest_(_mm256_setzero_si256()) {}

  UPCAST_TARGET_V3 inline void see(const float* values) {
    const __m256i codes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values));
    largest_ =
        _mm256_max_epu32(largest_, _mm256_sub_epi32(codes, _mm256_set1_epi32(kSmallestCode)));
  }
  UPCAST_TARGET_V3 inline bool all() const {
    const __m256i last = _mm256_set1_epi32(kInfinityCode - kSmallestCode - 1);
    const __m256i beyond = _mm256_xor_si256(_mm256_max_epu32(largest_, last), last);
    return _mm256_testz_si256(beyond, beyond) != 0;
  }

 private:
  static constexpr int kSmallestCode = 0x00800000, kInfinityCode = 0x7f800000;

  __m256i largest_;  // of the codes less kSmallestCode, without sign: others are above the finite
};

}  // namespace upcast
#endif
