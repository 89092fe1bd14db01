// The backward functions of the activations: the gradient of the output times the activation's
// derivative. Those of piecewise activations are in piecewise_activation_backward.h.
#pragma once

#include <cmath>

#include "impl/math/activation_gradients.h"
#include "impl/math/activations.h"
#include "impl/math/complex_activations.h"
#include "impl/math/packed_gradients.h"
#include "impl/math/widened.h"
#include "impl/ops/activation_parameters.h"
#include "impl/ops/composition.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"
#include "impl/ops/piecewise_activation_backward.h"

namespace upcast {

struct SigmoidBackward {
  static constexpr OpSpec spec{
      .name = "sigmoid_backward",
      .overloads = {{{"sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor", "",
                      "sigmoid_backward.grad_input"}}},
      .operands = internal::kGradOutput,
      .dtypes = kElementaryTypes,
      .accuracy = kActivationBackward,
      .gpu_scalars = kNoGpuScalars,
      .note = "grad_output * (1 - output) * output, conjugated if complex"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T y) const {
    if constexpr (kIsComplex<T>) {
      return grad * conj((T{1, 0} - y) * y);
    } else {
      return once_rounded([](double g, double v) { return g * ((1 - v) * v); },
                          [](double g, double v) { return precise::sigmoid_backward(g, v); }, grad,
                          y);
    }
  }
};

struct TanhBackward {
  static constexpr OpSpec spec{
      .name = "tanh_backward",
      .overloads = {{{"tanh_backward(Tensor grad_output, Tensor output) -> Tensor", "",
                      "tanh_backward.grad_input"}}},
      .operands = internal::kGradOutput,
      .dtypes = kElementaryTypes,
      .accuracy = kActivationBackward,
      .gpu_scalars = kNoGpuScalars,
      .note = "grad_output * (1 - output^2), conjugated if complex"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T y) const {
    if constexpr (kIsComplex<T>) {
      return grad * conj(T{1, 0} - y * y);
    } else {
      return once_rounded([](double g, double v) { return g * (1 - v * v); },
                          [](double g, double v) { return precise::tanh_backward(g, v); }, grad, y);
    }
  }
  template <std::same_as<double> T>
  static T mostly(T grad, T y) {
    return precise::tanh_backward_mostly(grad, y);
  }
  template <std::same_as<double> T>
  static bool is_right(T, T, T found) {
    return precise::is_far_from_limits(found);
  }
  static constexpr bool is_short = true;
  template <class Packed>
  using OnPacked = branchless::TanhGradient<Packed>;
};

struct LogitBackward {
  static constexpr OpSpec spec{
      .name = "logit_backward",
      .overloads = {{{"logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor",
                      "", "logit_backward.grad_input"}}},
      .operands = internal::kGradSelf,
      .dtypes = kFloats,
      .accuracy = kActivationBackward,
      .gpu_scalars = kNoGpuScalars,
      .note =
          "grad_output / (self * (1 - self)); 0 outside of [eps, 1 - eps]; without eps, NaN "
          "outside of [0, 1]",
      .samples = {{{"eps", "None, 0.0, 0.25"}}}};

  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_eps(call, promoted.common);
  }
  template <class T>
  struct Params {
    bool has_eps;
    T low, high;
    Params(const Call& call, DType)
        : has_eps(call.argument("eps").tag == Argument::Tag::kNumber &&
                  number_to<double>(call.number("eps", 0)) >= 0),
          low(has_eps ? number_to<T>(call.number("eps", 0)) : T(0)),
          high(T(1) - low) {}
  };
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x, const Params<T>& params) const {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    if (!(x >= params.low && x <= params.high)) return static_cast<T>(params.has_eps ? 0.0 : kNaN);
    return once_rounded([](double g, double v) { return g / (v * (1 - v)); },
                        [](double g, double v) { return precise::logit_backward(g, v); }, grad, x);
  }
};

struct SiluBackward {
  static constexpr OpSpec spec{
      .name = "silu_backward",
      .overloads = {{{"silu_backward(Tensor grad_output, Tensor self) -> Tensor", "",
                      "silu_backward.grad_input"}}},
      .operands = internal::kGradSelf,
      .dtypes = kElementaryTypes,
      .accuracy = kActivationBackward,
      .gpu_scalars = kNoGpuScalars,
      .note = "the derivative is 1 at inf and -0 at -inf; not conjugated if complex"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x) const {
    if constexpr (kIsComplex<T>) {
      return upcast::silu_backward(grad, x);
    } else {
      return once_rounded([](double g, double v) { return g * silu_derivative(v); },
                          [](double g, double v) { return precise::silu_backward(g, v); }, grad, x);
    }
  }
};

