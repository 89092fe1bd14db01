// What is said once about an op: one OpSpec a struct. Grids, audit, fuzzing and report rows follow.
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

/// An argument that some implementation steps through, one by one: a degree, a distance from 0.
/// Between the bounds it answers at once; beyond them it takes seconds to years.
struct LoopBound {
  std::string_view parameter = "";  // "": none
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};
/// How many steps are no waste of time.
inline constexpr double kManySteps = 1e4;

/// What the grids and the generators give to an attribute, in the notation of cases: "None, 2.5".
struct Samples {
  std::string_view parameter{};
  std::string_view values{};  // several, boundary ones too; "": those of typing
  std::string_view typing{};  // one for each rule of typing; "": what fits the parameter's type
};
inline constexpr int kMaxSamples = 4;

/// How `upcast sweep` asks the op, and what the accuracy table (cases/accuracy.json) leaves out.
struct Sweep {
  std::string_view attributes = "";     // what it cannot be called without: "min=-1, max=1"
  bool slow = false;                    // its truth makes some 20,000 values a second
  std::string_view why_never = "";      // why no sweep can call it
  std::string_view why_no_sample = "";  // why random bits do not suit it
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
  /// Numbers are of the common dtype like every operand: it compares, selects or moves values, and
  /// computes nothing. So does each op whose result is bool.
  bool rounds_numbers = false;
  bool converts_first = false;    // operands are copied to the common dtype on every device
  std::string_view written = "";  // what the in-place form writes, where it is not operand 0
  ResultLayout layout = ResultLayout::kIterator;
  bool copies_integers = false;  // it is a copy of an integral self (ceil)
  bool checks_overlap = true;    // false: an output may share memory with anything (threshold)
  bool resizes_outputs = true;   // false: the output's shape is broadcast to (copy_)
  CpuScalars cpu_scalars = CpuScalars::kOne;  // of several operands; a lone one may not
  GpuScalars gpu_scalars{};
  std::string_view note = "";
  /// The parameter that selects elements: bool, it does not take part in promotion.
  std::string_view mask = "";
  /// The parameter that divides. Where integers are divided its zero is refused on a CPU and any
  /// value on a GPU, and x86 traps where it is -1 and the dividend the least integer.
  std::string_view divisor = "";
  bool traps_on_least_integer = false;  // int32 or int64, whatever the other operand is
  LoopBound loop{};
  /// A number may stand for any of its Tensor parameters, in each of its names and forms
  /// (python_arg_parser.cpp, should_allow_numbers_as_tensors).
  bool takes_numbers_as_tensors = false;
  /// Its layouts are enumerated in full: one op for each configuration of an iterator, and those
  /// whose result does not lie as their operands do.
  bool has_layouts_of_interest = false;
  std::array<Samples, kMaxSamples> samples{};
  Sweep sweep{};

  constexpr bool is_mask(std::string_view parameter) const { return parameter == mask; }
  constexpr bool is_divisor(std::string_view parameter) const { return parameter == divisor; }
  constexpr bool divides() const { return !divisor.empty(); }
  /// An operand that is looped over up to its value: the degree of a polynomial.
  constexpr bool is_loop_count(std::string_view parameter) const {
    return parameter == loop.parameter && loop.most < std::numeric_limits<double>::infinity() &&
           std::find(operands.begin(), operands.end(), parameter) != operands.end();
  }
  /// Steps from an argument below 0: special values and random bits take years.
  constexpr bool steps_from_below() const {
    return loop.least > -std::numeric_limits<double>::infinity();
  }
};

}  // namespace upcast
