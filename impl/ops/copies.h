// The ops that copy: clone, and copy_ between every pair of dtypes. Also frexp, which splits a
// number into its parts.
#pragma once

#include <bit>
#include <cmath>

#include "impl/ops/make_op.h"
#include "impl/ops/overloads.h"
#include "impl/ops/wrapped_tensor.h"

namespace upcast {

namespace internal {

inline std::optional<Rejection> check_memory_format(const Call& call) {
  const Argument& format = call.argument("memory_format");
  if (format.tag != Argument::Tag::kText || format.text == "preserve_format" ||
      format.text == "contiguous_format")
    return std::nullopt;
  if (format.text != "channels_last")
    return Rejection{RejectionCode::kBadAttribute, "unknown memory format"};
  if (call.argument("self").tensor.sizes.size() != 4)
    return Rejection{RejectionCode::kBadAttribute, "channels_last needs four dimensions"};
  return std::nullopt;
}

}  // namespace internal

struct Clone {
  static constexpr OpSpec spec{
      .name = "clone",
      .overloads = {{{"clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", "",
                      "clone.out", true}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kElementwise,
      .moves_elements = true,
      .layout = ResultLayout::kMemoryFormat,
      .note = "the layout is preserved: dense strides stay, others become dense in their order"};

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    return internal::check_memory_format(call);
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return x;
  }
};

/// copy_ writes src into self. The dtype, shape and strides of self do not change.
struct Copy {
  static constexpr OpSpec spec{
      .name = "copy",
      .overloads = {{{"copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor", "copy_",
                      ""}}},
      .operands = {"src"},
      .promotion = PromotionKind::kOwn,
      .dtypes = kElementwise,
      .moves_elements = true,
      .written = "self",
      .resizes_outputs = false,
      .cpu_scalars = CpuScalars::kAnyDevice,
      .note =
          "one rounding; to bool: nonzero; complex to real: the real part; a float outside an "
          "integer's range gives what the processor gives, which is not judged",
      .takes_numbers_as_tensors = true,
      .has_layouts_of_interest = true,
      .sweep = {.why_never = "it writes to its first operand"}};

  static Outcome<Promoted> types(const Call& call, const TypesQuery& query) {
    return Promoted{query.inputs[0].dtype, operand_dtype(call.argument("self"))};
  }
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return x;
  }
};

/// frexp gives mantissa and exponent of x = mantissa * 2^exponent, where 0.5 <= |mantissa| < 1.
/// Zero, infinities and NaN are their own mantissa, with exponent 0.
struct Frexp {
  static constexpr OpSpec spec{
      .name = "frexp",
      .overloads = {{{"frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)", "",
                      "frexp.Tensor_out"}}},
      .operands = kSelf,
      .promotion = PromotionKind::kSame,
      .dtypes = kFloats,
      .note = "two results: the mantissa, and the exponent as int32",
      .sweep = {.why_never = "it has two results"}};

  static std::optional<Rejection> check(const Call& call, std::span<const TypedOperand>) {
    if (call.second_out != nullptr && call.second_out->dtype != DType::kInt32)
      return Rejection{RejectionCode::kDTypeMismatch, "the exponent is int32"};
    return std::nullopt;
  }
  template <class T>
  UPCAST_HOST_DEVICE WithExponent<T> operator()(T x) const {
    if (x == T(0) || !std::isfinite(x)) return {x, 0};
    int exponent = 0;
    const T mantissa = std::frexp(x, &exponent);
    return {mantissa, exponent};
  }
};

using Copies = OpFamily<Clone, Copy, Frexp>;

}  // namespace upcast
