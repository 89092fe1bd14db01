// The ops isnan, isinf, isfinite, isreal, isposinf, isneginf, signbit, isclose and equal.
#pragma once

#include <algorithm>
#include <cmath>

#include "impl/core/cast.h"
#include "impl/ops/composition.h"
#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"
#include "impl/ops/wrapped_tensor.h"

namespace upcast {

namespace internal {

inline std::optional<Rejection> bool_output_only(Promoted promoted) {
  if (!is_bool(promoted.result))
    return Rejection{RejectionCode::kDTypeMismatch, "out must be bool"};
  return std::nullopt;
}

inline TypedOperand typed(const Tensor& tensor) { return {tensor.dtype, tensor.kind()}; }

}  // namespace internal

struct IsNan {
  static constexpr OpSpec spec{
      .name = "isnan",
      .overloads = {{{"isnan(Tensor self) -> Tensor", "", "isnan.out", true}}},
      .operands = kSelf,
      .promotion = PromotionKind::kUnaryBool,
      .dtypes = kElementwise,
      .has_layouts_of_interest = true};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T x) const {
    return !(x == x);
  }
};

struct IsInf {
  static constexpr OpSpec spec{
      .name = "isinf",
      .overloads = {{{"isinf(Tensor self) -> Tensor", "", "isinf.out", true}}},
      .operands = kSelf,
      .promotion = PromotionKind::kUnaryBool,
      .dtypes = kElementwise};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return std::isinf(x.re) || std::isinf(x.im);
    else if constexpr (std::is_floating_point_v<T>)
      return std::isinf(x);
    else
      return false;
  }
};

