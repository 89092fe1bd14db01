// The ops clamp, clamp_min and clamp_max.
#pragma once

#include <cmath>
#include <limits>

#include "impl/ops/selection.h"

namespace upcast {

/// clamp with tensors as bounds. A bound that is left out has no effect.
struct ClampTensor {
  static constexpr OpSpec spec{
      .name = "clamp",
      .overloads = {{{"clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
                      "clamp_.Tensor", "clamp.Tensor_out"},
                     {"clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
                      "clip_.Tensor", "clip.Tensor_out"}}},
      .operands = {"self", "min", "max"},
      .dtypes = kOrderable,
      .rounds_numbers = true,
      .cpu_scalars = CpuScalars::kNone,
      .gpu_scalars = {0, 0xff},
      .note = "NaN in any operand gives NaN; where min > max the result is max",
      .has_layouts_of_interest = true};

  template <class T>
  struct Params {
    bool has_min, has_max;
    Params(const Call& call, DType)
        : has_min(call.argument("min").tag != Argument::Tag::kAbsent),
          has_max(call.argument("max").tag != Argument::Tag::kAbsent) {}
  };

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    if (call.argument("min").tag == Argument::Tag::kAbsent &&
        call.argument("max").tag == Argument::Tag::kAbsent)
      return Rejection{RejectionCode::kBadAttribute, "clamp needs min or max"};
    return internal::refuse_complex(operands);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T low, T high, const Params<T>& params) const {
    // A missing bound is replaced by the value itself. A branch instead would prevent the loop from
    // vectorising.
    const T raised = internal::maximum(x, params.has_min ? low : x);
    return internal::minimum(raised, params.has_max ? high : raised);
  }
};

