// The smooth activation functions. Most keep the dtype of self, and take only floating dtypes.
#pragma once

#include <cmath>

#include "impl/math/activation_gradients.h"
#include "impl/math/activations.h"
#include "impl/math/complex_activations.h"
#include "impl/math/double_elementary.h"
#include "impl/math/double_functions.h"
#include "impl/math/float_activations.h"
#include "impl/math/widened.h"
#include "impl/ops/activation_parameters.h"
#include "impl/ops/made_apart.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"
#include "impl/tensor/memory_format.h"

namespace upcast {

namespace internal {

template <class T>
struct EluParams {
  double alpha, scale, input;
  EluParams(Number negative, Number all, Number input_scale)
      : alpha(number_to<T>(negative)), scale(number_to<T>(all)), input(number_to<T>(input_scale)) {}
};

template <class T>
UPCAST_HOST_DEVICE T elu(T x, const EluParams<T>& params) {
  const double v = x;
  if (!(v < 0)) return static_cast<T>(v * params.scale);
  return once_rounded(
      [&](double below) {
        return std::expm1(below * params.input) * (params.alpha * params.scale);
      },
      [&](double below) {
        return precise::elu_below_0(below, params.input, params.alpha, params.scale);
      },
      x);
}

}  // namespace internal

struct Elu {
  static constexpr OpSpec spec{
      .name = "elu",
      .overloads =
          {{{"elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
             "elu_", "elu.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .accuracy = kActivation,
      .note = "scale * x, below 0 scale * alpha * expm1(input_scale * x)",
      .samples = {{{"alpha", "1, 0.5, -2, 0"}, {"scale", "1, 2, 0.5"}, {"input_scale", "1, 0.5"}}}};

  template <class T>
  struct Params : internal::EluParams<T> {
    Params(const Call& call, DType)
        : internal::EluParams<T>(call.number("alpha", 1), call.number("scale", 1),
                                 call.number("input_scale", 1)) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_numbers(call, compute_dtype(promoted.common),
                                   {"alpha", "scale", "input_scale"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return internal::elu(x, params);
  }
};

struct Selu {
  static constexpr double kAlpha = 1.6732632423543772848;
  static constexpr double kScale = 1.0507009873554804934;
  static constexpr OpSpec spec{.name = "selu",
                               .overloads = unary("selu(Tensor self) -> Tensor", "selu_", ""),
                               .operands = kSelf,
                               .promotion = PromotionKind::kSame,
                               .dtypes = kFloats,
                               .accuracy = kActivation,
                               .note = "elu with two constants"};

  template <class T>
  struct Params : internal::EluParams<T> {
    Params(const Call&, DType) : internal::EluParams<T>(kAlpha, kScale, 1) {}
  };
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return internal::elu(x, params);
  }
};

struct Celu {
  static constexpr OpSpec spec{
      .name = "celu",
      .overloads = {{{"celu(Tensor self, Scalar alpha=1.0) -> Tensor", "celu_", "celu.out", true}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .accuracy = kActivation,
      .note = "elu with input_scale = 1 / alpha, which must fit the dtype too",
      .samples = {{{"alpha", "1.0, 0.5, -2, 0"}}}};

  template <class T>
  struct Params : internal::EluParams<T> {
    Params(const Call& call, DType)
        : internal::EluParams<T>(call.number("alpha", 1.0), 1, inverse(call)) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    if (!number_fits(call.number("alpha", 1.0), DType::kFloat64))
      return Rejection{RejectionCode::kAttributeOverflow, "alpha is not real"};
    if (number_to<double>(call.number("alpha", 1.0)) == 0)
      return Rejection{RejectionCode::kZeroDivision, "alpha is 0"};
    return std::nullopt;
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    const DType dtype = compute_dtype(promoted.common);
    if (!number_fits(inverse(call), dtype))
      return Rejection{RejectionCode::kAttributeOverflow, "1 / alpha does not fit the dtype"};
    return internal::check_numbers(call, dtype, {"alpha"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return internal::elu(x, params);
  }

 private:
  static Number inverse(const Call& call) {
    return 1.0 / number_to<double>(call.number("alpha", 1.0));
  }
};

struct Gelu {
  static constexpr OpSpec spec{
      .name = "gelu",
      .overloads = {{{"gelu(Tensor self, *, str approximate='none') -> Tensor", "gelu_",
                      "gelu.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .accuracy = kActivation,
      .note = "gelu(-inf) = -0",
      .sweep = {.slow = true}};

  template <class T>
  struct Params : internal::GeluParams {
    Params(const Call& call, DType) : internal::GeluParams(call) {}
  };
  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    return internal::check_gelu_mode(call);
  }
  template <class T>
  static bool mode(const Params<T>& params) {
    return params.tanh;
  }
  template <class T, bool kByTanh>
  UPCAST_HOST_DEVICE T operator()(T x, std::bool_constant<kByTanh>, const Params<T>&) const {
    if constexpr (kByTanh)
      return elementary([](float v) { return branchless::gelu_tanh(v); },
                        [](double v) { return precise::gelu_tanh(v); }, x);
    else
      return elementary([](float v) { return branchless::gelu(v); },
                        [](double v) { return branchless::gelu(v); }, x);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return params.tanh ? (*this)(x, std::true_type(), params)
                       : (*this)(x, std::false_type(), params);
  }
  struct FloatsOnLanes {
    using Lane = double;
    template <class Real>
    static auto begin(const Real& x, std::false_type) {
      return branchless::gelu_start(x);
    }
    template <class Real>
    static Real end(const branchless::GeluStart<Real>& start, std::false_type) {
      return branchless::wide_gelu(start);
    }
  };
  struct DoublesOnLanes {
    using Lane = double;
    template <class Real>
    static auto begin(const Real& x, std::false_type) {
      return branchless::wide_gelu_start(x);
    }
    template <class Real>
    static Real end(const branchless::WideGeluStart<Real>& start, std::false_type) {
      return branchless::gelu_of_normal(start);
    }
    static constexpr LaneRange<double> range{-branchless::kNormalGate, branchless::kNormalGate};
  };
};

struct Silu {
  static constexpr OpSpec spec{
      .name = "silu",
      .overloads = unary("silu(Tensor self) -> Tensor", "silu_", "silu.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kElementaryTypes,
      .accuracy = kActivation,
      .note = "silu(-inf) = -0"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return upcast::silu(x);
    else
      return branchless::silu(x);
  }
};

struct Mish {
  static constexpr OpSpec spec{
      .name = "mish",
      .overloads = unary("mish(Tensor self) -> Tensor", "mish_", "mish.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .accuracy = kActivation,
      .note = "mish(-inf) = -0"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return elementary([](float v) { return branchless::mish(v); },
                      [](double v) { return precise::mish(v); }, x);
  }
};

struct Softplus {
  static constexpr OpSpec spec{
      .name = "softplus",
      .overloads = {{{"softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor", "",
                      "softplus.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .accuracy = kActivation,
      .note = "self itself where beta * self > threshold",
      .samples = {{{"beta", "1, 2, 0.5, -1, 0"}, {"threshold", "20, 0, -3"}}}};

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
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    const double beta = params.beta;
    const T value = elementary([beta](float v) { return branchless::softplus(v, beta); },
                               [beta](double v) { return precise::softplus(v, beta); }, x);
    return x * params.beta > params.threshold ? x : value;
  }
};

struct LogSigmoid : internal::MadeApart {
  static constexpr OpSpec spec{
      .name = "log_sigmoid",
      .overloads = unary("log_sigmoid(Tensor self) -> Tensor", "", "log_sigmoid.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .accuracy = kActivation,
      .layout = ResultLayout::kContiguous,
      .checks_overlap = false};
  /// Whether a call runs as a composition: only if its out= is not contiguous. A contiguous out= is
  /// written directly, even if it shares memory with self.
  static bool composes(const Call& call) {
    const Tensor& self = call.argument("self").tensor;
    return call.form == Form::kOut && self.sizes == call.out->sizes &&
           self.dtype == call.out->dtype && !is_contiguous(call.out->sizes, call.out->strides);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return elementary([](float v) { return branchless::log_sigmoid(v); },
                      [](double v) { return precise::log_sigmoid(v); }, x);
  }
};

struct Logit {
  static constexpr OpSpec spec{
      .name = "logit",
      .overloads = {{{"logit(Tensor self, float? eps=None) -> Tensor", "logit_", "logit.out"},
                     {"special_logit(Tensor self, float? eps=None) -> Tensor", "",
                      "special_logit.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats,
      .accuracy = kActivation,
      .note =
          "log(x / (1 - x)); self is first clamped from eps to 1 - eps, unless eps is absent or "
          "negative; eps must fit the dtype, except on the meta device",
      .samples = {{{"eps", "None, 0.0, 1e-6, 0.25, 0.5, -1.0"}}}};

  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_eps(call, promoted.common);
  }
  template <class T>
  struct Params {
    bool clamps;
    T low, high;
    Params(const Call& call, DType)
        : clamps(call.argument("eps").tag == Argument::Tag::kNumber &&
                 number_to<double>(call.number("eps", 0)) >= 0),
          low(number_to<T>(call.number("eps", 0))),
          high(T(1) - low) {}
  };
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    if (params.clamps) x = x < params.low ? params.low : x > params.high ? params.high : x;
    return elementary([](float v) { return branchless::logit(v); },
                      [](double v) { return precise::logit(v); }, x);
  }
};

using Activation = OpFamily<Elu, Selu, Celu, Gelu, Silu, Mish, Softplus, LogSigmoid, Logit>;

}  // namespace upcast
