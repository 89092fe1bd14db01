// A refusal is an answer: the operator does not take these operands.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

namespace upcast {

/// Why an operator refuses, in our own reading. LibTorch gives a text only, so the judge compares
/// whether both sides refuse, and shows the code.
enum class RejectionCode : std::uint8_t {
  kUnsupportedDType,  // no kernel, or an op-level check, for this dtype
  kPromotion,         // the dtypes do not promote
  kResultCast,        // the result cannot be cast to the out dtype
  kDTypeMismatch,     // operands (or out) must have equal dtypes
  kShapeMismatch,
  kBadAttribute,
  kAttributeOverflow,  // a Scalar does not fit the dtype it is converted to
  kZeroDivision,       // integer division by zero
  kMemoryOverlap,
  kUndefinedOperand,
  kDeviceMismatch,
  kOther,
  kHostOperand  // a kernel of the GPU takes no number from the CPU here
};

inline constexpr std::array<std::string_view, 13> kRejectionNames{
    "unsupported_dtype", "promotion",         "result_cast",        "dtype_mismatch",
    "shape_mismatch",    "bad_attribute",     "attribute_overflow", "zero_division",
    "memory_overlap",    "undefined_operand", "device_mismatch",    "other",
    "host_operand"};

constexpr std::string_view name(RejectionCode code) {
  return kRejectionNames[static_cast<int>(code)];
}

/// `detail` is a literal: what the operator refuses, in our words.
struct Rejection {
  RejectionCode code = RejectionCode::kOther;
  std::string_view detail;
};

/// A value, or the refusal to give one.
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
