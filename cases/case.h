// A Case: one complete call of one op. Grids, files and fuzzers make Cases; each prints as a line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cases/value_class.h"
#include "impl/core/device.h"
#include "impl/core/number.h"
#include "impl/ops/catalogue.h"
#include "impl/tensor/tensor.h"

namespace upcast {

/// The value of Operand::shares for a tensor that shares its storage with no other one.
inline constexpr int kOwnStorage = -1;

/// One argument of a call.
struct Operand {
  enum class Tag : std::uint8_t {
    kAbsent,     // not given: the schema's default holds
    kTensor,     // a tensor, dim or zero-dim
    kNumber,     // a literal: a wrapped number in a Tensor slot, else a Scalar, int, float or bool
    kDType,      // promote_types, can_cast
    kText,       // rounding_mode="trunc"
    kUndefined,  // an undefined tensor
    kNone        // None in an optional slot
  };
  Tag tag = Tag::kAbsent;
  DType dtype = DType::kUndefined;  // a tensor's dtype, or the dtype that is the argument
  Dims sizes{};
  Dims strides{};                   // empty: contiguous
  std::int64_t offset = 0;          // elements of the storage before the tensor's first one
  int shares = kOwnStorage;         // index of the argument whose storage and values it uses
  std::optional<Device> device{};   // where a tensor lies; nothing: on the case's device
  std::vector<std::byte> values{};  // in logical order; empty: made from the case's value class
  Number number{};
  std::string text{};

  /// Compares bit for bit: a NaN number equals itself, and -0.0 is not 0.0.
  bool operator==(const Operand& other) const;
};

/// The answer that a case expects: `-> float32[3]`, `-> float32[3]{1,2,3}`, `-> float32` (any
/// shape), `-> True` (can_cast) or `-> refuses`.
struct Expectation {
  bool refuses = false;
  std::optional<bool> answer;  // the answer of an op that returns a bool
  DType dtype = DType::kUndefined;
  std::optional<Dims> sizes;
  std::optional<std::vector<std::byte>> values;  // logical order

  bool operator==(const Expectation&) const = default;
};

inline constexpr int kOutPosition = -1;
inline constexpr int kSecondOutPosition = -3;

struct Case {
  const Op* op = nullptr;  // the op, an entry of catalogue()
  int overload = 0;        // index of the overload's schema in op->schemas
  Form form = Form::kFunctional;
  std::vector<Operand> arguments;  // the arguments: one for each parameter of the functional schema
  Operand out;                     // Form::kOut
  Operand second_out{};            // only in Form::kOut of an op with two outputs (frexp)
  Defaults defaults;
  Device device = Device::kCpu;
  ValueClass values = ValueClass::kSmall;
  std::uint64_t seed = 0;
  std::optional<Expectation> expectation;

  const Schema& schema() const { return op->schemas[overload]; }
  /// The name that is called: "add.Tensor", "add_.Tensor" or "add.out".
  std::string_view callable() const;
  /// The operand at a schema position, kOutPosition or kSecondOutPosition.
  const Operand& operand(int position) const;
  Operand& operand(int position);
  bool operator==(const Case& other) const;
};

/// The device of a tensor operand: the operand's own if it has one, else the case's. If that is the
/// CPU, `otherwise`.
inline Device device_of(const Case& c, const Operand& operand, Device otherwise = Device::kCpu) {
  return operand.device.value_or(c.device == Device::kCpu ? otherwise : c.device);
}
/// Whether the case, or one of its tensors, lies on this device.
bool uses_device(const Case& c, Device device);
/// How many elements a tensor operand has.
inline std::int64_t element_count(const Operand& operand) { return numel(operand.sizes); }
/// How many elements the storage of a tensor operand has, up to and including the tensor's last
/// element. The operand's offset if the tensor is empty.
std::int64_t element_span(const Operand& operand);
/// Whether two tensor operands have the same sizes, strides and offset. If one also shares the
/// other's storage, it is that tensor itself, not a second view.
bool same_layout(const Operand& a, const Operand& b);

}  // namespace upcast