/// clamp with Scalars as bounds. A floating self keeps its dtype; any other self promotes with the
/// bounds.
struct ClampScalar {
  static constexpr OpSpec spec{
      .name = "clamp",
      .overloads = {{{"clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", "clamp_",
                      "clamp.out"},
                     {"clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", "clip_",
                      "clip.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kOwn,
      .dtypes = kBools | kIntegers | kUnsigned | kFloats | kFloat8s,
      .gpu_scalars = {0, 0xff},
      .note =
          "out has exactly the result dtype; a bound outside an integral range has no effect, or "
          "is refused if no value lies within; a NaN bound fills NaN, also in float8, which has no "
          "kernel for other bounds",
      .has_layouts_of_interest = true,
      .sweep = {.attributes = "min=-1, max=1"}};

  template <class T>
  struct Params {
    T min = kLowest, max = kHighest;  // a missing bound gets a value without effect
    bool fills_nan = false;           // whether a bound is NaN
    Params(const Call& call, [[maybe_unused]] DType common) {
      bool has_min = call.argument("min").tag == Argument::Tag::kNumber;
      bool has_max = call.argument("max").tag == Argument::Tag::kNumber;
      if constexpr (std::is_integral_v<T>) {
        has_min = has_min && !lies_below(call.number("min", 0), common);
        has_max = has_max && !lies_above(call.number("max", 0), common);
      }
      if (has_min) min = number_to<T>(call.number("min", 0));
      if (has_max) max = number_to<T>(call.number("max", 0));
      fills_nan = internal::is_nan(min) || internal::is_nan(max);
    }

   private:
    using Limits = std::numeric_limits<T>;
    static constexpr T kLowest = Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    static constexpr T kHighest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  };

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    if (call.argument("min").tag != Argument::Tag::kNumber &&
        call.argument("max").tag != Argument::Tag::kNumber)
      return Rejection{RejectionCode::kBadAttribute, "clamp needs min or max"};
    return internal::refuse_complex(operands);
  }
  static Outcome<Promoted> types(const Call& call, const TypesQuery& query) {
    DType common = query.inputs[0].dtype;
    if (!is_floating(common)) {
      std::array<TypedOperand, 3> operands{query.inputs[0]};
      for (int i = 0; const char* bound : {"min", "max"}) {
        const Argument& argument = call.argument(bound);
        ++i;
        if (argument.tag == Argument::Tag::kNumber)
          operands[i] = {argument.number.dtype(), Kind::kWrapped};
      }
      const DTypeResult found = result_type(operands, query.defaults, query.rules);
      if (!found.ok()) return to_outcome(found).rejection();
      common = found.dtype();
    }
    return exact_output(common, common, query.out);
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    bool fills_nan = false;
    for (const char* bound : {"min", "max"}) {
      const Argument& argument = call.argument(bound);
      if (argument.tag != Argument::Tag::kNumber) continue;
      // clamp of a floating self checks a complex bound by its value only. A bound without an
      // imaginary part counts as real.
      const bool by_value = is_floating(promoted.common) && call.schema->find("min") >= 0 &&
                            call.schema->find("max") >= 0;
      if (is_complex(argument.number.dtype()) &&
          (!by_value || !number_fits(argument.number, DType::kFloat64)))
        return Rejection{RejectionCode::kUnsupportedDType, "complex numbers have no order"};
      fills_nan = fills_nan || std::isnan(number_to<double>(argument.number));
    }
    if (fills_nan) return std::nullopt;  // a NaN bound makes the other bound irrelevant
    if (kFloat8s.contains(promoted.common))
      return Rejection{RejectionCode::kUnsupportedDType, "no float8 kernel"};
    for (const char* bound : {"min", "max"}) {
      const Argument& argument = call.argument(bound);
      if (argument.tag != Argument::Tag::kNumber) continue;
      if (is_floating(promoted.common) && !number_fits(argument.number, promoted.common))
        return Rejection{RejectionCode::kAttributeOverflow, "a bound does not fit the dtype"};
    }
    if (is_integral(promoted.common) && (lies_above(call.number("min", 0), promoted.common) ||
                                         lies_below(call.number("max", 0), promoted.common)))
      return Rejection{RejectionCode::kAttributeOverflow, "no value of the dtype is in bounds"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    // Each comparison compiles to one vector instruction, and keeps an x that is NaN.
    const T raised = x < params.min ? params.min : x;
    const T clamped = params.max < raised ? params.max : raised;
    return params.fills_nan && !internal::is_nan(x) ? params.min + params.max : clamped;
  }

 private:
  /// Whether a number lies below the range of an integral dtype, or above it.
  static bool lies_below(const Number& number, DType dtype) {
    const bool is_unsigned = dtype == DType::kUInt8 || kUnsigned.contains(dtype);
    return number_to<double>(number) < 0 && (is_unsigned || !number_fits(number, dtype));
  }
  static bool lies_above(const Number& number, DType dtype) {
    return number_to<double>(number) > 0 && !number_fits(number, dtype);
  }
};

struct ClampMinScalar : ClampScalar {
  static constexpr OpSpec spec{.name = "clamp_min",
                               .overloads = {{{"clamp_min(Tensor self, Scalar min) -> Tensor",
                                               "clamp_min_", "clamp_min.out"}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kOwn,
                               .dtypes = kBools | kIntegers | kUnsigned | kFloats | kFloat8s,
                               .gpu_scalars = {0, 0xff},
                               .note = "as clamp with one bound",
                               .samples = {{{"min", "-3, 0.5, 0, 300, nan, inf"}}},
                               .sweep = {.attributes = "min=3"}};
};

struct ClampMaxScalar : ClampScalar {
  static constexpr OpSpec spec{.name = "clamp_max",
                               .overloads = {{{"clamp_max(Tensor self, Scalar max) -> Tensor",
                                               "clamp_max_", "clamp_max.out"}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kOwn,
                               .dtypes = kBools | kIntegers | kUnsigned | kFloats | kFloat8s,
                               .gpu_scalars = {0, 0xff},
                               .note = "as clamp with one bound",
                               .samples = {{{"max", "2, 1.5, 0, -300, nan, -inf"}}},
                               .sweep = {.attributes = "max=3"}};
};

struct ClampMinTensor : Maximum {
  static constexpr OpSpec spec{
      .name = "clamp_min",
      .overloads = {{{"clamp_min.Tensor(Tensor self, Tensor min) -> Tensor", "clamp_min_.Tensor",
                      "clamp_min.Tensor_out"}}},
      .operands = {"self", "min"},
      .dtypes = kOrderable,
      .rounds_numbers = true,
      .gpu_scalars = {0, 0xff},
      .note = "maximum of both"};
};

struct ClampMaxTensor : Minimum {
  static constexpr OpSpec spec{
      .name = "clamp_max",
      .overloads = {{{"clamp_max.Tensor(Tensor self, Tensor max) -> Tensor", "clamp_max_.Tensor",
                      "clamp_max.Tensor_out"}}},
      .operands = {"self", "max"},
      .dtypes = kOrderable,
      .rounds_numbers = true,
      .gpu_scalars = {0, 0xff},
      .note = "minimum of both"};
};

using Clamp = OpFamily<ClampTensor, ClampScalar, ClampMinScalar, ClampMaxScalar, ClampMinTensor,
                       ClampMaxTensor>;

}  // namespace upcast