/// The gradient of mish. Its result has the dtype of self, because ATen allocates the result like
/// self.
struct MishBackward {
  static constexpr OpSpec spec{
      .name = "mish_backward",
      .overloads = {{{"mish_backward(Tensor grad_output, Tensor self) -> Tensor", "", ""}}},
      .operands = internal::kGradSelf,
      .promotion = PromotionKind::kOwn,
      .dtypes = kFloats,
      .accuracy = kActivationBackward,
      .gpu_scalars = kNoGpuScalars,
      .note = "operands promote, the result has the dtype of self"};
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    TypesQuery with_out = query;
    with_out.out = query.inputs[1].dtype;
    return compute_types(PromotionKind::kDefault, with_out);
  }
  /// Whether the call runs as a composition. It does on the meta device, which has no kernel of the
  /// op.
  static bool composes(const Call& call) {
    return call.arguments[0].tensor.device == Device::kMeta ||
           call.arguments[1].tensor.device == Device::kMeta;
  }
  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    const Argument& self = call.argument("self");
    Composition steps(call, caller);
    const Tensor tanh = steps.call("tanh", steps.call("softplus", self));
    const Tensor square = steps.call("mul.Tensor", tanh, tanh);
    const Tensor slope =
        steps.call("mul.Tensor", steps.call("mul.Tensor", self, steps.call("sigmoid", self)),
                   steps.call("rsub.Scalar", square, Number(1)));
    const Tensor sum = steps.call("add.Tensor", tanh, slope);
    return steps.finish(steps.call("mul.Tensor", call.argument("grad_output"), sum));
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x) const {
    return once_rounded([](double g, double v) { return g * mish_derivative(v); },
                        [](double g, double v) { return precise::mish_backward(g, v); }, grad, x);
  }
};

struct EluBackward {
  static constexpr OpSpec spec{
      .name = "elu_backward",
      .overloads = {{{"elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar "
                      "input_scale, bool is_result, Tensor self_or_result) -> Tensor",
                      "", "elu_backward.grad_input"}}},
      .operands = {"grad_output", "self_or_result"},
      .dtypes = kFloats,
      .accuracy = kActivationBackward,
      .gpu_scalars = kNoGpuScalars,
      .note = "is_result: the derivative from the value of elu; refuses a negative alpha",
      .samples = {{{"alpha", "1, 0.5", "2.5, 1+2j"},
                   {"scale", "1, 3", "3"},
                   {"input_scale", "1, 0.5", "True"}}},
      .sweep = {.why_never = "its parameters are between the tensors"}};

  template <class T>
  struct Params {
    DoubleDouble negative;
    double positive, input;
    bool is_result;
    Params(const Call& call, DType)
        : negative(two_product(number_to<T>(call.number("alpha", 1)),
                               number_to<T>(call.number("scale", 1)))),
          positive(number_to<T>(call.number("scale", 1))),
          input(number_to<T>(call.number("input_scale", 1))),
          is_result(number_to<bool>(call.number("is_result", false))) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    return internal::check_slope(call, "alpha", "is_result");
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_numbers(call, compute_dtype(promoted.common),
                                   {"alpha", "scale", "input_scale"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x, const Params<T>& params) const {
    return once_rounded(
        [&](double g, double v) {
          // exp(v) may be 0 or infinite, so such a gradient is handled apart.
          if ((g == 0 || std::isinf(g)) && v < 0 && !params.is_result)
            return precise::elu_backward(g, v, params.input, params.negative);
          const double below = params.is_result
                                   ? params.input * (v + params.negative.hi)
                                   : params.input * params.negative.hi * std::exp(v * params.input);
          return g * (v > 0 ? params.positive : below);
        },
        [&](double g, double v) {
          if (v > 0) return g * params.positive;
          return params.is_result
                     ? precise::elu_backward_of_result(g, v, params.input, params.negative)
                     : precise::elu_backward(g, v, params.input, params.negative);
        },
        grad, x);
  }
};

struct LeakyReluBackward {
  static constexpr OpSpec spec{
      .name = "leaky_relu_backward",
      .overloads = {{{"leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, "
                      "bool self_is_result) -> Tensor",
                      "", "leaky_relu_backward.grad_input"}}},
      .operands = internal::kSelfGrad,
      .dtypes = kFloats,
      .gpu_scalars = kNoGpuScalars,
      .note = "self_is_result: refuses a negative slope",
      .samples = {{{"negative_slope", "0.5, 0, -1, 2"}, {"self_is_result", "", "False, True"}}},
      .sweep = {.attributes = "negative_slope=0.01, self_is_result=False"}};

