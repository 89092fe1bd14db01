// The ops where, masked_fill, maximum, minimum, fmax, fmin, nextafter, nan_to_num and heaviside.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "impl/iterator/check_overlap.h"
#include "impl/ops/composition.h"
#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"
#include "impl/ops/wrapped_tensor.h"
#include "impl/tensor/memory_format.h"
#include "impl/tensor/overlap.h"

namespace upcast {

inline constexpr DTypeSet kOrderable = kBools | kIntegers | kUnsigned | kFloats;

namespace internal {

template <class T>
UPCAST_HOST_DEVICE bool is_nan(T x) {
  return !(x == x);
}

/// The larger of two values. It is NaN if either is NaN, and the first of two equal zeros.
template <class T>
UPCAST_HOST_DEVICE T maximum(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : a < b ? b : a;
}
template <class T>
UPCAST_HOST_DEVICE T minimum(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : b < a ? b : a;
}

/// The element of a zero-dim tensor, as a number; 0 on the meta device, which has no elements.
inline Number number_of(const Tensor& given) {
  const Tensor tensor = copy_to(given, host_memory());
  Number number;
  if (tensor.device == Device::kMeta) return number;
  for_each_element(AllElements{}, [&](auto row) {
    if (row.dtype != tensor.dtype) return;
    const auto element = *reinterpret_cast<const typename decltype(row)::type*>(tensor.data());
    if (is_bool(row.dtype))
      number = Number(convert<bool>(element));
    else if (row.dtype == DType::kUInt64)
      number = Number(convert<std::uint64_t>(element));
    else if (is_integral(row.dtype))
      number = Number(convert<std::int64_t>(element));
    else if (is_complex(row.dtype))
      number = Number(convert<Complex<double>>(element));
    else
      number = Number(convert<double>(element));
  });
  return number;
}

inline std::optional<Rejection> refuse_complex(std::span<const TypedOperand> operands) {
  for (const TypedOperand& operand : operands)
    if (is_complex(operand.dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "complex numbers have no order"};
  return std::nullopt;
}

}  // namespace internal

struct Maximum {
  static constexpr OpSpec spec{
      .name = "maximum",
      .overloads = {{{"maximum(Tensor self, Tensor other) -> Tensor", "", "maximum.out"},
                     {"max.other(Tensor self, Tensor other) -> Tensor", "", "max.out"}}},
      .operands = kSelfOther,
      .dtypes = kOrderable,
      .rounds_numbers = true};
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_complex(operands);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return internal::maximum(a, b);
  }
};

struct Minimum {
  static constexpr OpSpec spec{
      .name = "minimum",
      .overloads = {{{"minimum(Tensor self, Tensor other) -> Tensor", "", "minimum.out"},
                     {"min.other(Tensor self, Tensor other) -> Tensor", "", "min.out"}}},
      .operands = kSelfOther,
      .dtypes = kOrderable,
      .rounds_numbers = true};
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_complex(operands);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return internal::minimum(a, b);
  }
};

struct Fmax {
  static constexpr OpSpec spec{
      .name = "fmax",
      .overloads = {{{"fmax(Tensor self, Tensor other) -> Tensor", "", "fmax.out"}}},
      .operands = kSelfOther,
      .dtypes = kOrderable,
      .rounds_numbers = true,
      .note = "ignores NaN; of two equal zeros the first"};
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_complex(operands);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return internal::is_nan(a) ? b : internal::is_nan(b) ? a : a < b ? b : a;
  }
};

struct Fmin {
  static constexpr OpSpec spec{
      .name = "fmin",
      .overloads = {{{"fmin(Tensor self, Tensor other) -> Tensor", "", "fmin.out"}}},
      .operands = kSelfOther,
      .dtypes = kOrderable,
      .rounds_numbers = true};
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_complex(operands);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return internal::is_nan(a) ? b : internal::is_nan(b) ? a : b < a ? b : a;
  }
};

