// The ops add, sub, rsub, mul, div with its rounding modes, the remainders, neg, abs, reciprocal
// and square.
#pragma once

#include <cmath>

#include "impl/math/complex_division.h"
#include "impl/math/integer_division.h"
#include "impl/math/wrapping.h"
#include "impl/ops/make_op.h"
#include "impl/ops/number_cast.h"
#include "impl/ops/overloads.h"

namespace upcast {

inline constexpr DTypeSet kArithmetic = kIntegers | kFloats | kComplexHalf | kFullComplex;

namespace internal {

inline constexpr Samples kAlphas{"alpha", "2, -1, 2.5, 300, True, 1+2j"};
/// Values of a Scalar divisor for grids. -1 is left out: LibTorch dies when it divides the least
/// integer by -1 (a known difference).
inline constexpr Samples kScalarDivisors{"other",
                                         "0, -0.0, 1, -3, 2, 300, 2.5, 0.1, 1e30, True, nan, inf"};

/// Refuses an alpha of add and sub, as alpha_check of ATen's BinaryOps.h does.
inline std::optional<Rejection> check_alpha(const Call& call, DType common) {
  const Number alpha = call.number("alpha", 1);
  if (is_bool(alpha.dtype()) && !is_bool(common))
    return Rejection{RejectionCode::kBadAttribute, "a bool alpha needs a bool result"};
  if ((is_integral(common) || is_bool(common)) && !is_integral(alpha.dtype()) &&
      !is_bool(alpha.dtype()))
    return Rejection{RejectionCode::kBadAttribute, "an integral result needs an integral alpha"};
  if (!is_complex(common) && is_complex(alpha.dtype()))
    return Rejection{RejectionCode::kBadAttribute, "a real result needs a real alpha"};
  if (!number_fits(alpha, common))
    return Rejection{RejectionCode::kAttributeOverflow, "alpha does not fit the common dtype"};
  return std::nullopt;
}

inline std::optional<Rejection> check_no_bool(std::span<const TypedOperand> operands) {
  for (const TypedOperand& operand : operands)
    if (is_bool(operand.dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "subtraction refuses bool operands"};
  return std::nullopt;
}

/// The alpha of add. A real alpha multiplies the parts of a complex number one by one, as C23,
/// G.5.1 asks for.
template <class T>
struct AlphaParams {
  T alpha;
  bool is_real;
  AlphaParams(const Call& call, DType) : AlphaParams(call.number("alpha", 1)) {}

 protected:
  explicit AlphaParams(const Number& number)
      : alpha(number_to<T>(number)), is_real(!is_complex(number.dtype())) {}
};

/// a + alpha * b. The tests depend on alpha only, so the compiler moves them out of the loop over
/// elements.
template <class T>
UPCAST_HOST_DEVICE T add_scaled(T a, const AlphaParams<T>& params, T b) {
  const T alpha = params.alpha;
  if constexpr (kIsInteger<T>) {
    if (alpha == T(1)) return wrapping_add(a, b);
    if (alpha == static_cast<T>(-1)) return wrapping_sub(a, b);
  }
  if constexpr (kIsComplex<T>) {
    if (params.is_real) return {a.re + alpha.re * b.re, a.im + alpha.re * b.im};
  }
  return wrapping_add(a, wrapping_mul(alpha, b));
}

/// The alpha of sub and rsub, negated: these ops add -alpha times an operand.
template <class T>
struct NegatedAlphaParams : AlphaParams<T> {
  NegatedAlphaParams(const Call& call, DType) : AlphaParams<T>(call.number("alpha", 1)) {
    if constexpr (kIsInteger<T>)
      this->alpha = wrapping_neg(this->alpha);
    else
      this->alpha = -this->alpha;
  }
};

enum class RoundingMode : std::uint8_t { kTrue, kTrunc, kFloor, kUnknown };

inline RoundingMode rounding_mode(const Call& call) {
  const Argument& mode = call.argument("rounding_mode");
  if (mode.tag != Argument::Tag::kText) return RoundingMode::kTrue;
  return mode.text == "trunc"   ? RoundingMode::kTrunc
         : mode.text == "floor" ? RoundingMode::kFloor
                                : RoundingMode::kUnknown;
}

/// Whether a divisor is an integer 0. If so, raises the fault; the functor then returns 0.
template <class T>
UPCAST_HOST_DEVICE bool divides_by_zero(T b, Fault& fault) {
  if constexpr (kIsInteger<T>) {
    if (b == 0) {
      fault.zero_division = true;
      return true;
    }
  }
  return false;
}

template <class T>
UPCAST_HOST_DEVICE T floor_quotient(T a, T b) {
  if constexpr (kIsInteger<T>)
    return divide_toward_floor(a, b);
  else
    return float_floor_divide(a, b);
}

}  // namespace internal

struct Add {
  static constexpr OpSpec spec{
      .name = "add",
      .overloads = {{{"add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                      "add_.Tensor", "add.out"},
                     {"add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                      "add_.Scalar", "add.Scalar_out", true}}},
      .operands = kSelfOther,
      .dtypes = kBools | kArithmetic,
      .note =
          "bool: or; integers wrap; alpha * other is not rounded on its own; a real alpha "
          "scales parts",
      .takes_numbers_as_tensors = true,
      .has_layouts_of_interest = true,
      .samples = {{internal::kAlphas}}};

  template <class T>
  using Params = internal::AlphaParams<T>;

  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_alpha(call, promoted.common);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b, const Params<T>& params) const {
    if constexpr (std::is_same_v<T, bool>)
      return a | (params.alpha & b);  // without branches, so that the loop has vectors
    else
      return internal::add_scaled(a, params, b);
  }
};

struct Sub {
  static constexpr OpSpec spec{
      .name = "sub",
      .overloads = {{{"sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                      "sub_.Tensor", "sub.out"},
                     {"sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                      "sub_.Scalar", "sub.Scalar_out", true},
                     {"subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                      "subtract_.Tensor", "subtract.out"},
                     {"subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
                      "subtract_.Scalar", ""}}},
      .operands = kSelfOther,
      .dtypes = kArithmetic,
      .note = "refuses any bool operand; integers wrap",
      .takes_numbers_as_tensors = true,
      .samples = {{internal::kAlphas}}};

  template <class T>
  using Params = internal::NegatedAlphaParams<T>;

  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::check_no_bool(operands);
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_alpha(call, promoted.common);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b, const Params<T>& params) const {
    return internal::add_scaled(a, params, b);
  }
};

/// rsub computes other - alpha * self.
struct Rsub {
  static constexpr OpSpec spec{
      .name = "rsub",
      .overloads = {{{"rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", "",
                      "rsub.Tensor_out", true},
                     {"rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", "",
                      "rsub.Scalar_out", true}}},
      // self and other are exchanged, so that the functor of sub fits.
      .operands = {"other", "self"},
      .dtypes = kArithmetic,
      .note = "refuses any bool operand; integers wrap",
      .samples = {{internal::kAlphas}}};

  template <class T>
  using Params = internal::NegatedAlphaParams<T>;

  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    return internal::check_no_bool(operands);
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    return internal::check_alpha(call, promoted.common);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b, const Params<T>& params) const {
    return internal::add_scaled(a, params, b);
  }
};

struct Mul {
  static constexpr OpSpec spec{
      .name = "mul",
      .overloads = {{{"mul.Tensor(Tensor self, Tensor other) -> Tensor", "mul_.Tensor", "mul.out"},
                     {"mul.Scalar(Tensor self, Scalar other) -> Tensor", "mul_.Scalar",
                      "mul.Scalar_out", true},
                     {"multiply.Tensor(Tensor self, Tensor other) -> Tensor", "multiply_.Tensor",
                      "multiply.out"},
                     {"multiply.Scalar(Tensor self, Scalar other) -> Tensor", "multiply_.Scalar",
                      ""}}},
      .operands = kSelfOther,
      .dtypes = kBools | kArithmetic | kUnsigned | kFloat8s,
      .note = "bool: and; integers wrap; complex without recovery of infinities",
      .takes_numbers_as_tensors = true};

  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    if constexpr (std::is_same_v<T, bool>)
      return a && b;
    else
      return wrapping_mul(a, b);
  }
};

struct Div {
  static constexpr OpSpec spec{
      .name = "div",
      .overloads = {{{"div.Tensor(Tensor self, Tensor other) -> Tensor", "div_.Tensor", "div.out"},
                     {"div.Scalar(Tensor self, Scalar other) -> Tensor", "div_.Scalar",
                      "div.Scalar_out", true},
                     {"divide.Tensor(Tensor self, Tensor other) -> Tensor", "divide_.Tensor",
                      "divide.out"},
                     {"divide.Scalar(Tensor self, Scalar other) -> Tensor", "divide_.Scalar", ""},
                     {"true_divide.Tensor(Tensor self, Tensor other) -> Tensor",
                      "true_divide_.Tensor", "true_divide.out"},
                     {"true_divide.Scalar(Tensor self, Scalar other) -> Tensor",
                      "true_divide_.Scalar", ""}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats | kFullComplex,
      .divisor = "other",
      .takes_numbers_as_tensors = true,
      .has_layouts_of_interest = true,
      .samples = {{internal::kScalarDivisors}}};

  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b) const {
    return divide(a, b);
  }
};

/// div with a rounding_mode. The mode None means true division, as in div.
struct DivMode {
  static constexpr OpSpec spec{
      .name = "div",
      .overloads = {{{"div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
                      "div_.Tensor_mode", "div.out_mode"},
                     {"div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
                      "div_.Scalar_mode", "div.Scalar_mode_out", true},
                     {"divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> "
                      "Tensor",
                      "divide_.Tensor_mode", "divide.out_mode"},
                     {"divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> "
                      "Tensor",
                      "divide_.Scalar_mode", ""}}},
      .operands = kSelfOther,
      .promotion = PromotionKind::kOwn,
      .dtypes = kIntegers | kFloats | kFullComplex,
      .note = "int_to_float without a mode, default with trunc or floor",
      .divisor = "other",
      .takes_numbers_as_tensors = true,
      .has_layouts_of_interest = true,
      .samples = {{{"rounding_mode", "", R"(None, "trunc", "floor")"}, internal::kScalarDivisors}}};

  template <class T>
  struct Params {
    internal::RoundingMode mode;
    Params(const Call& call, DType) : mode(internal::rounding_mode(call)) {}
  };

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    if (internal::rounding_mode(call) == internal::RoundingMode::kUnknown)
      return Rejection{RejectionCode::kBadAttribute, "rounding_mode is None, trunc or floor"};
    return std::nullopt;
  }
  static Outcome<Promoted> types(const Call& call, const TypesQuery& query) {
    return compute_types(internal::rounding_mode(call) == internal::RoundingMode::kTrue
                             ? PromotionKind::kIntToFloat
                             : PromotionKind::kDefault,
                         query);
  }
  static std::optional<Rejection> check_types(const Call& call, Promoted promoted) {
    if (is_complex(promoted.common) &&
        internal::rounding_mode(call) != internal::RoundingMode::kTrue)
      return Rejection{RejectionCode::kUnsupportedDType, "complex division has no rounding mode"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b, const Params<T>& params, Fault& fault) const {
    if constexpr (kIsComplex<T>) {
      return divide(a, b);
    } else {
      if (internal::divides_by_zero(b, fault)) return T(0);
      if (params.mode == internal::RoundingMode::kFloor) return internal::floor_quotient(a, b);
      if constexpr (kIsInteger<T>) {
        return divide_toward_zero(a, b);
      } else {
        const T quotient = a / b;
        return params.mode == internal::RoundingMode::kTrunc ? std::trunc(quotient) : quotient;
      }
    }
  }
};

struct FloorDivide {
  static constexpr OpSpec spec{
      .name = "floor_divide",
      .overloads = {{{"floor_divide(Tensor self, Tensor other) -> Tensor", "floor_divide_.Tensor",
                      "floor_divide.out"},
                     {"floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
                      "floor_divide_.Scalar", "floor_divide.Scalar_out", true}}},
      .operands = kSelfOther,
      .dtypes = kIntegers | kFloats,
      .note = "Python's //; an integer division by zero is refused",
      .divisor = "other",
      .takes_numbers_as_tensors = true};

  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b, Fault& fault) const {
    return internal::divides_by_zero(b, fault) ? T(0) : internal::floor_quotient(a, b);
  }
};

struct Remainder {
  static constexpr OpSpec spec{
      .name = "remainder",
      .overloads = {{{"remainder.Tensor(Tensor self, Tensor other) -> Tensor", "remainder_.Tensor",
                      "remainder.Tensor_out"},
                     {"remainder.Scalar(Tensor self, Scalar other) -> Tensor", "remainder_.Scalar",
                      "remainder.Scalar_out"},
                     {"remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", "",
                      "remainder.Scalar_Tensor_out", true}}},
      .operands = kSelfOther,
      .dtypes = kIntegers | kFloats,
      .note = "Python's %: the sign of the divisor",
      .divisor = "other"};

  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b, Fault& fault) const {
    if (internal::divides_by_zero(b, fault)) return T(0);
    if constexpr (kIsInteger<T>)
      return remainder_toward_floor(a, b);
    else
      return float_remainder(a, b);
  }
};

struct Fmod {
  static constexpr OpSpec spec{.name = "fmod",
                               .overloads = {{{"fmod.Tensor(Tensor self, Tensor other) -> Tensor",
                                               "fmod_.Tensor", "fmod.Tensor_out"},
                                              {"fmod.Scalar(Tensor self, Scalar other) -> Tensor",
                                               "fmod_.Scalar", "fmod.Scalar_out"}}},
                               .operands = kSelfOther,
                               .dtypes = kIntegers | kFloats,
                               .note = "C's fmod and %: the sign of the dividend",
                               .divisor = "other"};

  template <class T>
  UPCAST_HOST_DEVICE T operator()(T a, T b, Fault& fault) const {
    if (internal::divides_by_zero(b, fault)) return T(0);
    if constexpr (kIsInteger<T>)
      return remainder_toward_zero(a, b);
    else
      return std::fmod(a, b);
  }
};

struct Neg {
  static constexpr OpSpec spec{
      .name = "neg",
      .overloads = unary("neg(Tensor self) -> Tensor", "neg_", "neg.out",
                         "negative(Tensor self) -> Tensor", "negative_", "negative.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kArithmetic,
      .has_layouts_of_interest = true};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsInteger<T>)
      return wrapping_neg(x);
    else
      return -x;
  }
};

struct Abs {
  static constexpr OpSpec spec{
      .name = "abs",
      .overloads = unary("abs(Tensor self) -> Tensor", "abs_", "abs.out",
                         "absolute(Tensor self) -> Tensor", "absolute_", "absolute.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kComplexToReal,
      .dtypes = kArithmetic | (kFloat8s - DTypeSet(DType::kFloat8E8M0FNU)),
      .accuracy = {.reduced = {0.51F, 0.51F}, .complex64 = {0.51F, 1.F}, .complex128 = {1.F, 1.F}},
      .note = "the most negative integer stays as it is; complex: the modulus, refused in place",
      .has_layouts_of_interest = true};

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand> operands) {
    if (call.form == Form::kInPlace && is_complex(operands[0].dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "abs_ refuses complex tensors"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE RealOf<T> operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return static_cast<RealOf<T>>(
          std::hypot(static_cast<double>(x.re), static_cast<double>(x.im)));
    else if constexpr (kIsInteger<T>)
      return x < T(0) ? wrapping_neg(x) : x;
    else
      return std::abs(x);
  }
};

struct Reciprocal {
  static constexpr OpSpec spec{
      .name = "reciprocal",
      .overloads = unary("reciprocal(Tensor self) -> Tensor", "reciprocal_", "reciprocal.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kIntToFloat,
      .dtypes = kFloats | kFullComplex};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return divide(T{1, 0}, x);
    else
      return T(1) / x;
  }
};

struct Square {
  static constexpr OpSpec spec{
      .name = "square",
      .overloads = unary("square(Tensor self) -> Tensor", "square_", "square.out"),
      .operands = kSelf,
      .promotion = PromotionKind::kBoolToLong,
      .dtypes = kIntegers | kFloats | kFullComplex,
      .note = "ATen computes pow(self, 2)"};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return wrapping_mul(x, x);
  }
};

using Arithmetic = OpFamily<Add, Sub, Rsub, Mul, Div, DivMode, FloorDivide, Remainder, Fmod, Neg,
                            Abs, Reciprocal, Square>;

}  // namespace upcast
