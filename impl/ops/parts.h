// Ops that take the parts of numbers, or make numbers from parts: real, imag, complex, polar,
// conj_physical, positive.
#pragma once

#include <cmath>

#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"
#include "impl/ops/wrapped_tensor.h"

namespace upcast {

namespace internal {

inline Rejection undefined_operand() {
  return {RejectionCode::kUndefinedOperand, "an operand is undefined"};
}

/// A view of the real (part 0) or imaginary (part 1) parts of a complex tensor.
inline Tensor part_view(Tensor tensor, int part) {
  tensor.dtype = to_real(tensor.dtype);
  tensor.offset = 2 * tensor.offset + part;
  for (std::int64_t& stride : tensor.strides) stride *= 2;
  tensor.wrapped_number = false;
  return tensor;
}

/// What complex and polar share: two real operands of one dtype give a complex result. The common
/// dtype is the result's, so the functor gets each operand as a complex number, in its real part.
inline Outcome<Promoted> complex_of_two(const TypesQuery& query) {
  constexpr DTypeSet kTaken{DType::kFloat16, DType::kFloat32, DType::kFloat64};
  const DType first = query.inputs[0].dtype;
  if (!kTaken.contains(first) || !kTaken.contains(query.inputs[1].dtype))
    return Rejection{RejectionCode::kUnsupportedDType, "takes float16, float32 and float64"};
  if (query.inputs[1].dtype != first)
    return Rejection{RejectionCode::kDTypeMismatch, "both parts must have one dtype"};
  return exact_output(to_complex(first), to_complex(first), query.out);
}

}  // namespace internal

struct Real {
  static constexpr OpSpec spec{.name = "real",
                               .overloads = {{{"real(Tensor(a) self) -> Tensor(a)", "", ""}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kOwn,
                               .note = "a view; self itself if it is real"};
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    return Promoted{query.inputs[0].dtype, to_real(query.inputs[0].dtype)};
  }
  static Outcome<CallResult> compose(const Call& call, Caller) {
    Tensor self = operand_tensor(call.argument("self"));
    if (!self.defined()) return internal::undefined_operand();
    if (is_complex(self.dtype)) self = internal::part_view(std::move(self), 0);
    return CallResult{.tensor = std::move(self)};
  }
};

struct Imag {
  static constexpr OpSpec spec{.name = "imag",
                               .overloads = {{{"imag(Tensor(a) self) -> Tensor(a)", "", ""}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kOwn,
                               .note = "a view; refuses real dtypes"};
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    const DType self = query.inputs[0].dtype;
    if (!is_complex(self))
      return Rejection{RejectionCode::kUnsupportedDType, "real numbers have no imaginary part"};
    return Promoted{self, to_real(self)};
  }
  static Outcome<CallResult> compose(const Call& call, Caller) {
    Tensor self = operand_tensor(call.argument("self"));
    if (!self.defined()) return internal::undefined_operand();
    if (!is_complex(self.dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "real numbers have no imaginary part"};
    return CallResult{.tensor = internal::part_view(std::move(self), 1)};
  }
};

struct MakeComplex {
  static constexpr OpSpec spec{
      .name = "complex",
      .overloads = {{{"complex(Tensor real, Tensor imag) -> Tensor", "", "complex.out"}}},
      .operands = {"real", "imag"},
      .promotion = PromotionKind::kOwn,
      .dtypes = kComplexHalf | kFullComplex,
      .unpromoted_operands = 3,
      .gpu_scalars = kNoGpuScalars,
      .note = "float16, float32 or float64, both the same; wrapped numbers are float64"};
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    return internal::complex_of_two(query);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T re, T im) const {
    return {re.re, im.re};
  }
};

/// The op polar. LibTorch rounds the cosine and the sine before it multiplies them.
struct Polar {
  static constexpr OpSpec spec{
      .name = "polar",
      .overloads = {{{"polar(Tensor abs, Tensor angle) -> Tensor", "", "polar.out"}}},
      .operands = {"abs", "angle"},
      .promotion = PromotionKind::kOwn,
      .dtypes = kComplexHalf | kFullComplex,
      .accuracy = {.reduced = {0.51F, 1.F}, .complex64 = {0.51F, 2.F}, .complex128 = {1.5F, 2.F}},
      .unpromoted_operands = 3,
      .gpu_scalars = kNoGpuScalars,
      .note = "abs * (cos(angle) + i sin(angle)); dtypes as complex"};
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    return internal::complex_of_two(query);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T abs, T angle) const {
    using R = RealOf<T>;
    const double radius = static_cast<double>(abs.re);
    const double phase = static_cast<double>(angle.re);
    return {static_cast<R>(radius * std::cos(phase)), static_cast<R>(radius * std::sin(phase))};
  }
};

struct ConjPhysical {
  static constexpr OpSpec spec{.name = "conj_physical",
                               .overloads = unary("conj_physical(Tensor self) -> Tensor",
                                                  "conj_physical_", "conj_physical.out"),
                               .operands = kSelf,
                               .promotion = PromotionKind::kSame,
                               .dtypes = kElementwise - kBComplexHalf,
                               .note = "a real tensor is returned itself; out= gets a copy"};
  static bool composes(const Call& call) {
    const DType self = operand_dtype(call.argument("self"));
    return call.form != Form::kOut && self != DType::kUndefined && !is_complex(self);
  }
  static Outcome<CallResult> compose(const Call& call, Caller) {
    return CallResult{.tensor = operand_tensor(call.argument("self"))};
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return conj(x);
    else
      return x;
  }
};

/// The op conj_physical_copy: conj() of a real or complex tensor, written to memory instead of
/// marked by a flag.
struct ConjPhysicalCopy {
  static constexpr OpSpec spec{
      .name = "_conj_physical",
      .overloads = {{{"_conj_physical(Tensor self) -> Tensor", "", "_conj_physical.out", true}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kBools | kIntegers | kFloats | kComplexHalf | kFullComplex};
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return ConjPhysical{}(x);
  }
};

struct Positive {
  static constexpr OpSpec spec{.name = "positive",
                               .overloads = {{{"positive(Tensor(a) self) -> Tensor(a)", "", ""}}},
                               .operands = kSelf,
                               .promotion = PromotionKind::kOwn,
                               .note = "self, not a copy; refuses bool"};
  static std::optional<Rejection> check(const Call&, std::span<const TypedOperand> operands) {
    if (is_bool(operands[0].dtype))
      return Rejection{RejectionCode::kUnsupportedDType, "bool has no sign"};
    return std::nullopt;
  }
  static Outcome<Promoted> types(const Call&, const TypesQuery& query) {
    return Promoted{query.inputs[0].dtype, query.inputs[0].dtype};
  }
  static Outcome<CallResult> compose(const Call& call, Caller) {
    Tensor self = operand_tensor(call.argument("self"));
    if (!self.defined()) return internal::undefined_operand();
    if (is_bool(self.dtype)) return Rejection{RejectionCode::kUnsupportedDType, "bool has no sign"};
    return CallResult{.tensor = std::move(self)};
  }
};

using Parts = OpFamily<Real, Imag, MakeComplex, Polar, ConjPhysical, ConjPhysicalCopy, Positive>;

}  // namespace upcast
