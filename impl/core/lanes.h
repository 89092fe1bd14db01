// Registers of a vector unit as lanes: four float64 of AVX2, or eight of AVX-512, which are read
// from float32 or float64; and eight float32 of AVX2. Where the compiler vectorises a loop over
// float32, it takes the lanes apart to compute in float64, and puts them together again. A loop
// over lanes of float64 does not (ops/lane_loop.h). Each operation gives the bits that it gives for
// a single number, but for the estimate.
//
// The functions are those of math/branchless.h with their names. Only loops for x86-64-v3 and
// x86-64-v4 call them, and inline them. So a template is compiled for the capability of the loop.
// Functions pass vectors in memory: a caller that is compiled for the baseline, and does not inline
// them, would not look for vectors in registers.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "impl/core/capability.h"

namespace upcast {

namespace internal {

/// What a register of kBytes holds: elements, or their codes (bit patterns as whole numbers).
template <class Element, int kBytes>
struct VectorOf {
  using Code = std::conditional_t<sizeof(Element) == 8, std::int64_t, std::int32_t>;
  using Elements [[gnu::vector_size(kBytes)]] = Element;
  using Codes [[gnu::vector_size(kBytes)]] = Code;
  using UnsignedCodes [[gnu::vector_size(kBytes)]] = std::make_unsigned_t<Code>;
  static constexpr int kLanes = kBytes / static_cast<int>(sizeof(Element));
};

/// What an instruction that compares float32 gives.
template <int kBytes>
struct MaskOf {
  using type = __m256;
};
template <>
struct MaskOf<64> {
  using type = __mmask16;
};

// What GCC 12 has no operator for, or makes several instructions of.
UPCAST_TARGET_V3 inline void widen(const float* values, __m256d& wide) {
  wide = _mm256_cvtps_pd(_mm_loadu_ps(values));
}
UPCAST_TARGET_V3 inline void narrow(const __m256d& wide, float* values) {
  _mm_storeu_ps(values, _mm256_cvtpd_ps(wide));
}
UPCAST_TARGET_V3 inline void fuse(const __m256d& a, const __m256d& b, __m256d& c) {
  c = _mm256_fmadd_pd(a, b, c);
}
UPCAST_TARGET_V3 inline void limit_magnitude(__m256d& x, double limit) {
  const __m256d size = _mm256_andnot_pd(_mm256_set1_pd(-0.0), x);
  x = _mm256_min_pd(size, _mm256_set1_pd(limit));  // of NaN, the second
}
UPCAST_TARGET_V3 inline void drop_negative(__m256d& x) {
  x = _mm256_max_pd(_mm256_set1_pd(-0.0), x);
}
UPCAST_TARGET_V3 inline void set_all(__m256& mask) {
  mask = _mm256_cmp_ps(_mm256_setzero_ps(), _mm256_setzero_ps(), _CMP_EQ_OQ);
}
UPCAST_TARGET_V3 inline bool has_all(const __m256& mask) {
  return _mm256_movemask_ps(mask) == 0xff;
}
UPCAST_TARGET_V3 inline void clear_outside(const float* values, float low, float high,
                                           __m256& mask) {
  const __m256 seen = _mm256_loadu_ps(values);
  mask = _mm256_and_ps(mask, _mm256_cmp_ps(seen, _mm256_set1_ps(low), _CMP_GE_OQ));
  mask = _mm256_and_ps(mask, _mm256_cmp_ps(seen, _mm256_set1_ps(high), _CMP_LE_OQ));
}

inline constexpr __mmask8 kAllDoubles = 0xff;  // GCC 12 warns of the unmasked forms
UPCAST_TARGET_V4 inline void widen(const float* values, __m512d& wide) {
  wide = _mm512_maskz_cvtps_pd(kAllDoubles, _mm256_loadu_ps(values));
}
UPCAST_TARGET_V4 inline void narrow(const __m512d& wide, float* values) {
  _mm256_storeu_ps(values, _mm512_maskz_cvtpd_ps(kAllDoubles, wide));
}
UPCAST_TARGET_V4 inline void fuse(const __m512d& a, const __m512d& b, __m512d& c) {
  c = _mm512_fmadd_pd(a, b, c);
}
UPCAST_TARGET_V4 inline void limit_magnitude(__m512d& x, double limit) {
  constexpr int kSmallerMagnitude = 2, kWithoutSign = 2 << 2;
  x = _mm512_maskz_range_pd(kAllDoubles, x, _mm512_set1_pd(limit),
                            kSmallerMagnitude | kWithoutSign);
}
UPCAST_TARGET_V4 inline void drop_negative(__m512d& x) {
  x = _mm512_maskz_max_pd(kAllDoubles, _mm512_set1_pd(-0.0), x);
}
UPCAST_TARGET_V4 inline void set_all(__mmask16& mask) { mask = 0xffff; }
UPCAST_TARGET_V4 inline bool has_all(__mmask16 mask) { return mask == 0xffff; }
UPCAST_TARGET_V4 inline void clear_outside(const float* values, float low, float high,
                                           __mmask16& mask) {
  const __m512 seen = _mm512_loadu_ps(values);
  mask = _mm512_mask_cmp_ps_mask(mask, seen, _mm512_set1_ps(low), _CMP_GE_OQ);
  mask = _mm512_mask_cmp_ps_mask(mask, seen, _mm512_set1_ps(high), _CMP_LE_OQ);
}

}  // namespace internal

/// Sees float32, a register of kBytes at a time. Tells whether all were at least `low` and at most
/// `high`, which NaN is not.
template <int kBytes>
class RangeCheck {
 public:
  static constexpr int kLanes = kBytes / 4;

