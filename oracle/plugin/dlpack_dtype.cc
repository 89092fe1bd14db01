#include "oracle/plugin/dlpack_dtype.h"

#include <array>
#include <bit>

namespace upcast {
namespace {

struct Row {
  DType dtype;
  DLDataType type;
};

constexpr DLDataType type(unsigned code, unsigned bits, unsigned lanes = 1) {
  return {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits),
          static_cast<std::uint16_t>(lanes)};
}

/// The dtypes that have a type code in DLPack.
constexpr Row kRows[] = {
    {DType::kBool, type(UPCAST_TYPE_BOOL, 8)},
    {DType::kUInt8, type(kDLUInt, 8)},
    {DType::kUInt16, type(kDLUInt, 16)},
    {DType::kUInt32, type(kDLUInt, 32)},
    {DType::kUInt64, type(kDLUInt, 64)},
    {DType::kInt8, type(kDLInt, 8)},
    {DType::kInt16, type(kDLInt, 16)},
    {DType::kInt32, type(kDLInt, 32)},
    {DType::kInt64, type(kDLInt, 64)},
    {DType::kFloat16, type(kDLFloat, 16)},
    {DType::kFloat32, type(kDLFloat, 32)},
    {DType::kFloat64, type(kDLFloat, 64)},
    {DType::kBFloat16, type(kDLBfloat, 16)},
    {DType::kComplex32, type(kDLComplex, 32)},
    {DType::kComplex64, type(kDLComplex, 64)},
    {DType::kComplex128, type(kDLComplex, 128)},
    {DType::kFloat8E4M3FN, type(UPCAST_TYPE_FLOAT8_E4M3FN, 8)},
    {DType::kFloat8E4M3FNUZ, type(UPCAST_TYPE_FLOAT8_E4M3FNUZ, 8)},
    {DType::kFloat8E5M2, type(UPCAST_TYPE_FLOAT8_E5M2, 8)},
    {DType::kFloat8E5M2FNUZ, type(UPCAST_TYPE_FLOAT8_E5M2FNUZ, 8)},
    {DType::kFloat8E8M0FNU, type(UPCAST_TYPE_FLOAT8_E8M0FNU, 8)},
    {DType::kFloat4E2M1FNx2, type(UPCAST_TYPE_FLOAT4_E2M1FN, 4, 2)},
};

using Types = std::array<DLDataType, kDTypeCount>;

constexpr Types all_types() {
  Types types{};
  for (int code = 0; code < kDTypeCount; ++code)
    types[code] = type(UPCAST_TYPE_C10, static_cast<unsigned>(code));
  for (const Row& row : kRows) types[code(row.dtype)] = row.type;
  return types;
}

constexpr Types kTypes = all_types();

/// A type's place in the table that finds its row of kRows. It comes from the type's code and from
/// the logarithm of its bits. Types of two lanes come after those of one.
constexpr std::size_t kExponents = 8;
constexpr std::size_t kCodes = 32;

constexpr std::size_t place_of(DLDataType type) {
  return ((type.lanes - 1) * kCodes + type.code) * kExponents +
         static_cast<std::size_t>(std::countr_zero(type.bits));
}

constexpr bool may_have_place(DLDataType type) {
  return std::has_single_bit(type.bits) && type.code < kCodes &&
         (type.lanes == 1 || type.lanes == 2);
}

constexpr auto kDTypes = [] {
  std::array<DType, 2 * kCodes * kExponents> dtypes{};
  dtypes.fill(DType::kUndefined);
  for (const Row& row : kRows) dtypes[place_of(row.type)] = row.dtype;
  return dtypes;
}();

}  // namespace

DLDataType to_dlpack(DType dtype) { return kTypes[code(dtype)]; }

std::optional<DType> from_dlpack(DLDataType type) {
  if (type.code == UPCAST_TYPE_C10) {
    const bool is_one =
        type.lanes == 1 && type.bits < kDTypeCount && kTypes[type.bits].code == UPCAST_TYPE_C10;
    return is_one ? std::optional(dtype_from_code(type.bits)) : std::nullopt;
  }
  if (!may_have_place(type)) return std::nullopt;
  const DType dtype = kDTypes[place_of(type)];
  return dtype == DType::kUndefined ? std::nullopt : std::optional(dtype);
}

}  // namespace upcast
