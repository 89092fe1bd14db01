// A call of an op, as its struct's functions see it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "impl/core/capability.h"
#include "impl/core/number.h"
#include "impl/core/rejection.h"
#include "impl/ops/op_spec.h"
#include "impl/ops/schema.h"
#include "impl/tensor/tensor.h"

namespace upcast {

/// One argument by schema position.
struct Argument {
  enum class Tag : std::uint8_t { kAbsent, kTensor, kNumber, kDType, kText };
  Tag tag = Tag::kAbsent;
  Tensor tensor{};  // not defined(): an undefined tensor
  Number number{};
  DType dtype = DType::kUndefined;
  std::string_view text{};
};

struct CallTrace;

/// A call of one overload in one form. In place: the output is the first operand.
struct Call {
  const Schema* schema = nullptr;
  Form form = Form::kFunctional;
  std::span<const Argument> arguments;
  const Tensor* out = nullptr;         // Form::kOut
  const Tensor* second_out = nullptr;  // Form::kOut of an op with two outputs
  Defaults defaults{};
  const Rules* rules = &kPyTorchRules;
  /// Whether numbers, and operands that leave the dtype to others, are rounded to the common dtype
  /// first, as PyTorch documents. Otherwise they enter in the compute dtype (docs/decisions/0003).
  bool rounds_numbers = false;
  CallTrace* trace = nullptr;  // null: nothing is noted

  /// The argument of a parameter; absent where the schema has no such parameter.
  const Argument& argument(std::string_view parameter) const;
  /// The number that was given for a parameter, or the default.
  Number number(std::string_view parameter, Number otherwise) const;
};

/// The operands of a call with their dtypes. They are those of the spec; numbers count as wrapped
/// ones.
struct OperandTypes {
  std::array<TypedOperand, kMaxOperands> operands{};
  int count = 0;

  std::span<const TypedOperand> span() const { return {operands.data(), std::size_t(count)}; }
};

/// A check before types are computed. It says why the call is refused; nothing if the call is fine.
using CheckFunction = std::optional<Rejection> (*)(const Call&, std::span<const TypedOperand>);
/// A check after types are computed. It says why the call is refused; nothing if the call is fine.
/// `promoted` has the dtype of the result.
using CheckTypesFunction = std::optional<Rejection> (*)(const Call&, Promoted promoted);
/// Decides the types of an op whose promotion kind is kOwn.
using TypesFunction = Outcome<Promoted> (*)(const Call&, const TypesQuery&);

/// What a call yields: a tensor, two of them, or for a function of dtypes a dtype.
struct CallResult {
  Tensor tensor{};                  // in place and out=: shares the storage of the output
  DType dtype = DType::kUndefined;  // ScalarType results
  Tensor second{};                  // of an op with two outputs
};

class Engine;

/// Calls ops by their callables, with the settings of the call that they are part of. Parameters
/// that the arguments do not reach keep their defaults; an out= step writes to the output of the
/// whole.
class Caller {
 public:
  explicit Caller(Engine& engine) : engine_(engine) {}
  Outcome<CallResult> operator()(std::string_view callable, std::span<const Argument> arguments,
                                 const Call& outer) const;

 private:
  Engine& engine_;
};
/// An op that PyTorch defines as a composition of others.
using ComposeFunction = Outcome<CallResult> (*)(const Call&, Caller);
/// Whether this call is a composition, for ops of which only some calls are.
using ComposesFunction = bool (*)(const Call&);

/// Raised by a functor: an integer division by zero.
struct Fault {
  bool zero_division = false;
};

/// The parameters of a functor, made once for each call.
struct alignas(16) KernelParams {
  std::array<std::byte, 128> bytes;
};
using MakeParams = void (*)(KernelParams& params, const Call& call, DType common);

/// Runs the functor over `n` contiguous elements of the compute type. An output may be an input.
using Kernel = void (*)(std::byte* const* out, const std::byte* const* in, std::int64_t n,
                        const KernelParams& params, Fault& fault);

/// Runs the functor over `n` contiguous elements of float16 or bfloat16 as they are stored: widened
/// to float32 and rounded in registers. Bit I of `wide`: operand I is one float32 for all instead.
/// An output may be an input.
using PackedKernel = void (*)(std::byte* const* out, const std::byte* const* in, unsigned wide,
                              std::int64_t n, const KernelParams& params, Fault& fault);

/// As Kernel, over elements whose distance in bytes is given.
using StridedKernel = void (*)(std::byte* const* out, const std::int64_t* out_strides,
                               const std::byte* const* in, const std::int64_t* in_strides,
                               std::int64_t n, const KernelParams& params, Fault& fault);

/// The two results of one functor. The second output has dtype int32.
template <class T>
struct WithExponent {
  T value;
  std::int32_t exponent;
};

/// What the functor returns: its own compute type, bool, the real part's type, or WithExponent.
enum class FunctorResult : std::uint8_t { kSame, kBool, kReal, kWithExponent };

struct KernelEntry {
  std::array<Kernel, kCapabilityCount> kernels{};       // null: the op has none
  std::array<PackedKernel, kCapabilityCount> packed{};  // null: the op, or the capability, has none
  // For cheap ops, which a detour through tiles would slow down. Null: the op has none.
  std::array<Kernel, 2> broadcast{};  // operand I is one element; from x86-64-v3 on
  StridedKernel strided = nullptr;
  MakeParams make_params = nullptr;  // null: the functor takes none
  FunctorResult result = FunctorResult::kSame;

  explicit operator bool() const { return kernels[0] != nullptr; }
};
/// The kernels of an op by code of the compute dtype; a null entry where it has none. Packed
/// kernels stand by code of the stored dtype, for ops that cost less than the casts around them.
using KernelTable = std::array<KernelEntry, kDTypeCount>;

}  // namespace upcast
