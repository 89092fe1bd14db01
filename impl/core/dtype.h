// The one dtype table. Codes, names and groups are those of c10::ScalarType in LibTorch 2.15.0
// (torch/headeronly/core/ScalarType.h); a test in oracle/libtorch compares every row with it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace upcast {

enum class DType : std::uint8_t {
  kUInt8,
  kInt8,
  kInt16,
  kInt32,
  kInt64,
  kFloat16,
  kFloat32,
  kFloat64,
  kComplex32,
  kComplex64,
  kComplex128,
  kBool,
  kQInt8,
  kQUInt8,
  kQInt32,
  kBFloat16,
  kQUInt4x2,
  kQUInt2x4,
  kBits1x8,
  kBits2x4,
  kBits4x2,
  kBits8,
  kBits16,
  kFloat8E5M2,
  kFloat8E4M3FN,
  kFloat8E5M2FNUZ,
  kFloat8E4M3FNUZ,
  kUInt16,
  kUInt32,
  kUInt64,
  kUInt1,
  kUInt2,
  kUInt3,
  kUInt4,
  kUInt5,
  kUInt6,
  kUInt7,
  kInt1,
  kInt2,
  kInt3,
  kInt4,
  kInt5,
  kInt6,
  kInt7,
  kFloat8E8M0FNU,
  kFloat4E2M1FNx2,
  kBComplex32,
  kUndefined
};

inline constexpr int kDTypeCount = 48;

/// The category of a dtype, in promotion's order: bool < integral < floating < complex. kNone is
/// for dtypes without a place in that order: quantized, bits and sub-byte integer dtypes, and
/// Undefined.
enum class Category : std::uint8_t { kNone, kBool, kIntegral, kFloating, kComplex };

/// Groups of dtypes that promotion treats alike.
enum class Group : std::uint8_t {
  kBool,
  kInteger,
  kBarebonesUnsigned,
  kSubByteInteger,
  kFloating,
  kFloat8,
  kFloat4,
  kComplex,
  kQuantized,
  kBits,
  kUndefined
};

/// One row of the dtype table. `bytes` is the size of a stored element; it is 1 for a sub-byte
/// dtype.
struct DTypeInfo {
  DType dtype;
  std::string_view name;        // the name that Python prints, without "torch."
  std::string_view short_name;  // a short name that input may use, such as "u8"
  std::string_view c10_name;    // c10::toString
  Group group;
  Category category;
  std::uint8_t bytes;
  DType real;     // c10::toRealValueType; the dtype itself if it has none
  DType complex;  // c10::toComplexType; kUndefined if there is none
  DType compute;  // at::toOpMathType
};

