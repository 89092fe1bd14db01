// A call of an op, in the form in which the op's functions get it.
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

/// An argument of a call. Its place in Call::arguments is its parameter's position in the schema.
struct Argument {
  enum class Tag : std::uint8_t { kAbsent, kTensor, kNumber, kDType, kText };
  Tag tag = Tag::kAbsent;
  Tensor tensor{};  // if not defined(): PyTorch's undefined tensor
  Number number{};
  DType dtype = DType::kUndefined;
  std::string_view text{};
};

struct CallTrace;

/// A call of one overload in one form. In the in-place form, the output is the first operand.
struct Call {
  const Schema* schema = nullptr;
  Form form = Form::kFunctional;
  std::span<const Argument> arguments;
  const Tensor* out = nullptr;         // the output that the caller gives in Form::kOut
  const Tensor* second_out = nullptr;  // the second such output, if the op has two
  Defaults defaults{};
  const Rules* rules = &kPyTorchRules;
  /// Whether the common dtype rounds numbers, and operands whose dtype does not decide, before the
  /// computation, as PyTorch documents. If not, they enter in the compute dtype
  /// (docs/decisions/0003).
  bool rounds_numbers = false;
  CallTrace* trace = nullptr;  // where decisions are noted; null: nowhere

  /// The argument of a parameter. Its tag is kAbsent if the schema has no such parameter.
  const Argument& argument(std::string_view parameter) const;
  /// The number that the caller gave for a parameter; `otherwise` if none was given.
  Number number(std::string_view parameter, Number otherwise) const;
};

/// The dtypes and kinds of a call's operands, in the order of the spec. Numbers count as wrapped
/// ones.
struct OperandTypes {
  std::array<TypedOperand, kMaxOperands> operands{};
  int count = 0;

  std::span<const TypedOperand> span() const { return {operands.data(), std::size_t(count)}; }
};

/// A check before dtypes are computed. It returns why the call is refused, or nullopt if the call
/// is fine.
using CheckFunction = std::optional<Rejection> (*)(const Call&, std::span<const TypedOperand>);
/// A check after dtypes are computed. It returns why the call is refused, or nullopt if the call is
/// fine. `promoted` has the dtype of the result.
using CheckTypesFunction = std::optional<Rejection> (*)(const Call&, Promoted promoted);
/// Decides the dtypes of a call, for an op whose promotion kind is kOwn.
using TypesFunction = Outcome<Promoted> (*)(const Call&, const TypesQuery&);

/// What a call returns: one tensor, two tensors, or a dtype if the op is a function of dtypes.
struct CallResult {
  Tensor tensor{};                  // in-place and out= results share the output's storage
  DType dtype = DType::kUndefined;  // the result, if the op returns a dtype
  Tensor second{};                  // the second result, if the op has two outputs
};

class Engine;

/// Calls other ops as parts of a composition, by their callables and with the settings of the outer
/// call. Parameters after the last given argument have their defaults. A part in the out= form
/// writes to the outer call's output.
class Caller {
 public:
  explicit Caller(Engine& engine) : engine_(engine) {}
  Outcome<CallResult> operator()(std::string_view callable, std::span<const Argument> arguments,
                                 const Call& outer) const;

 private:
  Engine& engine_;
};
/// Runs a call of an op that PyTorch defines as a composition of other ops.
using ComposeFunction = Outcome<CallResult> (*)(const Call&, Caller);
/// Whether a call is a composition, for an op of which only some calls are.
using ComposesFunction = bool (*)(const Call&);

/// What a functor reports to its engine: whether it divided an integer by zero.
struct Fault {
  bool zero_division = false;
};

/// The bytes of a functor's parameters, which are computed once for each call.
struct alignas(16) KernelParams {
  std::array<std::byte, 128> bytes;
};
using MakeParams = void (*)(KernelParams& params, const Call& call, DType common);

/// Runs the functor over `n` contiguous elements of the compute type. An output may be the same
/// memory as an input.
using Kernel = void (*)(std::byte* const* out, const std::byte* const* in, std::int64_t n,
                        const KernelParams& params, Fault& fault);

/// Runs the functor over `n` contiguous elements of float16 or bfloat16. They are widened to
/// float32, and results are rounded, in registers. If bit I of `wide` is set, operand I is one
/// float32, which serves all elements. An output may be the same memory as an input.
using PackedKernel = void (*)(std::byte* const* out, const std::byte* const* in, unsigned wide,
                              std::int64_t n, const KernelParams& params, Fault& fault);

/// As Kernel, but for elements whose distances in memory are given, in bytes.
using StridedKernel = void (*)(std::byte* const* out, const std::int64_t* out_strides,
                               const std::byte* const* in, const std::int64_t* in_strides,
                               std::int64_t n, const KernelParams& params, Fault& fault);

/// The two results of a functor with two outputs, as of frexp. The second one has dtype int32.
template <class T>
struct WithExponent {
  T value;
  std::int32_t exponent;
};

/// What type the functor returns: its compute type, bool, the type of a complex number's parts, or
/// WithExponent.
enum class FunctorResult : std::uint8_t { kSame, kBool, kReal, kWithExponent };

struct KernelEntry {
  std::array<Kernel, kCapabilityCount> kernels{};       // null where there is no kernel
  std::array<PackedKernel, kCapabilityCount> packed{};  // null where there is no packed kernel
  // Kernels that read operands where they lie, without tiles. They exist for cheap ops, which the
  // copy into tiles would slow down; null for other ops.
  std::array<Kernel, 2> broadcast{};  // index: the one-element operand; needs x86-64-v3
  StridedKernel strided = nullptr;
  MakeParams make_params = nullptr;  // null if the functor has no parameters
  FunctorResult result = FunctorResult::kSame;

  explicit operator bool() const { return kernels[0] != nullptr; }
};
/// The kernels of an op, indexed by the code of the compute dtype; an entry is null if the op has
/// no such kernel. Packed kernels are in the entry of the stored dtype; only ops that cost less
/// than the casts around them have one.
using KernelTable = std::array<KernelEntry, kDTypeCount>;

}  // namespace upcast
