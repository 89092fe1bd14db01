// The backward functions of the piecewise activations: hardsigmoid, hardswish, hardtanh, the
// shrinks and threshold.
#pragma once

#include "impl/math/activation_gradients.h"
#include "impl/math/widened.h"
#include "impl/ops/activation_parameters.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

struct HardSigmoidBackward {
  static constexpr OpSpec spec{
      .name = "hardsigmoid_backward",
      .overloads = {{{"hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor", "",
                      "hardsigmoid_backward.grad_input"}}},
      .operands = internal::kGradSelf,
      .dtypes = kFloats,
      .accuracy = kActivationBackward,
      .gpu_scalars = kNoGpuScalars,
      .note = "grad_output / 6 where -3 < self < 3, else 0"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x) const {
    return x > -3 && x < 3 ? static_cast<T>(double(grad) / 6) : T(0);
  }
};

struct HardSwishBackward {
  static constexpr OpSpec spec{
      .name = "hardswish_backward",
      .overloads = {{{"hardswish_backward(Tensor grad_output, Tensor self) -> Tensor", "",
                      "hardswish_backward.out", true}}},
      .operands = internal::kGradSelf,
      .dtypes = kFloats,
      .accuracy = {{0.51F, 4.F}, {1.F, 4.F}, {0.51F, 0.51F}},
      .gpu_scalars = kNoGpuScalars,
      .note = "grad_output * (2 self + 3) / 6 where -3 < self < 3"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x) const {
    if (x <= -3) return 0;
    if (x >= 3) return grad;
    return once_rounded([](double g, double v) { return g * ((2 * v + 3) / 6); },
                        [](double g, double v) { return precise::hardswish_backward(g, v); }, grad,
                        x);
  }
};

struct HardTanhBackward {
  static constexpr OpSpec spec{
      .name = "hardtanh_backward",
      .overloads = {{{"hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar "
                      "max_val) -> Tensor",
                      "", "hardtanh_backward.grad_input"}}},
      .operands = internal::kGradSelf,
      .dtypes = kFloats,
      .gpu_scalars = kNoGpuScalars,
      .note = "grad_output where min_val < self < max_val, else 0",
      .samples = {{{"min_val", "-1, 0, 2", "True"}}},
      .sweep = {.attributes = "min_val=-1, max_val=1"}};

  template <class T>
  struct Params {
    T min, max;
    Params(const Call& call, DType)
        : min(number_to<T>(call.number("min_val", -1))),
          max(number_to<T>(call.number("max_val", 1))) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_numbers(call, compute_dtype(promoted.common), {"min_val", "max_val"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x, const Params<T>& params) const {
    return x <= params.min || x >= params.max ? T(0) : grad;
  }
};

struct HardShrinkBackward {
  static constexpr OpSpec spec{
      .name = "hardshrink_backward",
      .overloads = {{{"hardshrink_backward(Tensor grad_out, Tensor self, Scalar lambd) -> Tensor",
                      "", "hardshrink_backward.grad_input"}}},
      .operands = {"grad_out", "self"},
      .dtypes = kFloats,
      .gpu_scalars = kNoGpuScalars,
      .note = "0 where -lambd <= self <= lambd; lambd is rounded to the common dtype",
      .sweep = {.attributes = "lambd=0.5"}};

  template <class T>
  struct Params {
    T lambd;
    Params(const Call& call, DType common)
        : lambd(internal::rounded_parameter<T>(call, "lambd", 0.5, common)) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_numbers(call, promoted.common, {"lambd"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x, const Params<T>& params) const {
    return x >= -params.lambd && x <= params.lambd ? T(0) : grad;
  }
};

struct SoftShrinkBackward {
  static constexpr OpSpec spec{
      .name = "softshrink_backward",
      .overloads =
          {{{"softshrink_backward(Tensor grad_output, Tensor self, Scalar lambd) -> Tensor", "",
             "softshrink_backward.grad_input"}}},
      .operands = internal::kGradSelf,
      .dtypes = kFloats,
      .gpu_scalars = kNoGpuScalars,
      .note = "as hardshrink_backward",
      .sweep = {.attributes = "lambd=0.5"}};

  template <class T>
  using Params = HardShrinkBackward::Params<T>;

  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return HardShrinkBackward::check_types(call, promoted);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x, const Params<T>& params) const {
    return HardShrinkBackward{}(grad, x, params);
  }
};

struct ThresholdBackward {
  static constexpr OpSpec spec{
      .name = "threshold_backward",
      .overloads = {{{"threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> "
                      "Tensor",
                      "", "threshold_backward.grad_input"}}},
      .operands = internal::kSelfGrad,
      .dtypes = kIntegers | kFloats,
      .checks_overlap = false,
      .gpu_scalars = kNoGpuScalars,
      .note = "0 where self <= threshold",
      .samples = {{{"threshold", "0, 1, 2.5, -1, nan"}}},
      .sweep = {.attributes = "threshold=3"}};

  template <class T>
  struct Params {
    T threshold;
    Params(const Call& call, DType) : threshold(number_to<T>(call.number("threshold", 0))) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_numbers(call, compute_dtype(promoted.common), {"threshold"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T grad, const Params<T>& params) const {
    return x <= params.threshold ? T(0) : grad;
  }
};

}  // namespace upcast
