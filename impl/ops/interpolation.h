// The ops addcmul, addcdiv and lerp.
#pragma once

#include <cmath>

#include "impl/math/wrapping.h"
#include "impl/ops/arithmetic.h"
#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"

namespace upcast {

struct AddCMul {
  static constexpr OpSpec spec{
      .name = "addcmul",
      .overloads = {{{"addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> "
                      "Tensor",
                      "addcmul_", "addcmul.out"}}},
      .operands = {"self", "tensor1", "tensor2"},
      .dtypes = kIntegers | kFloats | kComplexHalf | kFullComplex,
      .gpu_scalars = {0b100, 0b100},
      .note = "self + (value * tensor1) * tensor2, left to right",
      .has_layouts_of_interest = true,
      .samples = {{{"value", "1, 2, 2.5, -1, 0"}}}};

  template <class T>
  struct Params {
    T value;
    Params(const Call& call, DType) : value(number_to<T>(call.number("value", 1))) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    // The kernels of float16 and bfloat16 hold `value` in float32.
    const bool reduced = kReducedFloats.contains(promoted.common);
    if (!number_fits(call.number("value", 1), reduced ? DType::kFloat32 : promoted.common))
      return Rejection{RejectionCode::kAttributeOverflow, "value does not fit the common dtype"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T self, T a, T b, const Params<T>& params) const {
    return wrapping_add(self, wrapping_mul(wrapping_mul(params.value, a), b));
  }
};

struct AddCDiv {
  static constexpr OpSpec spec{
      .name = "addcdiv",
      .overloads = {{{"addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> "
                      "Tensor",
                      "addcdiv_", "addcdiv.out"}}},
      .operands = {"self", "tensor1", "tensor2"},
      .dtypes = kFloats | kFullComplex,
      .cpu_scalars = CpuScalars::kNone,
      .gpu_scalars = kNoGpuScalars,
      .note = "self + (value * tensor1) / tensor2; refuses two integral operands of the division",
      .divisor = "tensor2",
      .samples = {{{"value", "1, 2, 2.5, -1, 0"}}}};

  template <class T>
  using Params = AddCMul::Params<T>;

  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    const auto integral = [](DType dtype) { return is_integral(dtype) || is_bool(dtype); };
    if (integral(operands[1].dtype) && integral(operands[2].dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "an integer division"};
    return std::nullopt;
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return AddCMul::check_types(call, promoted);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T self, T a, T b, const Params<T>& params) const {
    return self + divide(params.value * a, b);
  }
};

namespace internal {

/// lerp computes start + weight * (end - start), from whichever end is nearer.
template <class T>
UPCAST_HOST_DEVICE T lerp(T start, T end, T weight) {
  if constexpr (kIsComplex<T>) {
    const bool near_start = weight.re * weight.re + weight.im * weight.im < RealOf<T>(0.25);
    return near_start ? start + weight * (end - start) : end - (end - start) * (T{1, 0} - weight);
  } else {
    // The subtraction gives the bits of start + weight * (end - start), too. Without branches every
    // loop over packed elements vectorises.
    const bool near_start = std::abs(weight) < T(0.5);
    return (near_start ? start : end) - (near_start ? -weight : T(1) - weight) * (end - start);
  }
}

}  // namespace internal

struct LerpTensor {
  static constexpr OpSpec spec{
      .name = "lerp",
      .overloads = {{{"lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
                      "lerp_.Tensor", "lerp.Tensor_out"}}},
      .operands = {"self", "end", "weight"},
      .promotion = PromotionKind::kOwn,
      .dtypes = kFloats | kFullComplex,
      .note =
          "self and end must have one dtype, and so must a weight with dimensions; a zero-dim "
          "weight promotes",
      .has_layouts_of_interest = true};

  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    if (query.inputs[0].dtype != query.inputs[1].dtype)
      return Rejection{RejectionCode::kDTypeMismatch, "self and end of lerp have one dtype"};
    return compute_types(
        query.inputs[2].kind == Kind::kDim ? PromotionKind::kSame : PromotionKind::kDefault, query);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T start, T end, T weight) const {
    return internal::lerp(start, end, weight);
  }
};

struct LerpScalar {
  static constexpr OpSpec spec{
      .name = "lerp",
      .overloads = {{{"lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
                      "lerp_.Scalar", "lerp.Scalar_out"}}},
      .operands = {"self", "end"},
      .dtypes = kFloats | kFullComplex,
      .note = "the weight keeps the precision of the compute dtype",
      .has_layouts_of_interest = true,
      .samples = {{{"weight", "0, 0.3, 0.5, 1, 2.5, -1, nan"}}},
      .sweep = {.attributes = "weight=0.25"}};

  template <class T>
  struct Params {
    T weight;
    Params(const Call& call, DType) : weight(number_to<T>(call.number("weight", 0))) {}
  };
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    if (operands[0].dtype != operands[1].dtype)
      return Rejection{RejectionCode::kDTypeMismatch, "self and end of lerp have one dtype"};
    return std::nullopt;
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    if (!number_fits(call.number("weight", 0), compute_dtype(promoted.common)))
      return Rejection{RejectionCode::kAttributeOverflow, "the weight does not fit the dtype"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T start, T end, const Params<T>& params) const {
    return internal::lerp(start, end, params.weight);
  }
};

using Interpolation = OpFamily<AddCMul, AddCDiv, LerpTensor, LerpScalar>;

}  // namespace upcast