struct IsFinite {
  static constexpr OpSpec spec{.name = "isfinite",
                               .overloads = {{{"isfinite(Tensor self) -> Tensor", "", ""}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kUnaryBool,
                               .dtypes = kElementwise};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return std::isfinite(x.re) && std::isfinite(x.im);
    else if constexpr (std::is_floating_point_v<T>)
      return std::isfinite(x);
    else
      return true;
  }
};

struct IsReal {
  static constexpr OpSpec spec{.name = "isreal",
                               .overloads = {{{"isreal(Tensor self) -> Tensor", "", ""}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kUnaryBool,
                               .dtypes = kElementwise};
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return x.im == 0;
    else
      return true;
  }
};

inline constexpr DTypeSet kSigned = kBools | kIntegers | kUnsigned | kFloats;

struct IsPosInf {
  static constexpr OpSpec spec{
      .name = "isposinf",
      .overloads = {{{"isposinf(Tensor self) -> Tensor", "", "isposinf.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kUnaryBool,
      .dtypes = kSigned,
      .note = "out must be bool"};
  static std::optional<Rejection> check_types(const Call&, Promoted promoted) {
    return internal::bool_output_only(promoted);
  }
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>)
      return x == std::numeric_limits<T>::infinity();
    else
      return false;
  }
};

struct IsNegInf {
  static constexpr OpSpec spec{
      .name = "isneginf",
      .overloads = {{{"isneginf(Tensor self) -> Tensor", "", "isneginf.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kUnaryBool,
      .dtypes = kSigned,
      .note = "out must be bool"};
  static std::optional<Rejection> check_types(const Call&, Promoted promoted) {
    return internal::bool_output_only(promoted);
  }
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>)
      return x == -std::numeric_limits<T>::infinity();
    else
      return false;
  }
};

struct SignBit {
  static constexpr OpSpec spec{
      .name = "signbit",
      .overloads = {{{"signbit(Tensor self) -> Tensor", "", "signbit.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kUnaryBool,
      .dtypes = kSigned,
      .note = "true for -0 and for a NaN whose sign bit is set; out must be bool"};
  static std::optional<Rejection> check_types(const Call&, Promoted promoted) {
    return internal::bool_output_only(promoted);
  }
  template <class T>
  UPCAST_HOST_DEVICE bool operator()(T x) const {
    if constexpr (std::is_floating_point_v<T>) {
      // Tests the bits, because std::signbit in a packed kernel makes GCC 12 fail with an internal
      // error.
      using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
      return std::bit_cast<Bits>(x) < 0;
    } else {
      return x < T(0);
    }
  }
};

/// isclose computes |self - other| <= atol + |rtol * other|. Each step is an op of its own, which
/// rounds.
struct IsClose {
  static constexpr OpSpec spec{
      .name = "isclose",
      .overloads = {{{"isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool "
                      "equal_nan=False) -> Tensor",
                      "", ""}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kOwn,
      .note = "all operands must have one dtype; integers are compared in the default dtype",
      .samples = {{{"rtol", "1e-5, 0.0"}, {"atol", "1e-8, 0.5"}, {"equal_nan", "False, True"}}}};

  static Outcome<Promoted> types(const Call& call, const TypesQuery& query) {
    if (query.inputs[0].dtype != query.inputs[1].dtype)
      return Rejection{RejectionCode::kDTypeMismatch, "both operands must have one dtype"};
    for (const char* tolerance : {"rtol", "atol"})
      // The condition is written so that a NaN tolerance is refused too.
      if (!(number_to<double>(call.number(tolerance, 1e-8)) >= 0))
        return Rejection{RejectionCode::kBadAttribute, "a tolerance is negative, or NaN"};
    return Promoted{query.inputs[0].dtype, DType::kBool};
  }
  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    const Tensor self = operand_tensor(call.argument("self"));
    const Tensor other = operand_tensor(call.argument("other"));
    if (!self.defined() || !other.defined())
      return Rejection{RejectionCode::kUndefinedOperand, "an operand is undefined"};
    const std::array<TypedOperand, 2> operands{internal::typed(self), internal::typed(other)};
    if (const auto typed = types(call, {.inputs = operands}); !typed.ok()) return typed.rejection();

    Composition steps(call, caller);
    Tensor close = steps.call("eq.Tensor", self, other);
    const bool inexact = is_floating(self.dtype) || is_complex(self.dtype);
    if (inexact && number_to<bool>(call.number("equal_nan", false)))
      close = steps.call(
          "bitwise_or.Tensor", close,
          steps.call("bitwise_and.Tensor", steps.call("isnan", self), steps.call("isnan", other)));
    const double rtol = number_to<double>(call.number("rtol", 1e-5));
    const double atol = number_to<double>(call.number("atol", 1e-8));
    if (rtol == 0 && atol == 0) return steps.finish(close);

    const auto as_default = [&](const Tensor& tensor) {
      const Tensor like{.dtype = call.defaults.floating,
                        .sizes = tensor.sizes,
                        .strides = contiguous_strides(tensor.sizes),
                        .device = tensor.device};
      return steps.call("copy", like, tensor);
    };
    const Tensor cast_self = is_bool(self.dtype) ? as_default(self) : self;
    const Tensor cast_other = inexact ? other : as_default(other);
    const Tensor relative = steps.call("abs", steps.call("mul.Scalar", cast_other, Number(rtol)));
    const Tensor allowed = steps.call("add.Scalar", relative, Number(atol));
    const Tensor error = steps.call("abs", steps.call("sub.Tensor", cast_self, cast_other));
    const Tensor within = steps.call("bitwise_and.Tensor", steps.call("isfinite", error),
                                     steps.call("le.Tensor", error, allowed));
    return steps.finish(steps.call("bitwise_or.Tensor", close, within));
  }
};

/// equal: whether both tensors have the same sizes and equal elements. Elements are compared in the
/// common dtype.
struct Equal {
  static constexpr OpSpec spec{
      .name = "equal",
      .overloads = {{{"equal(Tensor self, Tensor other) -> bool", "", ""}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kOwn,
      .gpu_scalars = kNoGpuScalars,
      .note = "a bool, not a tensor; NaN is not equal to itself"};

  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    const Outcome<DType> common = common_dtype(query.inputs, query.defaults, query.rules);
    if (!common.ok()) return common.rejection();
    if (!(kElementwise - kComplexHalf - kBComplexHalf).contains(common.value()))
      return Rejection{RejectionCode::kUnsupportedDType, "no kernel for the common dtype"};
    return Promoted{common.value(), DType::kBool};
  }
  static Outcome<CallResult> compose(const Call& call, Caller caller) {
    Tensor self = operand_tensor(call.argument("self"));
    Tensor other = operand_tensor(call.argument("other"));
    if (!self.defined() || !other.defined())
      return Rejection{RejectionCode::kUndefinedOperand, "an operand is undefined"};
    Tensor answer = make_tensor(DType::kBool, {});
    if (self.sizes != other.sizes) return CallResult{.tensor = std::move(answer)};
    const std::array<TypedOperand, 2> operands{internal::typed(self), internal::typed(other)};
    const TypesQuery query{.inputs = operands, .defaults = call.defaults, .rules = *call.rules};
    if (const auto typed = types(call, query); !typed.ok()) return typed.rejection();

    if (self.device == Device::kMeta || other.device == Device::kMeta)
      return Rejection{RejectionCode::kOther, "the meta device has no elements to compare"};
    Composition steps(call, caller);
    const Tensor same = steps.call("eq.Tensor", self, other);
    const Outcome<CallResult> done = steps.finish(same);
    if (!done.ok()) return done;
    const std::vector<std::byte> bytes = logical_bytes(copy_to(same, host_memory()));
    const bool all = std::all_of(bytes.begin(), bytes.end(),
                                 [](std::byte byte) { return byte != std::byte{0}; });
    *answer.data() = std::byte{all};
    return CallResult{.tensor = std::move(answer)};
  }
};

using Classification =
    OpFamily<IsNan, IsInf, IsFinite, IsReal, IsPosInf, IsNegInf, SignBit, IsClose, Equal>;

}  // namespace upcast
