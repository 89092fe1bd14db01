// where, clamp, maximum, minimum, fmax, fmin, nextafter.
#pragma once

#include <cmath>
#include <cstring>

#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"

namespace upcast {

inline constexpr DTypeSet kOrderable = kBools | kIntegers | kUnsigned | kFloats;

namespace internal {

template <class T>
bool is_nan(T x) {
  return !(x == x);
}

/// NaN if either is NaN; of two equal zeros the first.
template <class T>
T maximum(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : a < b ? b : a;
}
template <class T>
T minimum(T a, T b) {
  return is_nan(a) ? a : is_nan(b) ? b : b < a ? b : a;
}

inline std::optional<Rejection> refuse_complex(std::span<const TypedOperand> operands) {
  for (const TypedOperand& operand : operands)
    if (is_complex(operand.dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "complex numbers have no order"};
  return std::nullopt;
}

}  // namespace internal

struct Maximum {
  static constexpr OpSpec spec{
      .name = "maximum",
      .overloads = {{{"maximum(Tensor self, Tensor other) -> Tensor", "", "maximum.out"}}},
      .operands = kSelfOther,
      .dtypes = kOrderable};
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_complex(operands);
  }
  template <class T>
  T operator()(T a, T b) const {
    return internal::maximum(a, b);
  }
};

struct Minimum {
  static constexpr OpSpec spec{
      .name = "minimum",
      .overloads = {{{"minimum(Tensor self, Tensor other) -> Tensor", "", "minimum.out"}}},
      .operands = kSelfOther,
      .dtypes = kOrderable};
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_complex(operands);
  }
  template <class T>
  T operator()(T a, T b) const {
    return internal::minimum(a, b);
  }
};

struct Fmax {
  static constexpr OpSpec spec{
      .name = "fmax",
      .overloads = {{{"fmax(Tensor self, Tensor other) -> Tensor", "", "fmax.out"}}},
      .operands = kSelfOther,
      .dtypes = kOrderable,
      .note = "ignores NaN; of two equal zeros the first"};
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_complex(operands);
  }
  template <class T>
  T operator()(T a, T b) const {
    return internal::is_nan(a) ? b : internal::is_nan(b) ? a : a < b ? b : a;
  }
};

struct Fmin {
  static constexpr OpSpec spec{
      .name = "fmin",
      .overloads = {{{"fmin(Tensor self, Tensor other) -> Tensor", "", "fmin.out"}}},
      .operands = kSelfOther,
      .dtypes = kOrderable};
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::refuse_complex(operands);
  }
  template <class T>
  T operator()(T a, T b) const {
    return internal::is_nan(a) ? b : internal::is_nan(b) ? a : b < a ? b : a;
  }
};

/// Steps in the common dtype: of float16 and bfloat16 on their own codes.
struct NextAfter {
  static constexpr OpSpec spec{.name = "nextafter",
                               .overloads = {{{"nextafter(Tensor self, Tensor other) -> Tensor",
                                               "nextafter_", "nextafter.out"}}},
                               .operands = kSelfOther,
                               .dtypes = kFloats};

  template <class T>
  struct Params {
    DType common;
    Params(const Call&, DType dtype) : common(dtype) {}
  };

  template <class T>
  T operator()(T from, T to, const Params<T>& params) const {
    if constexpr (std::is_same_v<T, float>) {
      if (params.common == DType::kFloat16) return step<Half>(from, to);
      if (params.common == DType::kBFloat16) return step<BFloat16>(from, to);
    }
    return std::nextafter(from, to);
  }

 private:
  template <class F>
  static float step(float from, float to) {
    if (std::isnan(from) || std::isnan(to)) return from + to;
    if (from == to) return to;
    if (from == 0) return std::copysign(static_cast<float>(F::from_bits(1)), to);
    const auto bits = F(static_cast<double>(from)).bits;
    const bool away = (from < to) == (from > 0);
    return static_cast<float>(
        F::from_bits(static_cast<decltype(F::bits)>(away ? bits + 1 : bits - 1)));
  }
};

/// The condition chooses; self and other promote by result_type.
struct Where {
  static constexpr OpSpec spec{
      .name = "where",
      .overloads =
          {{{"where.self(Tensor condition, Tensor self, Tensor other) -> Tensor", "",
             "where.self_out"},
            {"where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor", "", ""},
            {"where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor", "", ""},
            {"where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor", "", ""}}},
      .operands = {"condition", "self", "other"},
      .promotion = PromotionKind::kOwn,
      .dtypes = kElementwise,
      .unpromoted_operands = 1,
      .note = "out has exactly the result dtype; the condition is bool, or uint8 with a warning"};

  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    if (operands[0].dtype != DType::kBool && operands[0].dtype != DType::kUInt8)
      return Rejection{RejectionCode::kUnsupportedDType, "the condition of where is bool"};
    return std::nullopt;
  }
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    const auto common =
        to_outcome(result_type(query.inputs.subspan(1), query.defaults, *query.rules));
    if (!common.ok()) return common.rejection();
    return exact_output(common.value(), common.value(), query.out);
  }
  template <class T>
  T operator()(T condition, T a, T b) const {
    return convert<bool>(condition) ? a : b;
  }
};

