// The ops pow, in its three argument orders, float_power and hypot.
#pragma once

#include <cmath>
#include <concepts>

#include "impl/math/complex_branchless.h"
#include "impl/math/double_power.h"
#include "impl/math/float_power.h"
#include "impl/math/widened.h"
#include "impl/math/wrapping.h"
#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"

namespace upcast {

namespace internal {

template <class T>
UPCAST_HOST_DEVICE T power(T base, T exponent) {
  if constexpr (kIsInteger<T>)
    return integer_power(base, exponent);
  else if constexpr (kIsComplex<T>)
    return upcast::pow(base, exponent);
  else
    return widened([](double x, double y) { return std::pow(x, y); }, base, exponent);
}

/// The branch-free version of pow, as a base of the ops that use it.
struct MostlyPower {
  template <std::same_as<float> T>
  static T mostly(T base, T exponent) {
    return branchless::pow_mostly(base, exponent);
  }
  template <std::same_as<float> T>
  static bool is_right(T, T, T found) {
    return branchless::is_known(found);
  }
  template <std::same_as<double> T>
  static T mostly(T base, T exponent) {
    return branchless::pow_mostly(base, exponent);
  }
  template <std::same_as<double> T>
  static bool is_right(T, T, T found) {
    return found == found;
  }
  template <std::same_as<Complex<double>> T>
  static T mostly(T base, T exponent) {
    return branchless::pow(base, exponent);
  }
  template <std::same_as<Complex<double>> T>
  static bool is_right(T, T, T found) {
    return branchless::is_ordinary(found);
  }
  template <std::same_as<Complex<double>> T>
  static bool is_tried(T base, T) {
    return base.im != 0;
  }
};

inline constexpr std::array<std::string_view, kMaxOperands> kSelfExponent{"self", "exponent"};

inline bool equals(const Number& number, int value) {
  return number.visit([value](auto v) {
    if constexpr (kIsComplex<decltype(v)>)
      return v.re == value && v.im == 0;
    else
      return static_cast<double>(v) == value;
  });
}

/// The common dtypes for which pow has a kernel.
inline constexpr DTypeSet kPowerTypes = kIntegers | kFloats | kFullComplex;

inline std::optional<Rejection> check_power_kernel(DType common) {
  if (kPowerTypes.contains(common)) return std::nullopt;
  return Rejection{RejectionCode::kUnsupportedDType, "no kernel for the common dtype"};
}

/// Whether a base is 1, and not True. The power is then 1 for every exponent.
inline bool is_one(const Number& base) { return !is_bool(base.dtype()) && equals(base, 1); }

/// Whether the parameter is a Scalar that equals `value`. A number that stands for a Tensor
/// parameter does not count.
inline bool scalar_is(const Call& call, std::string_view parameter, int value) {
  const Schema& schema = *call.schema;
  return schema.parameters[static_cast<std::size_t>(schema.find(parameter))].type ==
             ParameterType::kScalar &&
         equals(call.number(parameter, 1 - value), value);
}

inline bool is_negative(const Number& number) {
  return number.visit([](auto v) {
    if constexpr (std::is_same_v<decltype(v), std::int64_t>)
      return v < 0;
    else
      return false;
  });
}

}  // namespace internal

/// Error bounds of pow. Real dtypes: glibc's pow, of float64 in sums of two doubles where the loop
/// can. Complex dtypes: exp(y log x).
/// LibTorch computes the logarithm in the dtype itself, so its error grows with |y log x| (11 ulp
/// over the promotion grid). Ours has a wider logarithm.
inline constexpr Accuracy kPower{
    {0.51F, 1.F}, {1.F, 1.F}, {0.51F, 1.F}, {0.51F, 11.F}, {0.51F, 11.F}};

struct PowTensorTensor : internal::MostlyPower {
  static constexpr OpSpec spec{
      .name = "pow",
      .overloads = {{{"pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", "pow_.Tensor",
                      "pow.Tensor_Tensor_out"}}},
      .operands = internal::kSelfExponent,
      .dtypes = internal::kPowerTypes,
      .accuracy = kPower,
      .note = "integers: a negative exponent gives 0, 1 or -1",
      .has_layouts_of_interest = true};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T base, T exponent) const {
    return internal::power(base, exponent);
  }
};