/// The op nextafter, which steps in the common dtype. float16 and bfloat16 step through their own
/// codes.
struct NextAfter {
  static constexpr OpSpec spec{.name = "nextafter",
                               .overloads = {{{"nextafter(Tensor self, Tensor other) -> Tensor",
                                               "nextafter_", "nextafter.out"}}},
                               .operands = kSelfOther,
                               .dtypes = kFloats,
                               .rounds_numbers = true,
                               .gpu_scalars = kNoGpuScalars};

  template <class T>
  struct Params {
    DType common;
    Params(const Call&, DType dtype) : common(dtype) {}
  };

  template <class T>
  UPCAST_HOST_DEVICE T operator()(T from, T to, const Params<T>& params) const {
    if constexpr (std::is_same_v<T, float>) {
      if (params.common == DType::kFloat16) return step<Half>(from, to);
      if (params.common == DType::kBFloat16) return step<BFloat16>(from, to);
    }
    return std::nextafter(from, to);
  }

 private:
  template <class F>
  UPCAST_HOST_DEVICE static float step(float from, float to) {
    if (std::isnan(from) || std::isnan(to)) return from + to;
    if (from == to) return to;
    if (from == 0) return std::copysign(static_cast<float>(F::from_bits(1)), to);
    const auto bits = F(static_cast<double>(from)).bits;
    const bool away = (from < to) == (from > 0);
    return static_cast<float>(
        F::from_bits(static_cast<decltype(F::bits)>(away ? bits + 1 : bits - 1)));
  }
};

/// The op where: the condition chooses between self and other, which promote by result_type.
struct Where {
  static constexpr OpSpec spec{
      .name = "where",
      .overloads =
          {{{"where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", "",
             "where.self_out"},
            {"where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor", "", ""},
            {"where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor", "", ""},
            {"where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", "", ""}}},
      .operands = {"condition", "self", "other"},
      .promotion = PromotionKind::kOwn,
      .dtypes = kElementwise,
      .unpromoted_operands = 1,
      .rounds_numbers = true,
      .moves_elements = true,
      .cpu_scalars = CpuScalars::kAny,
      .note = "out has exactly the result dtype; the condition is bool, or uint8 with a warning",
      .mask = "condition",
      .has_layouts_of_interest = true};

  /// Whether the call is a composition. It is if the condition is uint8, which is first copied to
  /// bool. The strides of that copy count, and out may overlap the condition.
  static bool composes(const Call& call) {
    return call.argument("condition").tensor.dtype == DType::kUInt8;
  }
  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    const Tensor& given = call.argument("condition").tensor;
    const Tensor like{.dtype = DType::kBool,
                      .sizes = given.sizes,
                      .strides = preserved_strides(given.sizes, given.strides),
                      .device = given.device};
    Composition steps(call, caller);
    const Tensor condition = steps.call("copy", like, given);
    if (!condition.defined()) return steps.finish(condition);
    std::vector<Argument> arguments(call.arguments.begin(), call.arguments.end());
    arguments[0].tensor = condition;
    return caller(call.form == Form::kOut ? "where.self_out" : call.schema->callable, arguments,
                  call);
  }
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    if (operands[0].dtype != DType::kBool && operands[0].dtype != DType::kUInt8)
      return Rejection{RejectionCode::kUnsupportedDType, "the condition of where is bool"};
    return std::nullopt;
  }
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    const auto common =
        to_outcome(result_type(query.inputs.subspan(1), query.defaults, query.rules));
    if (!common.ok()) return common.rejection();
    return exact_output(common.value(), common.value(), query.out);
  }
  /// Refuses a Scalar of where that the result dtype cannot hold. float16, bfloat16 and float8
  /// round it instead.
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    if (is_floating(promoted.common) && !kFullFloats.contains(promoted.common)) return std::nullopt;
    for (const char* name : {"self", "other"}) {
      const int position = call.schema->find(name);
      if (call.schema->parameters[position].type == ParameterType::kScalar &&
          !number_fits(call.arguments[position].number, promoted.common))
        return Rejection{RejectionCode::kAttributeOverflow, "a number does not fit the dtype"};
    }
    return std::nullopt;
  }
  template <class C, class T>
  UPCAST_HOST_DEVICE T operator()(C condition, T a, T b) const {
    return convert<bool>(condition) ? a : b;
  }
};

