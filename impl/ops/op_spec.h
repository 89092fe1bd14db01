// What is said once about an op: one OpSpec a struct. Grids, audit, fuzzing and report rows follow.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "impl/core/device.h"
#include "impl/core/dtype_set.h"
#include "impl/promotion/promotion_kind.h"

namespace upcast {

enum class Form : std::uint8_t { kFunctional, kInPlace, kOut };

constexpr std::string_view name(Form form) {
  constexpr std::array<std::string_view, 3> kNames{"functional", "in_place", "out"};
  return kNames[static_cast<int>(form)];
}

/// One ATen overload: its functional schema, and the names of its in-place and out= forms
/// ("" where it has none). A schema that is the in-place form itself, with parameters of its own
/// (polygamma_), has the in-place name in both places.
struct Overload {
  std::string_view schema{};
  std::string_view in_place{};
  std::string_view out{};
  /// LibTorch generates the out= form from the functional one: it copies into an out that must
  /// have the result dtype.
  bool generated_out = false;
};

/// Those of one row; the names of aliases too. Unused ones at the end are empty.
using Overloads = std::array<Overload, 10>;

/// Error bounds in ulp of the result dtype (docs/numerics.md), one for each side. The judge allows
/// the sum of the two that it compares. All 0: bit for bit.
struct Bounds {
  float ours = 0;
  float libtorch = 0;  // its scalar paths: libtorch:cpu
  float native = 0;    // its vector paths, where they are worse: libtorch:cpu?capability=native
};

struct Accuracy {
  Bounds float32{}, float64{};
  Bounds reduced{};  // float16, bfloat16, the float8 dtypes, and the complex ones of them
  Bounds complex64{}, complex128{};
  /// Values below it are measured in ulp of it: a formula whose terms cancel (near a zero of a
  /// Bessel function, of a polynomial) has an error that is absolute there. 0: always relative.
  double scale = 0;
  /// As scale, beside LibTorch's vector paths.
  double native_scale = 0;
};

inline constexpr Accuracy kExact{};
/// Ours: computed in float64 for float32, by glibc for float64. LibTorch: glibc, or MKL's VML
/// (at most 2 ulp measured; docs/accuracy.md). Reduced: float32, rounded once.
inline constexpr Accuracy kElementary{
    {0.51F, 2.F}, {1.F, 2.F}, {0.51F, 0.51F}, {0.51F, 4.F}, {0.51F, 4.F}};

inline constexpr int kMaxOperands = 3;

/// How a result that the op allocates lies in memory.
enum class ResultLayout : std::uint8_t {
  kIterator,                 // as TensorIterator propagates the operands' layouts
  kContiguous,               // row-major, whatever the operands are
  kComplexIsContiguous,      // row-major for a complex operand and a real result (angle)
  kScalarFirstIsContiguous,  // row-major in an overload whose first parameter is a Scalar (pow)
  kLikeFirstOperand,         // as a copy of operand 0, where that has the result's shape
  kResizedOutIsContiguous,   // row-major for an out= that is resized
  kMemoryFormat,             // what the argument memory_format says
};

struct OpSpec {
  std::string_view name;  // without overload: "add"
  Overloads overloads{};
  std::array<std::string_view, kMaxOperands>
      operands{};  // parameters that are elementwise operands
  PromotionKind promotion = PromotionKind::kDefault;
  DTypeSet dtypes{};  // common dtypes that have a kernel
  Accuracy accuracy = kExact;
  /// Bit i: operand i is converted straight to the compute type, not to the common dtype (the
  /// condition of where).
  std::uint8_t unpromoted_operands = 0;
  bool converts_first = false;    // operands are copied to the common dtype on every device
  std::string_view written = "";  // what the in-place form writes, where it is not operand 0
  ResultLayout layout = ResultLayout::kIterator;
  bool checks_overlap = true;   // false: an output may share memory with anything (threshold)
  bool resizes_outputs = true;  // false: the output's shape is broadcast to (copy_)
  CpuScalars cpu_scalars = CpuScalars::kOne;  // of several operands; a lone one may not
  GpuScalars gpu_scalars{};
  std::string_view note = "";
};

}  // namespace upcast