/// pow with a Scalar as exponent. An integral base refuses a negative integral exponent. The
/// exponents 0 and 1 need no kernel.
struct PowTensorScalar : internal::MostlyPower {
  static constexpr OpSpec spec{
      .name = "pow",
      .overloads = {{{"pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", "pow_.Scalar",
                      "pow.Tensor_Scalar_out"}}},
      .operands = internal::kSelfExponent,
      .dtypes = kElementwise,
      .accuracy = kPower,
      .note = "exponent 0 fills 1, exponent 1 copies, both for every dtype",
      .has_layouts_of_interest = true};

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    const bool integral = is_integral(operands[0].dtype) || is_bool(operands[0].dtype);
    if (integral && internal::is_negative(call.number("exponent", 0)))
      return Rejection{RejectionCode::kBadAttribute,
                       "an integral base refuses a negative integral exponent"};
    return std::nullopt;
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    // LibTorch holds the exponent in the widest dtype of its category, but for float16 and bfloat16
    // in float32.
    const DType holds = promoted.common == DType::kFloat32     ? DType::kFloat64
                        : promoted.common == DType::kComplex64 ? DType::kComplex128
                                                               : promoted.common;
    if (!number_fits(call.number("exponent", 0), holds))
      return Rejection{RejectionCode::kAttributeOverflow, "the exponent does not fit the dtype"};
    const Number exponent = call.number("exponent", 0);
    if (internal::equals(exponent, 0) || internal::equals(exponent, 1)) return std::nullopt;
    return internal::check_power_kernel(promoted.common);
  }
  template <class T>
  struct Params {
    bool fills, copies;
    Params(const Call& call, DType)
        : fills(internal::equals(call.number("exponent", 0), 0)),
          copies(internal::equals(call.number("exponent", 0), 1)) {}
  };
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T base, T exponent, const Params<T>& params) const {
    return params.fills ? T{1} : params.copies ? base : internal::power(base, exponent);
  }
};

struct PowScalar : internal::MostlyPower {
  static constexpr OpSpec spec{
      .name = "pow",
      .overloads = {{{"pow.Scalar(Scalar self, Tensor exponent) -> Tensor", "", "pow.Scalar_out"}}},
      .operands = internal::kSelfExponent,
      .promotion = PromotionKind::kOwn,
      .dtypes = kElementwise,
      .accuracy = kPower,
      .layout = ResultLayout::kScalarFirstIsContiguous,
      .note =
          "base 1 fills 1 for every dtype and every out=, whatever the operands promote to; base "
          "True does not",
      .has_layouts_of_interest = true};

  static Outcome<Promoted> types(const Call& call, const TypesQuery& query) {
    if (!internal::is_one(call.number("self", 0)))
      return compute_types(PromotionKind::kDefault, query);
    TypesQuery without_out = query;
    without_out.out = DType::kUndefined;
    Outcome<Promoted> promoted = compute_types(PromotionKind::kDefault, without_out);
    if (query.out == DType::kUndefined) return promoted;
    return Promoted{promoted.ok() ? promoted.value().common : query.out, query.out};
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    if (internal::is_one(call.number("self", 0))) return std::nullopt;
    return internal::check_power_kernel(promoted.common);
  }
  template <class T>
  struct Params {
    bool fills;
    Params(const Call& call, DType) : fills(internal::is_one(call.number("self", 0))) {}
  };
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T base, T exponent, const Params<T>& params) const {
    return params.fills ? T{1} : internal::power(base, exponent);
  }
};

struct FloatPower : internal::MostlyPower {
  static constexpr OpSpec spec{
      .name = "float_power",
      .overloads = {{{"float_power.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
                      "float_power_.Tensor", "float_power.Tensor_Tensor_out"},
                     {"float_power.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
                      "float_power_.Scalar", "float_power.Tensor_Scalar_out"},
                     {"float_power.Scalar(Scalar self, Tensor exponent) -> Tensor", "",
                      "float_power.Scalar_out"}}},
      .operands = internal::kSelfExponent,
      .promotion = PromotionKind::kAlwaysDouble,
      .dtypes = DTypeSet(DType::kFloat64) | DTypeSet(DType::kComplex128),
      .accuracy = kPower,
      .converts_first = true,
      .layout = ResultLayout::kScalarFirstIsContiguous,
      .note =
          "also takes dtypes that do not promote with each other; a Scalar exponent of 0 and a "
          "Scalar base of 1 fill 1"};
  template <class T>
  struct Params {
    bool fills;
    Params(const Call& call, DType)
        : fills(internal::scalar_is(call, "exponent", 0) || internal::scalar_is(call, "self", 1)) {}
  };
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T base, T exponent, const Params<T>& params) const {
    return params.fills ? T{1} : internal::power(base, exponent);
  }
};

struct Hypot {
  static constexpr OpSpec spec{
      .name = "hypot",
      .overloads = {{{"hypot(Tensor self, Tensor other) -> Tensor", "hypot_", "hypot.out"}}},
      .operands = kSelfOther,
      .dtypes = kFloats,
      .accuracy = {{0.51F, 1.F}, {1.F, 1.F}, {0.51F, 0.51F}},
      .note = "infinite where either operand is, even if the other is NaN"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return widened([](double x, double y) { return std::hypot(x, y); }, a, b);
  }
};

using Powers = OpFamily<PowTensorTensor, PowTensorScalar, PowScalar, FloatPower, Hypot>;

}  // namespace upcast
