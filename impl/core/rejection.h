// A rejection is an answer: the operator does not take these operands.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace upcast {

/// Why an operator refuses, in our own reading. LibTorch gives a text only. So the judge compares
/// only whether both sides refuse; the code is shown to people.
enum class RejectionCode : std::uint8_t {
  kUnsupportedDType,  // the op has no kernel for this dtype, or its own check refuses
  kPromotion,         // the operands' dtypes do not promote
  kResultCast,        // the result cannot be cast to the dtype of out
  kDTypeMismatch,     // operands, or an operand and out, must have equal dtypes
  kShapeMismatch,
  kBadAttribute,
  kAttributeOverflow,  // a number does not fit the dtype it is converted to
  kZeroDivision,       // an integer is divided by zero
  kMemoryOverlap,
  kUndefinedOperand,
  kDeviceMismatch,
  kOther,
  kHostOperand  // the GPU's kernel takes no number and no CPU tensor for this operand
};

inline constexpr std::array<std::string_view, 13> kRejectionNames{
    "unsupported_dtype", "promotion",         "result_cast",        "dtype_mismatch",
    "shape_mismatch",    "bad_attribute",     "attribute_overflow", "zero_division",
    "memory_overlap",    "undefined_operand", "device_mismatch",    "other",
    "host_operand"};

constexpr std::string_view name(RejectionCode code) {
  return kRejectionNames[static_cast<int>(code)];
}

/// A refusal. `detail` is a string literal that says, in our words, what the operator refuses.
struct Rejection {
  RejectionCode code = RejectionCode::kOther;
  std::string_view detail;
};

/// Holds a value, or the rejection that explains why there is none.
template <class T>
class Outcome {
 public:
  constexpr Outcome(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  constexpr Outcome(Rejection rejection) : state_(std::in_place_index<1>, rejection) {}

  constexpr bool ok() const { return state_.index() == 0; }
  constexpr const T& value() const { return std::get<0>(state_); }
  constexpr T& value() { return std::get<0>(state_); }
  constexpr const Rejection& rejection() const { return std::get<1>(state_); }

 private:
  std::variant<T, Rejection> state_;
};

template <class T>
constexpr std::optional<Rejection> refusal_of(const Outcome<T>& outcome) {
  if (outcome.ok()) return std::nullopt;
  return outcome.rejection();
}

}  // namespace upcast
