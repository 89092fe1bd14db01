// OpSpec holds what the project knows of an op. It is written once; grids, audit, fuzzer and report
// read it.
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

/// One ATen overload: its functional schema, and the names of its in-place and out= forms; a name
/// is "" if the overload lacks that form. An in-place form with parameters of its own (polygamma_)
/// is a separate Overload, in which both `schema` and `in_place` name it.
struct Overload {
  std::string_view schema{};
  std::string_view in_place{};
  std::string_view out{};
  /// Whether LibTorch generates the out= form from the functional one. It then copies the result
  /// into out, which must have exactly the result dtype.
  bool generated_out = false;
};

/// The overloads of one op, including those of its aliases. Unused places at the end are empty.
using Overloads = std::array<Overload, 10>;

/// Error bounds in ulp of the result dtype (docs/numerics.md), one for each side. The judge allows
/// the sum of the bounds of the two sides that it compares. If all are 0, both sides must give the
/// same bits.
struct Bounds {
  float ours = 0;
  float libtorch = 0;  // bound of LibTorch's scalar paths: libtorch:cpu
  float native = 0;    // of LibTorch's vector paths, if larger (capability=native)
};

struct Accuracy {  // error bounds, for each dtype of the result
  Bounds float32{}, float64{};
  Bounds reduced{};  // bounds for float16, bfloat16, float8 dtypes, and complex dtypes of them
  Bounds complex64{}, complex128{};
  /// A value smaller than `scale` is judged in ulp of `scale`. If the terms of a formula cancel, as
  /// near a zero of a Bessel function, its error is absolute, not relative. 0 means that there is
  /// no such limit.
  double scale = 0;
  /// As `scale`, but only if a side is one of LibTorch's vector paths. The larger of the two then
  /// applies.
  double native_scale = 0;
};

inline constexpr Accuracy kExact{};
/// Error bounds of elementary functions. Ours computes float32 in float64, and float64 with glibc's
/// functions. LibTorch has glibc's or MKL VML's functions (at most 2 ulp; docs/accuracy.md). For
/// reduced dtypes, the float32 result is rounded once.
inline constexpr Accuracy kElementary{
    {0.51F, 2.F}, {1.F, 2.F}, {0.51F, 0.51F}, {0.51F, 4.F}, {0.51F, 4.F}};

inline constexpr int kMaxOperands = 3;

/// How a result that the op allocates is laid out in memory.
enum class ResultLayout : std::uint8_t {
  kIterator,                 // as TensorIterator derives it from the operands
  kContiguous,               // always row-major
  kComplexIsContiguous,      // row-major if a complex operand gives a real result (angle)
  kScalarFirstIsContiguous,  // row-major if the overload's first parameter is a Scalar (pow)
  kLikeFirstOperand,         // as a copy of operand 0, if that has the result's shape
  kResizedOutIsContiguous,   // row-major if an out= is resized
  kMemoryFormat,             // as the argument memory_format says
};

/// A parameter whose value some implementation uses as a number of loop steps, such as a degree.
/// For values between the bounds a call returns at once; beyond them it takes seconds to years.
struct LoopBound {
  std::string_view parameter = "";  // "": the op has no such parameter
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
};
/// A loop of at most this many steps takes no noticeable time.
inline constexpr double kManySteps = 1e4;

/// Values that the grids and the generators give to an attribute. They are written in the notation
/// of cases: "None, 2.5".
struct Samples {
  std::string_view parameter{};
  std::string_view values{};  // all values, boundary values included; "": those of `typing`
  std::string_view typing{};  // a value for each typing rule; "": one that fits the type
};
inline constexpr int kMaxSamples = 4;

/// How `upcast sweep` calls the op, and why cases/accuracy.json may lack it.
struct Sweep {
  std::string_view attributes = "";     // arguments for each call, such as "min=-1, max=1"
  bool slow = false;                    // whether the truth takes long: 20,000 values a second
  std::string_view why_never = "";      // why no sweep can call the op; "": it can
  std::string_view why_no_sample = "";  // why random bits do not suit the op; "": they do
};

struct OpSpec {
  std::string_view name;  // the op's name without an overload, such as "add"
  Overloads overloads{};
  std::array<std::string_view, kMaxOperands>
      operands{};  // the parameters that are elementwise operands
  PromotionKind promotion = PromotionKind::kDefault;
  DTypeSet dtypes{};  // the common dtypes for which the op has a kernel
  Accuracy accuracy = kExact;
  /// If bit i is set, operand i is converted directly to the compute type, not first to the common
  /// dtype (the condition of where).
  std::uint8_t unpromoted_operands = 0;
  /// Whether wrapped numbers are rounded to the common dtype, as operands are. True for ops that
  /// only compare, select or move values. Ops with a bool result always round them, without this
  /// flag.
  bool rounds_numbers = false;
  /// Whether the result is one of the promoted operands, bit for bit, so that nothing is computed
  /// with elements.
  bool moves_elements = false;
  bool converts_first = false;    // copies operands to the common dtype on each device
  std::string_view written = "";  // parameter that the in-place form writes; "": operand 0
  ResultLayout layout = ResultLayout::kIterator;
  bool copies_integers = false;  // whether an integral self is only copied (ceil)
  bool checks_overlap = true;    // false: an output may overlap other memory (threshold)
  bool resizes_outputs = true;   // false: operands broadcast to the output's shape (copy_)
  CpuScalars cpu_scalars = CpuScalars::kOne;  // no effect on an op with one operand
  GpuScalars gpu_scalars{};
  std::string_view note = "";
  /// The parameter that selects elements. It is a bool, and takes no part in promotion; "" if there
  /// is none.
  std::string_view mask = "";
  /// The parameter that is the divisor, or "". Integer division by 0 is refused on a CPU, and gives
  /// any value on a GPU. Division of the least integer by -1 traps on x86.
  std::string_view divisor = "";
  // Whether the op may trap if an operand is the least int32 or int64, whatever the other one is.
  bool traps_on_least_integer = false;
  LoopBound loop{};
  /// Whether a number may stand for any of the op's Tensor parameters, in every name and form
  /// (python_arg_parser.cpp, should_allow_numbers_as_tensors).
  bool takes_numbers_as_tensors = false;
  /// Whether the grid `layouts` enumerates all its layouts for the op. True for one op of each
  /// iterator configuration, and for ops whose result is laid out differently from their operands.
  bool has_layouts_of_interest = false;
  std::array<Samples, kMaxSamples> samples{};
  Sweep sweep{};

  constexpr bool promotes(std::size_t operand) const {
    return (unpromoted_operands >> operand & 1) == 0;
  }
  constexpr bool is_mask(std::string_view parameter) const { return parameter == mask; }
  constexpr bool is_divisor(std::string_view parameter) const { return parameter == divisor; }
  constexpr bool divides() const { return !divisor.empty(); }
  /// Whether the parameter is an operand that gives a number of loop steps, such as the degree of a
  /// polynomial.
  constexpr bool is_loop_count(std::string_view parameter) const {
    return parameter == loop.parameter && loop.most < std::numeric_limits<double>::infinity() &&
           std::find(operands.begin(), operands.end(), parameter) != operands.end();
  }
  /// Whether an implementation steps upward from arguments below 0. If so, special values and
  /// random bits would take years.
  constexpr bool steps_from_below() const {
    return loop.least > -std::numeric_limits<double>::infinity();
  }
};

}  // namespace upcast