  template <class T>
  struct Params {
    T slope;
    Params(const Call& call, DType) : slope(number_to<T>(call.number("negative_slope", 0.01))) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    return internal::check_slope(call, "negative_slope", "self_is_result");
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_numbers(call, compute_dtype(promoted.common), {"negative_slope"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T grad, const Params<T>& params) const {
    return x > 0 ? grad : grad * params.slope;
  }
};

struct SoftplusBackward {
  static constexpr OpSpec spec{
      .name = "softplus_backward",
      .overloads = {{{"softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar "
                      "threshold) -> Tensor",
                      "", "softplus_backward.grad_input"}}},
      .operands = internal::kGradSelf,
      .dtypes = kFloats,
      .accuracy = kActivationBackward,
      .gpu_scalars = kNoGpuScalars,
      .note = "grad_output itself where beta * self > threshold",
      .samples = {{{"beta", "1, 2, 0.5"}, {"threshold", "20, 0", "2.5"}}},
      .sweep = {.attributes = "beta=1, threshold=20"}};

  template <class T>
  struct Params {
    T beta, threshold;
    Params(const Call& call, DType)
        : beta(number_to<T>(call.number("beta", 1))),
          threshold(number_to<T>(call.number("threshold", 20))) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_numbers(call, compute_dtype(promoted.common), {"beta", "threshold"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x, const Params<T>& params) const {
    if (x * params.beta > params.threshold) return grad;
    const double beta = params.beta;
    return once_rounded(
        [beta](double g, double v) {
          // The formula would give inf * 0 = NaN if exp overflows.
          if (std::isinf(g) && std::isfinite(v * beta)) return g;
          return g * internal::logistic(v * beta);
        },
        [beta](double g, double v) { return precise::softplus_backward(g, v, beta); }, grad, x);
  }
};

struct GeluBackward {
  static constexpr OpSpec spec{
      .name = "gelu_backward",
      .overloads = {{{"gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') "
                      "-> Tensor",
                      "", "gelu_backward.grad_input"}}},
      .operands = internal::kGradSelf,
      .dtypes = kFloats,
      .accuracy = kActivationBackward,
      .gpu_scalars = kNoGpuScalars,
      .note = "the derivative is 1 at inf and -0 at -inf",
      .sweep = {.slow = true}};

  template <class T>
  struct Params : internal::GeluParams {
    Params(const Call& call, DType) : internal::GeluParams(call) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    return internal::check_gelu_mode(call);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T grad, T x, const Params<T>& params) const {
    return once_rounded(
        [&](double g, double v) {
          return g * (params.tanh ? gelu_tanh_derivative(v) : gelu_derivative(v));
        },
        [&](double g, double v) {
          return params.tanh ? precise::gelu_tanh_backward(g, v) : precise::gelu_backward(g, v);
        },
        grad, x);
  }
};

/// The gradient of dropout: grad_output * mask * scale. Each of the two products promotes and
/// rounds.
struct NativeDropoutBackward {
  static constexpr OpSpec spec{
      .name = "native_dropout_backward",
      .overloads = {{{"native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> "
                      "Tensor",
                      "", "native_dropout_backward.out", true}}},
      .operands = {"grad_output", "mask"},
      .promotion = PromotionKind::kOwn,
      .gpu_scalars = kNoGpuScalars,
      .note = "a composition: each product promotes, rounds and may refuse",
      .mask = "mask",
      .samples = {{{"scale", "1.0, 2.5, 0.5", "2.5"}}}};

  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    Composition steps(call, caller);
    const Tensor masked =
        steps.call("mul.Tensor", call.argument("grad_output"), call.argument("mask"));
    const double scale = number_to<double>(call.number("scale", 1.0));
    return steps.finish(steps.call("mul.Tensor", masked, Number(scale)));
  }
};

using ActivationBackward =
    OpFamily<SigmoidBackward, TanhBackward, LogitBackward, SiluBackward, MishBackward, EluBackward,
             LeakyReluBackward, SoftplusBackward, HardSigmoidBackward, HardSwishBackward,
             HardTanhBackward, HardShrinkBackward, SoftShrinkBackward, ThresholdBackward,
             GeluBackward, NativeDropoutBackward>;

}  // namespace upcast
