// A set of dtypes. It says, for example, for which dtypes an op has a kernel, or which dtypes a
// selector matches.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

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
  /// The members of the set, in the order of their codes.
  std::vector<DType> dtypes() const {
    std::vector<DType> found;
    for (int i = 0; i < kDTypeCount; ++i)
      if (contains(dtype_from_code(i))) found.push_back(dtype_from_code(i));
    return found;
  }

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

/// The set of dtypes for whose row in the dtype table `wanted(row)` is true.
template <class Wanted>
constexpr DTypeSet dtypes_where(Wanted wanted) {
  DTypeSet set;
  for (int i = 0; i < kDTypeCount; ++i)
    if (wanted(info(dtype_from_code(i)))) set = set | dtype_from_code(i);
  return set;
}

inline constexpr DTypeSet kBools{DType::kBool};
/// The five integer dtypes for which every arithmetic kernel exists.
inline constexpr DTypeSet kIntegers =
    dtypes_where([](const DTypeInfo& row) { return row.group == Group::kInteger; });
/// The unsigned dtypes with elementwise kernels that PyTorch calls "barebones": uint16, uint32 and
/// uint64.
inline constexpr DTypeSet kUnsigned = dtypes_where([](const DTypeInfo& row) {
  return row.group == Group::kBarebonesUnsigned && row.category == Category::kIntegral;
});
inline constexpr DTypeSet kFloats =
    dtypes_where([](const DTypeInfo& row) { return row.group == Group::kFloating; });
inline constexpr DTypeSet kReducedFloats{DType::kFloat16, DType::kBFloat16};
inline constexpr DTypeSet kFullFloats = kFloats - kReducedFloats;
inline constexpr DTypeSet kFloat8s =
    dtypes_where([](const DTypeInfo& row) { return row.group == Group::kFloat8; });
inline constexpr DTypeSet kComplexHalf{DType::kComplex32};
inline constexpr DTypeSet kBComplexHalf{DType::kBComplex32};
inline constexpr DTypeSet kComplexes =
    dtypes_where([](const DTypeInfo& row) { return row.group == Group::kComplex; });
inline constexpr DTypeSet kFullComplex = kComplexes - kComplexHalf - kBComplexHalf;
/// Every dtype with an elementwise kernel for some op. The promotion grid enumerates them.
inline constexpr DTypeSet kElementwise =
    kBools | kIntegers | kUnsigned | kFloats | kFloat8s | kComplexes;

}  // namespace upcast
