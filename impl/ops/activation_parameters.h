// What rows of the activations share: error bounds, operands, and Scalar parameters, which are
// converted with a check, as c10::Scalar::to does.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <limits>

#include "impl/core/element.h"
#include "impl/ops/arithmetic.h"
#include "impl/ops/call.h"
#include "impl/ops/number_cast.h"

namespace upcast {

/// Ours: float64 rounded once for float32; a few roundings in float64. LibTorch: an elementary
/// function of glibc and up to four roundings around it, in the compute dtype. Where its formula
/// cancels or overflows in between is declared apart (cases/known_differences.toml).
inline constexpr Accuracy kActivation{
    {0.51F, 3.F}, {3.5F, 3.F}, {0.51F, 0.51F}, {0.51F, 4.F}, {0.51F, 4.F}};

/// Ours: float64 rounded once for float32, two doubles for float64. LibTorch: an elementary
/// function and up to five roundings, in the compute dtype; sigmoid_backward and tanh_backward of
/// float16 and bfloat16 round more than once. Cancellation is declared apart
/// (cases/known_differences.toml).
inline constexpr Accuracy kActivationBackward{
    {0.51F, 4.F}, {1.F, 4.F}, {0.51F, 0.51F}, {0.51F, 6.F}, {1.F, 6.F}};

namespace internal {

inline constexpr std::array<std::string_view, kMaxOperands> kGradSelf{"grad_output", "self"};
/// For results with self's layout: the first operand leads.
inline constexpr std::array<std::string_view, kMaxOperands> kSelfGrad{"self", "grad_output"};
inline constexpr std::array<std::string_view, kMaxOperands> kGradOutput{"grad_output", "output"};

/// Refuses a number that the dtype cannot hold; those that are left out have a default that fits.
inline std::optional<Rejection> check_numbers(const Call& call, DType dtype,
                                              std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names)
    if (!number_fits(call.number(name, 0), dtype))
      return Rejection{RejectionCode::kAttributeOverflow, "a parameter does not fit the dtype"};
  return std::nullopt;
}

/// A parameter that elements are compared with, or replaced by: it is rounded to the common dtype
/// as they are.
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

/// Whether a kernel runs: it checks what the meta device does not.
inline bool runs(const Call& call) {
  return std::none_of(call.arguments.begin(), call.arguments.end(), [](const Argument& argument) {
    return argument.tensor.device == Device::kMeta;
  });
}

/// eps of logit is converted to the dtype.
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

}  // namespace internal

}  // namespace upcast
