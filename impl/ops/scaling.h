// ldexp.
#pragma once

#include <algorithm>
#include <cmath>

#include "impl/core/cast.h"
#include "impl/iterator/compute_shape.h"
#include "impl/ops/composition.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"
#include "impl/ops/wrapped_tensor.h"

namespace upcast {

/// self * 2^other. A floating self with an integral other keeps its dtype and is rounded once. All
/// else is mul(self, pow(2, other)), whose 2 is a number for a float32 or integral self, and a
/// zero-dim tensor of the dtype of self for any other.
struct Ldexp {
  static constexpr OpSpec spec{
      .name = "ldexp",
      .overloads = {{{"ldexp.Tensor(Tensor self, Tensor other) -> Tensor", "ldexp_", "ldexp.out"}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kOwn,
      .accuracy = {{0.51F, 2.F}, {1.F, 2.F}, {0.51F, 2.F}, {0.51F, 11.F}, {0.51F, 11.F}},
      .note = "a floating self with an integral other: exact; else mul(self, pow(2, other))"};

  /// Of the exact form alone, which is judged as finely as self is.
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    const DType self = query.inputs[0].dtype;
    const DType out = query.out == DType::kUndefined ? self : query.out;
    if (kFloats.contains(self) && kIntegers.contains(query.inputs[1].dtype) && out == self)
      return Promoted{self, self};
    return Rejection{RejectionCode::kOther, "a composition of pow and mul"};
  }
  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    const Tensor self = operand_tensor(call.argument("self"));
    const Tensor other = operand_tensor(call.argument("other"));
    if (!self.defined() || !other.defined())
      return Rejection{RejectionCode::kUndefinedOperand, "an operand is undefined"};
    const DType out = call.form == Form::kOut ? call.out->dtype : self.dtype;
    const bool integral_exponent = is_integral(other.dtype) || is_bool(other.dtype);
    if (is_floating(self.dtype) && integral_exponent && out == self.dtype) {
      const Outcome<Tensor> scaled = scale(self, other);
      return scaled.ok() ? deliver(call, scaled.value()) : scaled.rejection();
    }
    Composition steps(call, caller);
    const bool number =
        is_integral(self.dtype) || is_bool(self.dtype) || self.dtype == DType::kFloat32;
    const Tensor power = number ? steps.call("pow.Scalar", Number(2.0), other)
                                : steps.call("pow.Tensor_Tensor", two(self.dtype), other);
    Outcome<CallResult> product = steps.finish(steps.call("mul.Tensor", self, power));
    return product.ok() ? deliver(call, product.value().tensor) : product;
  }

 private:
  static Tensor two(DType dtype) {
    Tensor tensor = make_tensor(dtype, {});
    const double value = 2;
    cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(&value), dtype, tensor.data(),
                  1);
    return tensor;
  }

  /// The elements of a tensor, broadcast to a shape, as another dtype.
  template <class T>
  static std::vector<T> elements(Tensor tensor, const Dims& shape, DType dtype) {
    tensor.strides = broadcast_strides(tensor.sizes, tensor.strides, shape);
    tensor.sizes = shape;
    const std::vector<std::byte> bytes = logical_bytes(tensor);
    std::vector<T> values(numel(shape));
    cast_elements(tensor.dtype, bytes.data(), dtype, reinterpret_cast<std::byte*>(values.data()),
                  numel(shape));
    return values;
  }

  static Outcome<Tensor> scale(const Tensor& self, const Tensor& other) {
    if (!kFloats.contains(self.dtype) || !kIntegers.contains(other.dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "no kernel for these dtypes"};
    Dims shape = self.sizes;
    if (!broadcast_into(shape, other.sizes))
      return Rejection{RejectionCode::kShapeMismatch, "the operands do not broadcast"};
    auto values = elements<double>(self, shape, DType::kFloat64);
    const auto exponents = elements<std::int64_t>(other, shape, DType::kInt64);
    constexpr std::int64_t kFar = 5000;  // beyond the whole range of float64
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = std::ldexp(values[i], static_cast<int>(std::clamp(exponents[i], -kFar, kFar)));
    Tensor result = make_tensor(self.dtype, shape);
    cast_elements(DType::kFloat64, reinterpret_cast<const std::byte*>(values.data()), self.dtype,
                  result.data(), numel(result.sizes));
    return result;
  }

  /// Hands the result over as the form of the call wants it.
  static Outcome<CallResult> deliver(const Call& call, const Tensor& result) {
    if (call.form == Form::kFunctional) return CallResult{.tensor = result};
    const bool in_place = call.form == Form::kInPlace;
    Tensor output = in_place ? call.argument("self").tensor : *call.out;
    if (!can_cast(result.dtype, output.dtype, *call.rules))
      return Rejection{RejectionCode::kResultCast, "the result cannot be cast to the out dtype"};
    if (output.sizes != result.sizes) {
      if (in_place) return Rejection{RejectionCode::kShapeMismatch, "the result does not fit self"};
      output = make_tensor(output.dtype, result.sizes);
    }
    const std::vector<std::byte> bytes = logical_bytes(result);
    std::vector<std::byte> cast(numel(result.sizes) * itemsize(output.dtype));
    cast_elements(result.dtype, bytes.data(), output.dtype, cast.data(), numel(result.sizes));
    scatter(cast, output);
    return CallResult{.tensor = output};
  }
};

using Scaling = OpFamily<Ldexp>;

}  // namespace upcast
