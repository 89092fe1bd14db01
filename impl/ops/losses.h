// The pointwise losses. Only calls without a reduction are elementwise.
#pragma once

#include <cmath>

#include "impl/ops/composition.h"
#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"

namespace upcast {

namespace internal {

inline constexpr std::array<std::string_view, kMaxOperands> kSelfTarget{"self", "target"};

/// Refuses a loss whose `reduction` is not 0 (none), because only such a loss is elementwise. The
/// schemas' default is mean.
inline std::optional<Rejection> check_reduction(const Call& call) {
  const Argument& reduction = call.argument("reduction");
  if (reduction.tag != Argument::Tag::kNumber || number_to<std::int64_t>(reduction.number) != 0)
    return Rejection{RejectionCode::kBadAttribute, "only reduction=0 is elementwise"};
  return std::nullopt;
}

}  // namespace internal

/// Error bounds of losses in which LibTorch rounds each step to float16 or bfloat16, first the
/// difference and then the square.
inline constexpr Accuracy kStepwise{{}, {}, {0.51F, 2.F}};

/// Error bounds of an exp or log, followed by a subtraction. The first is off by its own bound, and
/// the subtraction may cancel, so the error counts in ulp of the operands. The largest errors seen
/// over the grids are 64 ulp (float32, where 120 - 119 leaves 0.8), 16 ulp (float64) and 20 ulp
/// (complex64, where 2.6 - 2.6 leaves 0.1).
inline constexpr Accuracy kStepwiseExponential{
    {0.51F, 64.F}, {1.F, 16.F}, {0.51F, 2.F}, {0.51F, 20.F}, {0.51F, 20.F}};

struct MseLoss {
  static constexpr OpSpec spec{
      .name = "mse_loss",
      .overloads = {{{"mse_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", "",
                      "mse_loss.out"}}},
      .operands = internal::kSelfTarget,
      .dtypes = kFloats,
      .accuracy = kStepwise,
      .has_layouts_of_interest = true,
      .sweep = {.attributes = "reduction=0"}};
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    return internal::check_reduction(call);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return (a - b) * (a - b);
  }
};

struct L1Loss {
  static constexpr OpSpec spec{
      .name = "l1_loss",
      .overloads = {{{"l1_loss(Tensor self, Tensor target, int reduction=Mean) -> Tensor", "",
                      ""}}},
      .operands = internal::kSelfTarget,
      .promotion = PromotionKind::kOwn,
      .accuracy = {{0.51F, 1.F}, {1.F, 1.F}, {0.51F, 1.F}},
      .note = "abs(self - target)"};

  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    if (const auto refused = internal::check_reduction(call)) return *refused;
    Composition steps(call, caller);
    const Tensor difference =
        steps.call("sub.Tensor", call.argument("self"), call.argument("target"));
    return steps.finish(steps.call("abs", difference));
  }
};

/// The op huber_loss. Its result has the dtype of self, because ATen allocates the result like
/// self.
struct HuberLoss {
  static constexpr OpSpec spec{
      .name = "huber_loss",
      .overloads = {{{"huber_loss(Tensor self, Tensor target, int reduction=Mean, float delta=1.0) "
                      "-> Tensor",
                      "", "huber_loss.out"}}},
      .operands = internal::kSelfTarget,
      .promotion = PromotionKind::kOwn,
      .dtypes = kFloats,
      .accuracy = kStepwise,
      .layout = ResultLayout::kLikeFirstOperand,
      .gpu_scalars = kNoGpuScalars,
      .note = "delta must be positive",
      .samples = {{{"delta", "1.0, 0.5, 2.0, inf"}}},
      .sweep = {.attributes = "reduction=0"}};

  template <class T>
  struct Params {
    T delta;
    Params(const Call& call, DType) : delta(number_to<T>(call.number("delta", 1.0))) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    if (!(number_to<double>(call.number("delta", 1.0)) > 0))  // a NaN delta is refused too
      return Rejection{RejectionCode::kBadAttribute, "delta is not positive"};
    return internal::check_reduction(call);
  }
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    TypesQuery with_out = query;
    if (query.out == DType::kUndefined) with_out.out = query.inputs[0].dtype;
    return compute_types(PromotionKind::kDefault, with_out);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b, const Params<T>& params) const {
    const T error = std::abs(a - b);
    // At error = delta both formulas of the loss give the same. The first one is used there,
    // because the second gives NaN if both are infinite.
    return error <= params.delta ? T(0.5) * error * error
                                 : params.delta * (error - T(0.5) * params.delta);
  }
};

/// The op poisson_nll_loss. With log_input it is exp(input) - target * input, else input - target *
/// log(input + eps). `full` adds Stirling's approximation of log(target!) where target > 1. Each
/// step is an op of its own.
struct PoissonNllLoss {
  static constexpr OpSpec spec{
      .name = "poisson_nll_loss",
      .overloads = {{{"poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, "
                      "float eps, int reduction) -> Tensor",
                      "", ""}}},
      .operands = {"input", "target"},
      .promotion = PromotionKind::kOwn,
      .accuracy = kStepwiseExponential,
      .note = "a composition: each step promotes, rounds and may refuse",
      .samples = {{{"log_input", "", "True, False"}, {"full", "", "False"}, {"eps", "", "1e-8"}}}};

  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    if (const auto refused = internal::check_reduction(call)) return *refused;
    const Argument& input = call.argument("input");
    const Argument& target = call.argument("target");
    Composition steps(call, caller);
    Tensor loss;
    if (number_to<bool>(call.number("log_input", true))) {
      const Tensor rate = steps.call("exp", input);
      loss = steps.call("sub.Tensor", rate, steps.call("mul.Tensor", target, input));
    } else {
      // eps is a floating number, even if the caller writes it as 1.
      const Number eps(number_to<double>(call.number("eps", 1e-8)));
      const Tensor shifted = steps.call("add.Scalar", input, eps);
      const Tensor product = steps.call("mul.Tensor", target, steps.call("log", shifted));
      loss = steps.call("sub.Tensor", input, product);
    }
    if (number_to<bool>(call.number("full", false)))
      loss = steps.call("add_.Tensor", loss, stirling_term(steps, target));
    return steps.finish(loss);
  }

 private:
  static Tensor stirling_term(Composition& steps, const Argument& target) {
    constexpr double kTwoPi = 6.283185307179586476925286766559;
    const Tensor logarithm = steps.call("log", target);
    const Tensor leading =
        steps.call("sub.Tensor", steps.call("mul.Tensor", target, logarithm), target);
    const Tensor circle = steps.call("log", steps.call("mul.Scalar", target, Number(kTwoPi)));
    const Tensor term =
        steps.call("add.Tensor", leading, steps.call("mul.Scalar", circle, Number(0.5)));
    const Tensor small = steps.call("le.Scalar", target, Number(1));
    return steps.call("where.ScalarSelf", small, Number(0), term);
  }
};

using Losses = OpFamily<MseLoss, L1Loss, HuberLoss, PoissonNllLoss>;

}  // namespace upcast