/// The op masked_fill with a number: elements of self become that number where mask is true.
struct MaskedFillScalar {
  static constexpr OpSpec spec{
      .name = "masked_fill",
      .overloads = {{{"masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
                      "masked_fill_.Scalar", "masked_fill.Scalar_out", true}}},
      .operands = {"self", "mask", "value"},
      .promotion = PromotionKind::kOwn,
      .dtypes = kBools | kIntegers | kFloats | kComplexes,
      .unpromoted_operands = 2,
      .rounds_numbers = true,
      .moves_elements = true,
      .layout = ResultLayout::kContiguous,
      .checks_overlap = false,
      .gpu_scalars = kNoGpuScalars,
      .note = "the result has the dtype of self, which must hold the number; the mask is bool",
      .mask = "mask",
      .has_layouts_of_interest = true};

  /// Refuses a mask that is not bool, and in place a mask that overlaps self. self may overlap
  /// itself.
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    if (!is_bool(operands[1].dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "the mask must be bool"};
    const Argument &self = call.argument("self"), &mask = call.argument("mask");
    return call.form == Form::kInPlace ? check_pair(self.tensor, mask.tensor) : std::nullopt;
  }
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    return exact_output(query.inputs[0].dtype, query.inputs[0].dtype, query.out);
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    if (!number_fits(call.number("value", 0), promoted.common))
      return Rejection{RejectionCode::kAttributeOverflow, "value does not fit the dtype of self"};
    return std::nullopt;
  }
  template <class C, class T>
  UPCAST_HOST_DEVICE T operator()(T x, C mask, T value) const {
    return convert<bool>(mask) ? value : x;
  }
};

/// The op masked_fill with a zero-dim tensor, whose element is read as a number.
struct MaskedFillTensor {
  static constexpr OpSpec spec{
      .name = "masked_fill",
      .overloads = {{{"masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
                      "masked_fill_.Tensor", ""}}},
      .operands = {"self", "mask", "value"},
      .promotion = PromotionKind::kOwn,
      .note = "value is zero-dim, and read as a number",
      .mask = "mask",
      .has_layouts_of_interest = true};

  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    if (query.inputs[2].kind == Kind::kDim)
      return Rejection{RejectionCode::kShapeMismatch, "value must be zero-dim"};
    return exact_output(query.inputs[0].dtype, query.inputs[0].dtype, query.out);
  }
  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    const Tensor value = operand_tensor(call.argument("value"));
    if (!value.defined())
      return Rejection{RejectionCode::kUndefinedOperand, "an operand is undefined"};
    if (!value.sizes.empty())
      return Rejection{RejectionCode::kShapeMismatch, "value must be zero-dim"};
    if (value.device != Device::kCpu && value.device != call.argument("self").tensor.device)
      return Rejection{RejectionCode::kDeviceMismatch, "value is on another device than self"};
    Composition steps(call, caller);
    return steps.finish(
        steps.call(call.form == Form::kInPlace ? "masked_fill_.Scalar" : "masked_fill.Scalar",
                   call.argument("self"), call.argument("mask"), internal::number_of(value)));
  }
};

