// What the activation ops share: error bounds, operand names, and their Scalar parameters. A Scalar
// is converted with a check, as c10::Scalar::to does.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "impl/core/element.h"
#include "impl/ops/arithmetic.h"
#include "impl/ops/call.h"
#include "impl/ops/number_cast.h"

namespace upcast {

/// Error bounds of activations. Ours computes float32 in float64 and rounds once; float64 has a few
/// roundings. LibTorch computes in the compute dtype: an elementary function of glibc, and up to
/// four roundings around it. A formula of LibTorch that cancels or overflows is a known difference
/// (cases/known_differences.toml).
inline constexpr Accuracy kActivation{
    {0.51F, 3.F}, {3.5F, 3.F}, {0.51F, 0.51F}, {0.51F, 4.F}, {0.51F, 4.F}};

/// Error bounds of gradients. Ours computes float32 in float64 and rounds once, and float64 in two
/// doubles. LibTorch computes in the compute dtype: an elementary function and up to five
/// roundings. Its sigmoid_backward and tanh_backward of float16 and bfloat16 round more than once.
/// Known differences cover cancellation (cases/known_differences.toml).
inline constexpr Accuracy kActivationBackward{
    {0.51F, 4.F}, {1.F, 4.F}, {0.51F, 0.51F}, {0.51F, 6.F}, {1.F, 6.F}};

namespace internal {

inline constexpr std::array<std::string_view, kMaxOperands> kGradSelf{"grad_output", "self"};
/// The operands of a gradient with self first. The first operand decides the result's layout, so
/// the result is laid out as self.
inline constexpr std::array<std::string_view, kMaxOperands> kSelfGrad{"self", "grad_output"};
inline constexpr std::array<std::string_view, kMaxOperands> kGradOutput{"grad_output", "output"};

/// Refuses a number parameter that the dtype cannot hold. The default of an omitted parameter
/// always fits.
inline std::optional<Rejection> check_numbers(const Call& call, DType dtype,
                                              std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (!number_fits(call.number(name, 0), dtype))
      return Rejection{RejectionCode::kAttributeOverflow, "a parameter does not fit the dtype"};
  return std::nullopt;
}

/// The value of a parameter that is compared with elements, or replaces them. It is rounded to the
/// common dtype, as elements are.
template <class T>
T rounded_parameter(const Call& call, std::string_view name, Number otherwise, DType common) {
  const Number number = call.number(name, otherwise);
  if constexpr (std::is_same_v<T, float>) {
    if (common == DType::kFloat16) return static_cast<float>(number_to<Half>(number));
    if (common == DType::kBFloat16) return static_cast<float>(number_to<BFloat16>(number));
  }
  return number_to<T>(number);
}

enum class GeluMode : std::uint8_t { kErf, kTanh, kUnknown };

inline GeluMode gelu_mode(const Call& call) {
  const Argument& mode = call.argument("approximate");
  if (mode.tag != Argument::Tag::kText) return GeluMode::kErf;
  return mode.text == "none"   ? GeluMode::kErf
         : mode.text == "tanh" ? GeluMode::kTanh
                               : GeluMode::kUnknown;
}

/// Whether the call runs a kernel. It does not if a tensor is on the meta device, and then the
/// kernel's own checks are not made either.
inline bool runs(const Call& call) {
  return std::none_of(call.arguments.begin(), call.arguments.end(), [](const Argument& argument) {
    return argument.tensor.device == Device::kMeta;
  });
}

/// Refuses an eps of logit that the dtype cannot hold.
inline std::optional<Rejection> check_eps(const Call& call, DType common) {
  const Argument& eps = call.argument("eps");
  if (eps.tag == Argument::Tag::kNumber && !number_fits(eps.number, common) && runs(call))
    return Rejection{RejectionCode::kAttributeOverflow, "eps does not fit the dtype"};
  return std::nullopt;
}

inline std::optional<Rejection> check_gelu_mode(const Call& call) {
  if (gelu_mode(call) == GeluMode::kUnknown && runs(call))
    return Rejection{RejectionCode::kBadAttribute, "approximate is none or tanh"};
  return std::nullopt;
}

struct GeluParams {
  bool tanh;
  explicit GeluParams(const Call& call) : tanh(gelu_mode(call) == GeluMode::kTanh) {}
};

/// Refuses the slope of a backward function, if it is not a real number, or negative where the
/// gradient is computed from the activation's result. These functions convert it to double for
/// every dtype.
inline std::optional<Rejection> check_slope(const Call& call, std::string_view name,
                                            std::string_view is_result) {
  const Number slope = call.number(name, 1);
  if (!number_fits(slope, DType::kFloat64))
    return Rejection{RejectionCode::kAttributeOverflow, "the slope is not real"};
  if (number_to<bool>(call.number(is_result, false)) && !(number_to<double>(slope) >= 0))
    return Rejection{RejectionCode::kBadAttribute, "a negative slope has no inverse"};
  return std::nullopt;
}

}  // namespace internal

}  // namespace upcast