/// Bounds are tensors; an absent one does not bind.
struct ClampTensor {
  static constexpr OpSpec spec{
      .name = "clamp",
      .overloads = {{{"clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
                      "clamp_.Tensor", "clamp.Tensor_out"}}},
      .operands = {"self", "min", "max"},
      .dtypes = kOrderable,
      .note = "NaN in any operand gives NaN; where min > max the result is max"};

  template <class T>
  struct Params {
    bool has_min, has_max;
    Params(const Call& call, DType)
        : has_min(call.argument("min").tag != Argument::Tag::kAbsent),
          has_max(call.argument("max").tag != Argument::Tag::kAbsent) {}
  };

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    if (call.argument("min").tag == Argument::Tag::kAbsent &&
        call.argument("max").tag == Argument::Tag::kAbsent)
      return Rejection{RejectionCode::kBadAttribute, "clamp needs min or max"};
    return internal::refuse_complex(operands);
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    if (is_bool(promoted.common) && call.argument("min").tag != Argument::Tag::kAbsent &&
        call.argument("max").tag != Argument::Tag::kAbsent)
      return Rejection{RejectionCode::kUnsupportedDType, "no bool kernel for two bounds"};
    return std::nullopt;
  }
  template <class T>
  T operator()(T x, T low, T high, const Params<T>& params) const {
    if (params.has_min) x = internal::maximum(x, low);
    if (params.has_max) x = internal::minimum(x, high);
    return x;
  }
};

/// Bounds are Scalars: a floating self keeps its dtype, any other promotes with them.
struct ClampScalar {
  static constexpr OpSpec spec{
      .name = "clamp",
      .overloads = {{{"clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor", "clamp_",
                      "clamp.out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kOwn,
      .dtypes = kIntegers | kUnsigned | kFloats,
      .note =
          "out has exactly the result dtype; a bound beyond an integral range does not bind on "
          "its own side and is refused on the other"};

  template <class T>
  struct Params {
    bool has_min, has_max;
    T min, max;
    Params(const Call& call, DType)
        : has_min(call.argument("min").tag == Argument::Tag::kNumber),
          has_max(call.argument("max").tag == Argument::Tag::kNumber),
          min(number_to<T>(call.number("min", 0))),
          max(number_to<T>(call.number("max", 0))) {
      if constexpr (std::is_integral_v<T>) {
        has_min = has_min && !(as_double(call, "min") < double(std::numeric_limits<T>::min()));
        has_max = has_max && !(as_double(call, "max") > double(std::numeric_limits<T>::max()));
      }
    }
  };

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    if (call.argument("min").tag != Argument::Tag::kNumber &&
        call.argument("max").tag != Argument::Tag::kNumber)
      return Rejection{RejectionCode::kBadAttribute, "clamp needs min or max"};
    return internal::refuse_complex(operands);
  }
  static Outcome<Promoted> types(const Call& call, const TypesQuery& query) {
    DType common = query.inputs[0].dtype;
    if (!is_floating(common)) {
      std::array<TypedOperand, 3> operands{query.inputs[0]};
      for (int i = 0; const char* bound : {"min", "max"}) {
        const Argument& argument = call.argument(bound);
        ++i;
        if (argument.tag == Argument::Tag::kNumber)
          operands[i] = {argument.number.dtype(), Kind::kWrapped};
      }
      const DTypeResult found = result_type(operands, query.defaults, *query.rules);
      if (!found.ok()) return to_outcome(found).rejection();
      common = found.dtype();
    }
    return exact_output(common, common, query.out);
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    for (const char* bound : {"min", "max"}) {
      const Argument& argument = call.argument(bound);
      if (argument.tag != Argument::Tag::kNumber) continue;
      if (is_complex(argument.number.dtype()))
        return Rejection{RejectionCode::kUnsupportedDType, "complex numbers have no order"};
      if (is_floating(promoted.common) && !number_fits(argument.number, promoted.common))
        return Rejection{RejectionCode::kAttributeOverflow, "a bound does not fit the dtype"};
    }
    return std::nullopt;
  }
  template <class T>
  T operator()(T x, const Params<T>& params) const {
    if (params.has_min) x = internal::maximum(x, params.min);
    if (params.has_max) x = internal::minimum(x, params.max);
    return x;
  }

 private:
  static double as_double(const Call& call, std::string_view bound) {
    return number_to<double>(call.number(bound, 0));
  }
};

using Selection =
    OpFamily<Maximum, Minimum, Fmax, Fmin, NextAfter, Where, ClampTensor, ClampScalar>;

}  // namespace upcast
