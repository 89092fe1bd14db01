// A set of dtypes: which ones an op has a kernel for, which ones a selector matches.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "impl/core/dtype.h"

namespace upcast {

class DTypeSet {
 public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(DType dtype) : bits_(std::uint64_t{1} << code(dtype)) {}
  constexpr DTypeSet(std::initializer_list<DType> dtypes) {
    for (DType dtype : dtypes) bits_ |= std::uint64_t{1} << code(dtype);
  }

  constexpr bool contains(DType dtype) const { return (bits_ >> code(dtype)) & 1; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr int size() const { return __builtin_popcountll(bits_); }
  constexpr bool operator==(const DTypeSet&) const = default;

  friend constexpr DTypeSet operator|(DTypeSet a, DTypeSet b) { return of(a.bits_ | b.bits_); }
  friend constexpr DTypeSet operator&(DTypeSet a, DTypeSet b) { return of(a.bits_ & b.bits_); }
  friend constexpr DTypeSet operator-(DTypeSet a, DTypeSet b) { return of(a.bits_ & ~b.bits_); }

 private:
  static constexpr DTypeSet of(std::uint64_t bits) {
    DTypeSet set;
    set.bits_ = bits;
    return set;
  }
  std::uint64_t bits_ = 0;
};

inline constexpr DTypeSet kBools{DType::kBool};
/// The five integers that every arithmetic kernel knows.
inline constexpr DTypeSet kIntegers{DType::kUInt8, DType::kInt8, DType::kInt16, DType::kInt32,
                                    DType::kInt64};
/// The "barebones" unsigned integers that have elementwise kernels.
inline constexpr DTypeSet kUnsigned{DType::kUInt16, DType::kUInt32, DType::kUInt64};
inline constexpr DTypeSet kReducedFloats{DType::kFloat16, DType::kBFloat16};
inline constexpr DTypeSet kFullFloats{DType::kFloat32, DType::kFloat64};
inline constexpr DTypeSet kFloats = kReducedFloats | kFullFloats;
inline constexpr DTypeSet kFloat8s{DType::kFloat8E5M2, DType::kFloat8E4M3FN, DType::kFloat8E5M2FNUZ,
                                   DType::kFloat8E4M3FNUZ, DType::kFloat8E8M0FNU};
inline constexpr DTypeSet kComplexHalf{DType::kComplex32};
inline constexpr DTypeSet kBComplexHalf{DType::kBComplex32};
inline constexpr DTypeSet kFullComplex{DType::kComplex64, DType::kComplex128};
inline constexpr DTypeSet kComplexes = kComplexHalf | kBComplexHalf | kFullComplex;
/// Every dtype with an elementwise kernel somewhere: the axis of the promotion grid.
inline constexpr DTypeSet kElementwise =
    kBools | kIntegers | kUnsigned | kFloats | kFloat8s | kComplexes;

}  // namespace upcast