namespace internal {
using enum DType;
// clang-format off
inline constexpr std::array<DTypeInfo, kDTypeCount> kDTypes{{
    {kUInt8, "uint8", "u8", "Byte", Group::kInteger, Category::kIntegral, 1, kUInt8, kUndefined, kUInt8},
    {kInt8, "int8", "i8", "Char", Group::kInteger, Category::kIntegral, 1, kInt8, kUndefined, kInt8},
    {kInt16, "int16", "i16", "Short", Group::kInteger, Category::kIntegral, 2, kInt16, kUndefined, kInt16},
    {kInt32, "int32", "i32", "Int", Group::kInteger, Category::kIntegral, 4, kInt32, kUndefined, kInt32},
    {kInt64, "int64", "i64", "Long", Group::kInteger, Category::kIntegral, 8, kInt64, kUndefined, kInt64},
    {kFloat16, "float16", "f16", "Half", Group::kFloating, Category::kFloating, 2, kFloat16, kComplex32, kFloat32},
    {kFloat32, "float32", "f32", "Float", Group::kFloating, Category::kFloating, 4, kFloat32, kComplex64, kFloat32},
    {kFloat64, "float64", "f64", "Double", Group::kFloating, Category::kFloating, 8, kFloat64, kComplex128, kFloat64},
    {kComplex32, "complex32", "c32", "ComplexHalf", Group::kComplex, Category::kComplex, 4, kFloat16, kComplex32, kComplex64},
    {kComplex64, "complex64", "c64", "ComplexFloat", Group::kComplex, Category::kComplex, 8, kFloat32, kComplex64, kComplex64},
    {kComplex128, "complex128", "c128", "ComplexDouble", Group::kComplex, Category::kComplex, 16, kFloat64, kComplex128, kComplex128},
    {kBool, "bool", "b8", "Bool", Group::kBool, Category::kBool, 1, kBool, kUndefined, kBool},
    {kQInt8, "qint8", "qi8", "QInt8", Group::kQuantized, Category::kNone, 1, kQInt8, kUndefined, kQInt8},
    {kQUInt8, "quint8", "qu8", "QUInt8", Group::kQuantized, Category::kNone, 1, kQUInt8, kUndefined, kQUInt8},
    {kQInt32, "qint32", "qi32", "QInt32", Group::kQuantized, Category::kNone, 4, kQInt32, kUndefined, kQInt32},
    {kBFloat16, "bfloat16", "bf16", "BFloat16", Group::kFloating, Category::kFloating, 2, kBFloat16, kBComplex32, kFloat32},
    {kQUInt4x2, "quint4x2", "qu4x2", "QUInt4x2", Group::kQuantized, Category::kNone, 1, kQUInt4x2, kUndefined, kQUInt4x2},
    {kQUInt2x4, "quint2x4", "qu2x4", "QUInt2x4", Group::kQuantized, Category::kNone, 1, kQUInt2x4, kUndefined, kQUInt2x4},
    {kBits1x8, "bits1x8", "bits1x8", "Bits1x8", Group::kBits, Category::kNone, 1, kBits1x8, kUndefined, kBits1x8},
    {kBits2x4, "bits2x4", "bits2x4", "Bits2x4", Group::kBits, Category::kNone, 1, kBits2x4, kUndefined, kBits2x4},
    {kBits4x2, "bits4x2", "bits4x2", "Bits4x2", Group::kBits, Category::kNone, 1, kBits4x2, kUndefined, kBits4x2},
    {kBits8, "bits8", "bits8", "Bits8", Group::kBits, Category::kNone, 1, kBits8, kUndefined, kBits8},
    {kBits16, "bits16", "bits16", "Bits16", Group::kBits, Category::kNone, 2, kBits16, kUndefined, kBits16},
    {kFloat8E5M2, "float8_e5m2", "e5m2", "Float8_e5m2", Group::kFloat8, Category::kFloating, 1, kFloat8E5M2, kUndefined, kFloat32},
    {kFloat8E4M3FN, "float8_e4m3fn", "e4m3fn", "Float8_e4m3fn", Group::kFloat8, Category::kFloating, 1, kFloat8E4M3FN, kUndefined, kFloat32},
    {kFloat8E5M2FNUZ, "float8_e5m2fnuz", "e5m2fnuz", "Float8_e5m2fnuz", Group::kFloat8, Category::kFloating, 1, kFloat8E5M2FNUZ, kUndefined, kFloat32},
    {kFloat8E4M3FNUZ, "float8_e4m3fnuz", "e4m3fnuz", "Float8_e4m3fnuz", Group::kFloat8, Category::kFloating, 1, kFloat8E4M3FNUZ, kUndefined, kFloat32},
    {kUInt16, "uint16", "u16", "UInt16", Group::kBarebonesUnsigned, Category::kIntegral, 2, kUInt16, kUndefined, kUInt16},
    {kUInt32, "uint32", "u32", "UInt32", Group::kBarebonesUnsigned, Category::kIntegral, 4, kUInt32, kUndefined, kUInt32},
    {kUInt64, "uint64", "u64", "UInt64", Group::kBarebonesUnsigned, Category::kIntegral, 8, kUInt64, kUndefined, kUInt64},
    {kUInt1, "uint1", "u1", "UInt1", Group::kBarebonesUnsigned, Category::kNone, 1, kUInt1, kUndefined, kUInt1},
    {kUInt2, "uint2", "u2", "UInt2", Group::kBarebonesUnsigned, Category::kNone, 1, kUInt2, kUndefined, kUInt2},
    {kUInt3, "uint3", "u3", "UInt3", Group::kBarebonesUnsigned, Category::kNone, 1, kUInt3, kUndefined, kUInt3},
    {kUInt4, "uint4", "u4", "UInt4", Group::kBarebonesUnsigned, Category::kNone, 1, kUInt4, kUndefined, kUInt4},
    {kUInt5, "uint5", "u5", "UInt5", Group::kBarebonesUnsigned, Category::kNone, 1, kUInt5, kUndefined, kUInt5},
    {kUInt6, "uint6", "u6", "UInt6", Group::kBarebonesUnsigned, Category::kNone, 1, kUInt6, kUndefined, kUInt6},
    {kUInt7, "uint7", "u7", "UInt7", Group::kBarebonesUnsigned, Category::kNone, 1, kUInt7, kUndefined, kUInt7},
    {kInt1, "int1", "i1", "Int1", Group::kSubByteInteger, Category::kNone, 1, kInt1, kUndefined, kInt1},
    {kInt2, "int2", "i2", "Int2", Group::kSubByteInteger, Category::kNone, 1, kInt2, kUndefined, kInt2},
    {kInt3, "int3", "i3", "Int3", Group::kSubByteInteger, Category::kNone, 1, kInt3, kUndefined, kInt3},
    {kInt4, "int4", "i4", "Int4", Group::kSubByteInteger, Category::kNone, 1, kInt4, kUndefined, kInt4},
    {kInt5, "int5", "i5", "Int5", Group::kSubByteInteger, Category::kNone, 1, kInt5, kUndefined, kInt5},
    {kInt6, "int6", "i6", "Int6", Group::kSubByteInteger, Category::kNone, 1, kInt6, kUndefined, kInt6},
    {kInt7, "int7", "i7", "Int7", Group::kSubByteInteger, Category::kNone, 1, kInt7, kUndefined, kInt7},
    {kFloat8E8M0FNU, "float8_e8m0fnu", "e8m0fnu", "Float8_e8m0fnu", Group::kFloat8, Category::kFloating, 1, kFloat8E8M0FNU, kUndefined, kFloat32},
    {kFloat4E2M1FNx2, "float4_e2m1fn_x2", "e2m1fn_x2", "Float4_e2m1fn_x2", Group::kFloat4, Category::kFloating, 1, kFloat4E2M1FNx2, kUndefined, kFloat4E2M1FNx2},
    {kBComplex32, "bcomplex32", "bc32", "BComplex32", Group::kComplex, Category::kComplex, 4, kBFloat16, kBComplex32, kComplex64},
    {kUndefined, "undefined", "undefined", "Undefined", Group::kUndefined, Category::kNone, 0, kUndefined, kUndefined, kUndefined},
}};
// clang-format on

constexpr bool rows_are_in_code_order() {
  for (int i = 0; i < kDTypeCount; ++i)
    if (static_cast<int>(kDTypes[i].dtype) != i) return false;
  return true;
}
static_assert(rows_are_in_code_order(), "a dtype's code is its row");
}  // namespace internal