  RangeCheck(float low, float high) : low_(low), high_(high) { internal::set_all(within_); }

  void see(const float* values) { internal::clear_outside(values, low_, high_, within_); }
  bool all() const { return internal::has_all(within_); }

 private:
  float low_, high_;
  typename internal::MaskOf<kBytes>::type within_;
};

/// Tells the same for a range from -limit to limit, also of float64. It takes operations of
/// integers, which any vector unit does. Comparisons wait for the units that add.
template <class Element, int kBytes>
class MagnitudeCheck {
  using Vector = internal::VectorOf<Element, kBytes>;
  using Code = typename Vector::Code;

 public:
  static constexpr int kLanes = Vector::kLanes;

  explicit MagnitudeCheck(Element limit) : limit_(std::bit_cast<Code>(limit)), largest_{} {}

  void see(const Element* values) {
    typename Vector::Codes size;
    std::memcpy(&size, values, kBytes);
    size &= std::numeric_limits<Code>::max();
    largest_ = size > largest_ ? size : largest_;
  }
  bool all() const {
    bool all = true;
    for (int i = 0; i < kLanes; ++i) all = all && largest_[i] <= limit_;
    return all;
  }

 private:
  Code limit_;
  typename Vector::Codes largest_;
};

/// kBytes: 32 for AVX2, 64 for AVX-512.
template <int kBytes>
class DoubleLanes {
  using Vector = internal::VectorOf<double, kBytes>;
  using Elements = typename Vector::Elements;
  using Codes = typename Vector::UnsignedCodes;

 public:
  using Number = double;
  static constexpr int kRegisterBytes = kBytes, kLanes = Vector::kLanes;

  DoubleLanes(double x) : value_(x - Elements{}) {}  // minus zero, so that -0 keeps its sign
  DoubleLanes(const DoubleLanes& other) : value_(other.value_) {}
  DoubleLanes& operator=(const DoubleLanes& other) {
    value_ = other.value_;
    return *this;
  }

  static DoubleLanes read(const float* values) {
    DoubleLanes lanes(0);
    internal::widen(values, lanes.value_);
    return lanes;
  }
  static DoubleLanes read(const double* values) {
    DoubleLanes lanes(0);
    std::memcpy(&lanes.value_, values, kBytes);
    return lanes;
  }
  void write(float* values) const { internal::narrow(value_, values); }
  void write(double* values) const { std::memcpy(values, &value_, kBytes); }

