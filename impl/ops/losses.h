// The pointwise losses, without their reduction.
#pragma once

#include <cmath>

#include "impl/math/widened.h"
#include "impl/math/wrapping.h"
#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"

namespace upcast {

namespace internal {

inline constexpr std::array<std::string_view, kMaxOperands> kSelfTarget{"self", "target"};

/// Only reduction=0 (none) is elementwise; the default of the schemas is Mean.
inline std::optional<Rejection> check_reduction(const Call& call) {
  const Argument& reduction = call.argument("reduction");
  if (reduction.tag != Argument::Tag::kNumber || number_to<std::int64_t>(reduction.number) != 0)
    return Rejection{RejectionCode::kBadAttribute, "only reduction=0 is elementwise"};
  return std::nullopt;
}

}  // namespace internal

/// LibTorch rounds each step to float16 or bfloat16: the difference, then the square.
inline constexpr Accuracy kStepwise{{}, {}, {0.51F, 3.F}};

struct MseLoss {
  static constexpr OpSpec spec{
      .name = "mse_loss",
      .overloads = {{{"mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", "",
                      "mse_loss.out"}}},
      .operands = internal::kSelfTarget,
      .dtypes = kFloats,
      .accuracy = kStepwise};
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    return internal::check_reduction(call);
  }
  template <class T>
  T operator()(T a, T b) const {
    return (a - b) * (a - b);
  }
};

/// ATen computes abs(self - target): the kinds of sub, then of abs.
struct L1Loss {
  static constexpr OpSpec spec{
      .name = "l1_loss",
      .overloads = {{{"l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", "",
                      ""}}},
      .operands = internal::kSelfTarget,
      .promotion = PromotionKind::kOwn,
      .dtypes = kIntegers | kFloats | kComplexHalf | kFullComplex,
      .accuracy = {{0.51F, 1.F}, {1.F, 1.F}, {0.51F, 1.F}}};

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    for (const TypedOperand& operand : operands)
      if (is_bool(operand.dtype))
        return Rejection{RejectionCode::kUnsupportedDType, "subtraction refuses bool operands"};
    return internal::check_reduction(call);
  }
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    const auto promoted = compute_types(PromotionKind::kDefault, query);
    if (!promoted.ok()) return promoted;
    return Promoted{promoted.value().common, to_real(promoted.value().common)};
  }
  template <class T>
  RealOf<T> operator()(T a, T b) const {
    if constexpr (kIsComplex<T>)
      return std::hypot(a.re - b.re, a.im - b.im);
    else if constexpr (kIsInteger<T>)
      return wrapping_sub(a, b) < 0 ? wrapping_sub(b, a) : wrapping_sub(a, b);
    else
      return std::abs(a - b);
  }
};

/// The result has the dtype of self: ATen allocates it like self.
struct HuberLoss {
  static constexpr OpSpec spec{
      .name = "huber_loss",
      .overloads = {{{"huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) "
                      "-> Tensor",
                      "", "huber_loss.out"}}},
      .operands = internal::kSelfTarget,
      .promotion = PromotionKind::kOwn,
      .dtypes = kFloats,
      .accuracy = kStepwise};

  template <class T>
  struct Params {
    T delta;
    Params(const Call& call, DType) : delta(number_to<T>(call.number("delta", 1.0))) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    return internal::check_reduction(call);
  }
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    TypesQuery with_out = query;
    if (query.out == DType::kUndefined) with_out.out = query.inputs[0].dtype;
    return compute_types(PromotionKind::kDefault, with_out);
  }
  template <class T>
  T operator()(T a, T b, const Params<T>& params) const {
    const T error = std::abs(a - b);
    return error <= params.delta ? T(0.5) * error * error
                                 : params.delta * (error - T(0.5) * params.delta);
  }
};

/// ATen's composition: exp(input) - target * input, or input - target * log(input + eps).
struct PoissonNllLoss {
  static constexpr OpSpec spec{
      .name = "poisson_nll_loss",
      .overloads = {{{"poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, "
                      "float eps, int reduction) -> Tensor",
                      "", ""}}},
      .operands = {"input", "target"},
      .promotion = PromotionKind::kOwn,
      .dtypes = kFloats | kFullComplex,
      .accuracy = kElementary};

  template <class T>
  struct Params {
    bool log_input;
    T eps;
    Params(const Call& call, DType)
        : log_input(number_to<bool>(call.number("log_input", true))),
          eps(number_to<T>(call.number("eps", 1e-8))) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    return internal::check_reduction(call);
  }
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    return compute_types(PromotionKind::kIntToFloat, query);
  }
  template <class T>
  T operator()(T input, T target, const Params<T>& params) const {
    const auto exp = [](auto v) { return std::exp(v); };
    const auto log = [](auto v) { return std::log(v); };
    return params.log_input ? widened(exp, input) - target * input
                            : input - target * widened(log, input + params.eps);
  }
};

using Losses = OpFamily<MseLoss, L1Loss, HuberLoss, PoissonNllLoss>;

}  // namespace upcast
