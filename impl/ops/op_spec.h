// OpSpec: what the project knows of an op. It is written once; grids, audit, fuzzer and report read
// it.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
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

/// One ATen overload: its functional schema, and the names of its in-place and out= forms ("" where
/// it has none). An in-place form with parameters of its own (polygamma_) is an Overload by itself:
/// `schema` and `in_place` both name it.
struct Overload {
  std::string_view schema{};
  std::string_view in_place{};
  std::string_view out{};
  /// LibTorch generates the out= form from the functional one: it copies into an out that must
  /// have the result dtype.
  bool generated_out = false;
};

/// The overloads of one op, those of its aliases too. Unused places at the end are empty.
using Overloads = std::array<Overload, 10>;

/// Error bounds in ulp of the result dtype (docs/numerics.md), one for each side. The judge allows
/// the sum of the two that it compares. All 0: bit for bit.
struct Bounds {
  float ours = 0;
  float libtorch = 0;  // its scalar paths: libtorch:cpu
  float native = 0;    // its vector paths, where they are worse (capability=native)
};

struct Accuracy {  // error bounds, by the dtype of the result
  Bounds float32{}, float64{};
  Bounds reduced{};  // float16, bfloat16, the float8 dtypes, and complex dtypes of them
  Bounds complex64{}, complex128{};
  /// A value smaller than `scale` is judged in ulp of `scale`: where the terms of a formula cancel,
  /// as near a zero of a Bessel function, its error is absolute. 0: there is no such limit.
  double scale = 0;
  /// As `scale`, where a side is one of LibTorch's vector paths. The larger of the two counts.
  double native_scale = 0;
};

inline constexpr Accuracy kExact{};
/// Elementary functions. Ours computes float32 in float64; float64 is glibc's. LibTorch has glibc's
/// or MKL VML's (at most 2 ulp; docs/accuracy.md). Reduced dtypes round float32 once.
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

/// A parameter whose value is a number of loop steps in some implementation, such as a degree.
/// Between the bounds a call returns at once; beyond them it takes seconds to years.
struct LoopBound {
  std::string_view parameter = "";  // "": none
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};
/// A loop of so many steps takes no noticeable time.
inline constexpr double kManySteps = 1e4;

/// Values that the grids and the generators give to an attribute, in the notation of cases: "None,
/// 2.5".
struct Samples {
  std::string_view parameter{};
  std::string_view values{};  // values, boundary ones too; "": those of `typing`
  std::string_view typing{};  // one for each rule of typing; "": one that fits the type
};
inline constexpr int kMaxSamples = 4;

/// How `upcast sweep` asks the op, and what the accuracy table (cases/accuracy.json) leaves out.
struct Sweep {
  std::string_view attributes = "";     // arguments that each call needs: "min=-1, max=1"
  bool slow = false;                    // its truth makes only some 20,000 values a second
  std::string_view why_never = "";      // why no sweep can call the op
  std::string_view why_no_sample = "";  // why random bits do not suit the op
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
  /// Wrapped numbers are rounded to the common dtype, as operands are: the op only compares,
  /// selects or moves values. Ops with a bool result round them too, without this flag.
  bool rounds_numbers = false;
  /// The result is one of the promoted operands, bit for bit: elements are not computed with.
  bool moves_elements = false;
  bool converts_first = false;    // operands are copied to the common dtype on every device
  std::string_view written = "";  // the parameter that the in-place form writes; "": operand 0
  ResultLayout layout = ResultLayout::kIterator;
  bool copies_integers = false;  // an integral self is copied (ceil)
  bool checks_overlap = true;    // false: an output may share memory with anything (threshold)
  bool resizes_outputs = true;   // false: the output's shape is broadcast to (copy_)
  CpuScalars cpu_scalars = CpuScalars::kOne;  // not for an op of one operand
  GpuScalars gpu_scalars{};
  std::string_view note = "";
  /// The parameter that selects elements: bool, it does not take part in promotion.
  std::string_view mask = "";
  /// The parameter that divides. When integers are divided, a CPU refuses 0, a GPU gives any value
  /// for it, and x86 traps at -1 where the dividend is the least integer.
  std::string_view divisor = "";
  bool traps_on_least_integer = false;  // int32 or int64, by whatever it is divided
  LoopBound loop{};
  /// A number may stand for any of its Tensor parameters, in each of its names and forms
  /// (python_arg_parser.cpp, should_allow_numbers_as_tensors).
  bool takes_numbers_as_tensors = false;
  /// Whether the grid `layouts` has all its layouts for the op. True for one op of each iterator
  /// configuration, and for ops whose result has another layout than their operands.
  bool has_layouts_of_interest = false;
  std::array<Samples, kMaxSamples> samples{};
  Sweep sweep{};

  constexpr bool promotes(std::size_t operand) const {
    return (unpromoted_operands >> operand & 1) == 0;
  }
  constexpr bool is_mask(std::string_view parameter) const { return parameter == mask; }
  constexpr bool is_divisor(std::string_view parameter) const { return parameter == divisor; }
  constexpr bool divides() const { return !divisor.empty(); }
  /// Whether the parameter is an operand that gives a number of steps: the degree of a polynomial.
  constexpr bool is_loop_count(std::string_view parameter) const {
    return parameter == loop.parameter && loop.most < std::numeric_limits<double>::infinity() &&
           std::find(operands.begin(), operands.end(), parameter) != operands.end();
  }
  /// Whether an implementation steps up through arguments below 0. Special values and random bits
  /// would then take years.
  constexpr bool steps_from_below() const {
    return loop.least > -std::numeric_limits<double>::infinity();
  }
};

}  // namespace upcast