  friend DoubleLanes operator-(const DoubleLanes& a) { return DoubleLanes(-a.value_); }
  friend DoubleLanes operator+(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ + b.value_);
  }
  friend DoubleLanes operator-(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ - b.value_);
  }
  friend DoubleLanes operator*(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ * b.value_);
  }
  friend DoubleLanes operator/(const DoubleLanes& a, const DoubleLanes& b) {
    return DoubleLanes(a.value_ / b.value_);
  }
  friend DoubleLanes fused(const DoubleLanes& a, const DoubleLanes& b, const DoubleLanes& c) {
    DoubleLanes sum = c;
    internal::fuse(a.value_, b.value_, sum.value_);
    return sum;
  }

  friend DoubleLanes power_of_two(const DoubleLanes& rounded) {
    return of((reinterpret_cast<Codes>(rounded.value_) + 1023) << 52);
  }
  friend DoubleLanes times_power_of_two(const DoubleLanes& x, const DoubleLanes& rounded) {
    const Codes exponents = reinterpret_cast<Codes>(rounded.value_) << 52;
    return of(reinterpret_cast<Codes>(x.value_) + exponents);
  }
  friend DoubleLanes pattern_plus(const DoubleLanes& x, std::uint64_t n) {
    return of(reinterpret_cast<Codes>(x.value_) + n);
  }
  friend DoubleLanes pattern_and(const DoubleLanes& x, std::uint64_t mask) {
    return of(reinterpret_cast<Codes>(x.value_) & mask);
  }
  friend DoubleLanes pattern_or(const DoubleLanes& x, std::uint64_t mask) {
    return of(reinterpret_cast<Codes>(x.value_) | mask);
  }
  friend DoubleLanes upper_pattern(const DoubleLanes& x) {
    return of(reinterpret_cast<Codes>(x.value_) >> 52);
  }
  friend DoubleLanes with_sign(const DoubleLanes& x, const DoubleLanes& sign) {
    constexpr std::uint64_t kSign = std::uint64_t{1} << 63;
    const Codes signs = reinterpret_cast<Codes>(sign.value_) & kSign;
    return of(reinterpret_cast<Codes>(x.value_) | signs);
  }
  friend DoubleLanes if_zero(const DoubleLanes& test, const DoubleLanes& then,
                             const DoubleLanes& otherwise) {
    return DoubleLanes(test.value_ == 0 ? then.value_ : otherwise.value_);
  }
  friend DoubleLanes if_below(const DoubleLanes& test, double limit, const DoubleLanes& then,
                              const DoubleLanes& otherwise) {
    return DoubleLanes(test.value_ < limit ? then.value_ : otherwise.value_);
  }
  friend DoubleLanes magnitude_up_to(const DoubleLanes& x, double limit) {
    DoubleLanes result = x;
    internal::limit_magnitude(result.value_, limit);
    return result;
  }
  friend DoubleLanes positive_part(const DoubleLanes& x) {
    DoubleLanes result = x;
    internal::drop_negative(result.value_);
    return result;
  }

 private:
  explicit DoubleLanes(const Elements& value) : value_(value) {}
  static DoubleLanes of(const Codes& codes) {
    return DoubleLanes(reinterpret_cast<Elements>(codes));
  }

  Elements value_;
};

/// Eight float32 of AVX2.
class FloatLanes {
 public:
  using Number = float;
  static constexpr int kRegisterBytes = 32, kLanes = 8;

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
  /// Stores them past the caches. `values` is at a multiple of 32 bytes.
  UPCAST_TARGET_V3 inline void stream(float* values) const { _mm256_stream_ps(values, value_); }
  /// Lets other threads see what this one has streamed before what it writes from now on.
  static void end_streams() { _mm_sfence(); }

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

}  // namespace upcast
#endif