/// The op nan_to_num. NaN and the infinities become 0 and the limits of the dtype, or the numbers
/// that the call gives.
struct NanToNum {
  static constexpr OpSpec spec{
      .name = "nan_to_num",
      .overloads = unary("nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? "
                         "neginf=None) -> Tensor",
                         "nan_to_num_", "nan_to_num.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kBools | kIntegers | kUnsigned | kFloats | kFullComplex,
      .note = "integers are copied; complex part by part; a number beyond the dtype is infinite",
      .samples = {
          {{"nan", "None, 0.5, 1e30"}, {"posinf", "None, 0.5, 1e30"}, {"neginf", "None, -0.5"}}}};

  /// Whether the call is only a copy: integers are copied into the output. An output that is
  /// resized becomes row-major. If the output is self, nothing is written, and overlap is not
  /// checked.
  static bool composes(const Call& call) {
    const Argument& self = call.argument("self");
    return self.tag == Argument::Tag::kTensor && call.form != Form::kFunctional &&
           (is_integral(self.tensor.dtype) || is_bool(self.tensor.dtype));
  }
  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    const Tensor& self = call.argument("self").tensor;
    if (call.form == Form::kInPlace || is_same_tensor(self, *call.out))
      return CallResult{.tensor = self};
    if (call.out->dtype != self.dtype)
      return Rejection{RejectionCode::kDTypeMismatch, "out must have exactly the result dtype"};
    Composition steps(call, caller);
    if (call.out->sizes == self.sizes) return steps.finish(steps.call("copy_", *call.out, self));
    if (const auto refused = check_copy(resized(*call.out, self.sizes), self)) return *refused;
    const Argument format{.tag = Argument::Tag::kText, .text = "contiguous_format"};
    return steps.finish(steps.call("clone", self, format));
  }
  template <class T>
  struct Params {
    RealOf<T> nan{}, posinf{}, neginf{};
    Params(const Call& call, DType common) {
      if constexpr (!std::is_integral_v<T>) {
        const DType real = to_real(common);
        const double limit = largest_finite(real);
        nan = rounded(call.number("nan", 0.0), real);
        posinf = rounded(call.number("posinf", limit), real);
        neginf = rounded(call.number("neginf", -limit), real);
      }
    }

   private:
    static RealOf<T> rounded(const Number& number, DType dtype) {
      const double value = number_to<double>(number);
      if (dtype == DType::kFloat16) return convert<RealOf<T>>(convert<Half>(value));
      if (dtype == DType::kBFloat16) return convert<RealOf<T>>(convert<BFloat16>(value));
      return static_cast<RealOf<T>>(value);
    }
  };

  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    if constexpr (std::is_integral_v<T>)
      return x;
    else if constexpr (kIsComplex<T>)
      return {finite(x.re, params), finite(x.im, params)};
    else
      return finite(x, params);
  }

 private:
  template <class R, class P>
  UPCAST_HOST_DEVICE static R finite(R x, const P& params) {
    constexpr R kInfinity = std::numeric_limits<R>::infinity();
    return internal::is_nan(x) ? params.nan
           : x == kInfinity    ? params.posinf
           : x == -kInfinity   ? params.neginf
                               : x;
  }
};

/// The op heaviside: 0 for negative numbers, `values` at zero, 1 for positive numbers, and 0 for
/// NaN.
struct Heaviside {
  static constexpr OpSpec spec{.name = "heaviside",
                               .overloads = {{{"heaviside(Tensor self, Tensor values) -> Tensor",
                                               "heaviside_", "heaviside.out"}}},
                               .operands = {"self", "values"},
                               .dtypes = kBools | kIntegers | kFloats,
                               .note = "all operands and out must have one dtype"};
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    if (operands[0].dtype != operands[1].dtype ||
        (call.form == Form::kOut && call.out->dtype != operands[0].dtype))
      return Rejection{RejectionCode::kDTypeMismatch, "all operands must have one dtype"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T at_zero) const {
    return x == T(0) ? at_zero : T(x > T(0));
  }
};

using Selection = OpFamily<Maximum, Minimum, Fmax, Fmin, NextAfter, Where, MaskedFillScalar,
                           MaskedFillTensor, NanToNum, Heaviside>;

}  // namespace upcast
