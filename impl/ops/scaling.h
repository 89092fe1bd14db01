// ldexp.
#pragma once

#include <cmath>
#include <concepts>

#include "impl/core/cast.h"
#include "impl/math/branchless.h"
#include "impl/ops/composition.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"
#include "impl/ops/wrapped_tensor.h"

namespace upcast {

/// The op ldexp: self * 2^other. A floating self with an integral other keeps its dtype, and the
/// result is rounded once. All other calls are mul(self, pow(2, other)). The 2 is a number if self
/// is float32 or integral; otherwise it is a zero-dim tensor of self's dtype.
struct Ldexp {
  static constexpr OpSpec spec{
      .name = "ldexp",
      .overloads = {{{"ldexp.Tensor(Tensor self, Tensor other) -> Tensor", "ldexp_", "ldexp.out"}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kOwn,
      .dtypes = kFloats,
      .accuracy = {{0.51F, 2.F}, {1.F, 2.F}, {0.51F, 2.F}, {0.51F, 11.F}, {0.51F, 11.F}},
      .unpromoted_operands = 2,
      .layout = ResultLayout::kLikeFirstOperand,
      .note =
          "a floating self with an integral or bool other: exact; else mul(self, pow(2, other))",
      .has_layouts_of_interest = true,
      .sweep = {.why_no_sample = "a composition where an operand is floating"}};

  /// The dtypes of a call that rounds once. Its accuracy is that of self's dtype.
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    const DType self = query.inputs[0].dtype;
    const DType out = query.out == DType::kUndefined ? self : query.out;
    if (kFloats.contains(self) && (kIntegers | kBools).contains(query.inputs[1].dtype) &&
        out == self)
      return Promoted{self, self};
    return Rejection{RejectionCode::kOther, "a composition of pow and mul"};
  }
  /// Whether a call is a composition: true for all calls that do not round once, and on the meta
  /// device, which has no kernel that does.
  static bool composes(const Call& call) {
    for (const Argument& argument : call.arguments)
      if (argument.tensor.device == Device::kMeta) return true;
    const DType self = operand_dtype(call.argument("self"));
    const DType other = operand_dtype(call.argument("other"));
    const DType out = call.form == Form::kOut ? call.out->dtype : self;
    return !is_floating(self) || out != self || !(is_integral(other) || is_bool(other));
  }
  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    const Tensor self = operand_tensor(call.argument("self"));
    const Tensor other = operand_tensor(call.argument("other"));
    if (!self.defined() || !other.defined())
      return Rejection{RejectionCode::kUndefinedOperand, "an operand is undefined"};
    Composition steps(call, caller);
    const bool number =
        is_integral(self.dtype) || is_bool(self.dtype) || self.dtype == DType::kFloat32;
    const Tensor power = number ? steps.call("pow.Scalar", Number(2.0), other)
                                : steps.call("pow.Tensor_Tensor", two(self.dtype), other);
    const std::string_view product = call.form == Form::kFunctional ? "mul.Tensor"
                                     : call.form == Form::kInPlace  ? "mul_.Tensor"
                                                                    : "mul.out";
    return steps.finish(steps.call(product, self, power));
  }

  /// The functor of calls that round once. An exponent beyond the limit, 800 for float32 and kFar
  /// for float64, takes every value out of its dtype's range.
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T exponent) const {
    if constexpr (std::is_same_v<T, float>)
      return static_cast<float>(product(x, branchless::clamp(exponent, -800, 800)));
    constexpr T kFar = 5000;
    const T bounded = exponent > kFar ? kFar : exponent < -kFar ? -kFar : exponent;
    return static_cast<T>(std::ldexp(static_cast<double>(x), static_cast<int>(bounded)));
  }
  template <std::same_as<double> T>
  static T mostly(T x, T exponent) {
    return product(x, branchless::clamp(exponent, -1000, 1000));
  }
  /// Whether the product was exact: its exponent was not cut off, and it is a normal number.
  template <std::same_as<double> T>
  static bool is_right(T, T exponent, T found) {
    const double size = branchless::magnitude(found);
    return (branchless::magnitude(exponent) <= 1000) & (size > 0x1p-1000) & (size < 0x1p1000);
  }

 private:
  /// x 2^exponent for integral exponents from -1000 to 1000.
  UPCAST_HOST_DEVICE static double product(double x, double exponent) {
    return x * branchless::power_of_two(branchless::kRounder + exponent);
  }
  static Tensor two(DType dtype) {
    Tensor tensor = make_tensor(dtype, {});
    const double value = 2;
    cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&value), dtype, tensor.data(),
                  1);
    return tensor;
  }
};

using Scaling = OpFamily<Ldexp>;

}  // namespace upcast