constexpr int code(DType dtype) { return static_cast<int>(dtype); }
constexpr DType dtype_from_code(int code) { return static_cast<DType>(code); }

constexpr const DTypeInfo& info(DType dtype) { return internal::kDTypes[code(dtype)]; }
constexpr std::string_view name(DType dtype) { return info(dtype).name; }
constexpr Category category(DType dtype) { return info(dtype).category; }
constexpr Group group(DType dtype) { return info(dtype).group; }
constexpr int itemsize(DType dtype) { return info(dtype).bytes; }  // bytes of one stored element

/// The dtype that a functor computes in (PyTorch: opmath). It is float32 for float16, bfloat16 and
/// float8, complex64 for complex32 and bcomplex32, and else the dtype itself.
constexpr DType compute_dtype(DType dtype) { return info(dtype).compute; }
/// The dtype of a complex dtype's parts, such as float32 for complex64. Other dtypes are returned
/// as they are.
constexpr DType to_real(DType dtype) { return info(dtype).real; }
/// The complex dtype with parts of this dtype, such as complex64 for float32; kUndefined if
/// LibTorch has none.
constexpr DType to_complex(DType dtype) { return info(dtype).complex; }

/// As c10::isFloatingType: true also for float8 and float4.
constexpr bool is_floating(DType dtype) { return category(dtype) == Category::kFloating; }
constexpr bool is_complex(DType dtype) { return category(dtype) == Category::kComplex; }
constexpr bool is_bool(DType dtype) { return dtype == DType::kBool; }
/// c10::isIntegralType(dtype, /*includeBool=*/false).
constexpr bool is_integral(DType dtype) { return category(dtype) == Category::kIntegral; }
/// Whether the dtype is int8, int16, int32 or int64.
constexpr bool is_signed(DType dtype) {
  return is_integral(dtype) && group(dtype) == Group::kInteger && dtype != DType::kUInt8;
}

constexpr std::string_view name(Category category) {
  constexpr std::array<std::string_view, 5> kNames{"none", "bool", "integral", "floating",
                                                   "complex"};
  return kNames[static_cast<int>(category)];
}

/// The code of the dtype with this name or short name; kDTypeCount if there is none.
constexpr int find_dtype_code(std::string_view text) {
  for (const DTypeInfo& row : internal::kDTypes)
    if (row.name == text || row.short_name == text) return code(row.dtype);
  return kDTypeCount;
}

}  // namespace upcast
