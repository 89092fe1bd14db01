// The piecewise linear activation functions: relu and its variants, the shrinks, threshold and
// prelu.
#pragma once

#include <cmath>

#include "impl/math/double_elementary.h"
#include "impl/math/widened.h"
#include "impl/ops/activation_parameters.h"
#include "impl/ops/composition.h"
#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"

namespace upcast {

namespace internal {

/// Clamps a number to [low, high]. NaN stays NaN. If low is above high, the result is high.
template <class T>
UPCAST_HOST_DEVICE T clamped(T x, T low, T high) {
  const T raised = x < low ? low : x;
  return raised > high ? high : raised;
}

/// Refuses a number above the range of int64: the bounds are int64 numbers, and have no common
/// dtype with it.
inline std::optional<Rejection> refuse_uint64_number(std::span<const TypedOperand> operands) {
  if (operands[0].kind != Kind::kWrapped || operands[0].dtype != DType::kUInt64)
    return std::nullopt;
  return Rejection{RejectionCode::kPromotion, "no common dtype of uint64 and int64 numbers"};
}

}  // namespace internal

struct Relu {
  static constexpr OpSpec spec{
      .name = "relu",
      .overloads = {{{"relu(Tensor self) -> Tensor", "relu_", "relu.out", true}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kIntegers | kUnsigned | kFloats,
      .note = "NaN stays"};

  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_uint64_number(operands);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return x < T(0) ? T(0) : x;
  }
};

struct Relu6 {
  static constexpr OpSpec spec{.name = "relu6",
                               .overloads = {{{"relu6(Tensor self) -> Tensor", "relu6_", ""}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kSame,
                               .dtypes = kIntegers | kUnsigned | kFloats,
                               .note = "hardtanh with the bounds 0 and 6"};

  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_uint64_number(operands);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return internal::clamped(x, T(0), T(6));
  }
};

struct HardTanh {
  static constexpr OpSpec spec{
      .name = "hardtanh",
      .overloads = {{{"hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
                      "hardtanh_", "hardtanh.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kIntegers | kUnsigned | kFloats | kFloat8s,
      .note =
          "bounds of an integral self are truncated; if min_val > max_val the result is max_val; a "
          "NaN bound fills NaN, also in float8, which has no kernel for other bounds"};

  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_uint64_number(operands);
  }
  template <class T>
  struct Params {
    bool has_min = true, has_max = true;
    T min, max;
    Params(const Call& call, DType common)
        : min(bound(call, "min_val", -1, common)), max(bound(call, "max_val", 1, common)) {
      if constexpr (std::is_integral_v<T>) {
        has_min = !below<T>(whole(call, "min_val", -1));
        has_max = !above<T>(whole(call, "max_val", 1));
      }
    }
    static T bound(const Call& call, std::string_view name, int otherwise, DType common) {
      if constexpr (std::is_integral_v<T>) return static_cast<T>(whole(call, name, otherwise));
      return internal::rounded_parameter<T>(call, name, otherwise, common);
    }
  };

  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    const DType dtype = promoted.common;
    if (is_floating(dtype)) {
      if (const auto refused =
              internal::check_numbers(call, DType::kFloat64, {"min_val", "max_val"}))
        return refused;
      if (std::isnan(number_to<double>(call.number("min_val", -1))) ||
          std::isnan(number_to<double>(call.number("max_val", 1))))
        return std::nullopt;  // a NaN bound makes the other one irrelevant
      if (kFloat8s.contains(dtype))
        return Rejection{RejectionCode::kUnsupportedDType, "no float8 kernel"};
      return internal::check_numbers(call, dtype, {"min_val", "max_val"});
    }
    if (const auto refused = internal::check_numbers(call, DType::kInt64, {"min_val", "max_val"}))
      return refused;
    const std::int64_t low = whole(call, "min_val", -1);
    const std::int64_t high = whole(call, "max_val", 1);
    if (beyond(dtype, low, high))
      return Rejection{RejectionCode::kAttributeOverflow, "no value lies within the bounds"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    if constexpr (std::is_integral_v<T>) {
      if (params.has_min && x < params.min) x = params.min;
      return params.has_max && x > params.max ? params.max : x;
    } else {
      const T raised = x < params.min || params.min != params.min ? params.min : x;
      return (raised > params.max || params.max != params.max) && x == x ? params.max : raised;
    }
  }

 private:
  static std::int64_t whole(const Call& call, std::string_view name, int otherwise) {
    return number_to<std::int64_t>(call.number(name, otherwise));
  }
  template <class T>
  static bool below(std::int64_t value) {
    return std::is_unsigned_v<T> ? value < 0
                                 : value < static_cast<std::int64_t>(std::numeric_limits<T>::min());
  }
  template <class T>
  static bool above(std::int64_t value) {
    return value > 0 && static_cast<std::uint64_t>(value) >
                            static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  }
  /// Whether a bound is refused: a lower bound above the dtype's range, or an upper bound below it.
  /// A bound that is out of range on its own side has no effect, as in clamp.
  static bool beyond(DType dtype, std::int64_t low, std::int64_t high) {
    bool refused = false;
    for_each_element(ComputeElements{}, [&](auto row) {
      using T = typename decltype(row)::type;
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        if (row.dtype == dtype) refused = above<T>(low) || below<T>(high);
    });
    return refused;
  }
};

struct LeakyRelu {
  static constexpr OpSpec spec{
      .name = "leaky_relu",
      .overloads = {{{"leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
                      "leaky_relu_", "leaky_relu.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats};

  template <class T>
  struct Params {
    T slope;
    Params(const Call& call, DType) : slope(number_to<T>(call.number("negative_slope", 0.01))) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_numbers(call, compute_dtype(promoted.common), {"negative_slope"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return x > 0 ? x : x * params.slope;
  }
};

struct RRelu {
  static constexpr OpSpec spec{
      .name = "rrelu",
      .overloads = {{{"rrelu(Tensor self, Scalar lower=0.125, Scalar upper=0.3333333333333333) -> "
                      "Tensor",
                      "rrelu_", ""}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .layout = ResultLayout::kContiguous,
      .note = "training=False: leaky_relu with the mean slope",
      .samples = {{{"lower", "0.125, 0"}, {"upper", "0.3333333333333333, 1"}}}};

  template <class T>
  struct Params {
    T slope;
    Params(const Call& call, DType) : slope(number_to<T>(mean(call))) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    if (const auto refused = internal::check_numbers(call, DType::kFloat64, {"lower", "upper"}))
      return refused;
    const double low = number_to<double>(call.number("lower", 0.125));
    const double high = number_to<double>(call.number("upper", 0.3333333333333333));
    if (!std::isfinite(low) || !std::isfinite(high) || low > high)
      return Rejection{RejectionCode::kBadAttribute, "the bounds are finite and in order"};
    if (!number_fits(mean(call), compute_dtype(promoted.common)))
      return Rejection{RejectionCode::kAttributeOverflow, "the slope does not fit the dtype"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return x > 0 ? x : x * params.slope;
  }

 private:
  static Number mean(const Call& call) {
    return (number_to<double>(call.number("lower", 0.125)) +
            number_to<double>(call.number("upper", 0.3333333333333333))) /
           2;
  }
};

struct HardSigmoid {
  static constexpr OpSpec spec{
      .name = "hardsigmoid",
      .overloads = unary("hardsigmoid(Tensor self) -> Tensor", "hardsigmoid_", "hardsigmoid.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .accuracy = kActivation};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if (x <= -3 || x >= 3) return x < 0 ? T(0) : T(1);
    return once_rounded([](double w) { return (w + 3) / 6; },
                        [](double w) { return precise::hardsigmoid_between(w); }, x);
  }
};

struct HardSwish {
  static constexpr OpSpec spec{
      .name = "hardswish",
      .overloads = unary("hardswish(Tensor self) -> Tensor", "hardswish_", "hardswish.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .accuracy = kActivation,
      .note = "hardswish(-inf) = -0"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    const double v = x;
    if (v <= -3 || v >= 3) return v < 0 ? static_cast<T>(-0.0) : x;
    return once_rounded([](double w) { return w * ((w + 3) / 6); },
                        [](double w) { return precise::hardswish_between(w); }, x);
  }
};

struct HardShrink {
  static constexpr OpSpec spec{
      .name = "hardshrink",
      .overloads = {{{"hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", "",
                      "hardshrink.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .note = "0 from -lambd to lambd; lambd is rounded to the dtype"};

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
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return x >= -params.lambd && x <= params.lambd ? T(0) : x;
  }
};

struct SoftShrink {
  static constexpr OpSpec spec{
      .name = "softshrink",
      .overloads = {{{"softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", "",
                      "softshrink.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .note = "0 * self between -lambd and lambd, else self moved by lambd toward 0"};

  template <class T>
  struct Params {
    T lambd;
    Params(const Call& call, DType) : lambd(number_to<T>(call.number("lambd", 0.5))) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    const Number lambd = call.number("lambd", 0.5);
    if (!number_fits(lambd, DType::kFloat64))
      return Rejection{RejectionCode::kAttributeOverflow, "lambd is not real"};
    const auto value = number_to<double>(lambd);
    if (!(value >= 0 && value <= largest_finite(promoted.common)))
      return Rejection{RejectionCode::kBadAttribute, "lambd is finite and not negative"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return x > params.lambd ? x - params.lambd : x < -params.lambd ? x + params.lambd : x * T(0);
  }
};

struct Threshold {
  static constexpr OpSpec spec{
      .name = "threshold",
      .overloads = {{{"threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
                      "threshold_", "threshold.out"}}},
      .operands = kSelf,
      .dtypes = kIntegers | kFloats,
      .checks_overlap = false,
      .note = "value where self <= threshold; both are truncated for an integral self",
      .has_layouts_of_interest = true,
      .samples = {{{"threshold", "0, 2.5, -1, nan"}, {"value", "3, 2.5, nan"}}},
      .sweep = {.attributes = "threshold=3, value=2"}};

  template <class T>
  struct Params {
    T threshold, value;
    Params(const Call& call, DType common)
        : threshold(number_to<T>(call.number("threshold", 0))),
          value(internal::rounded_parameter<T>(call, "value", 0, common)) {}
  };
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    // The kernels of float16 and bfloat16 compare in float32.
    const bool reduced = kReducedFloats.contains(promoted.common);
    if (auto refusal = internal::check_numbers(call, reduced ? DType::kFloat32 : promoted.common,
                                               {"threshold"}))
      return refusal;
    return internal::check_numbers(call, promoted.common, {"value"});
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, const Params<T>& params) const {
    return x <= params.threshold ? params.value : x;
  }
};

struct PReluKernel {
  static constexpr OpSpec spec{
      .name = "_prelu_kernel",
      .overloads = {{{"_prelu_kernel(Tensor self, Tensor weight) -> Tensor", "", ""}}},
      .operands = {"self", "weight"},
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .layout = ResultLayout::kLikeFirstOperand,
      .gpu_scalars = kNoGpuScalars};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x, T weight) const {
    return x > 0 ? x : weight * x;
  }
};

struct PRelu {
  static constexpr OpSpec spec{
      .name = "prelu",
      .overloads = {{{"prelu(Tensor self, Tensor weight) -> Tensor", "", ""}}},
      .operands = {"self", "weight"},
      .promotion = PromotionKind::kOwn,
      .note = "both operands have one dtype"};

  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    const Argument& self = call.argument("self");
    Argument weight = call.argument("weight");
    const Dims sizes = self.tensor.sizes;
    const Dims given = weight.tensor.sizes;
    if (given.size() > 1 ||
        (given.size() == 1 && given[0] != 1 && !is_per_channel(sizes, given[0])))
      return Rejection{RejectionCode::kShapeMismatch, "weight is not a vector of channels"};
    if (weight.tag == Argument::Tag::kTensor && weight.tensor.defined())
      weight.tensor = along_channels(weight.tensor, sizes.size());
    Composition steps(call, caller);
    return steps.finish(steps.call("_prelu_kernel", self, weight));
  }

 private:
  static bool is_per_channel(const Dims& sizes, std::int64_t channels) {
    return sizes.size() > 1 && sizes[1] == channels;
  }
  static Tensor along_channels(const Tensor& weight, std::size_t dimensions) {
    Tensor view = weight;
    const std::int64_t count = weight.sizes.empty() ? 1 : weight.sizes[0];
    const std::int64_t stride = weight.strides.empty() ? 1 : weight.strides[0];
    view.sizes.assign(dimensions, 1);
    view.strides.assign(dimensions, 1);
    if (dimensions > 1) {
      view.sizes[1] = count;
      view.strides[1] = stride;
    }
    return view;
  }
};

using PiecewiseActivation =
    OpFamily<Relu, Relu6, HardTanh, LeakyRelu, RRelu, HardSigmoid, HardSwish, HardShrink,
             SoftShrink, Threshold, PReluKernel, PRelu>;

}  // namespace upcast
