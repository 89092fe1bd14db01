// Turns an op's struct into its catalogue row, with the kernels that its functor makes: one for
// each compute dtype.
//
// A struct has these members:
//   static constexpr OpSpec spec;
//   template <class T> R operator()(T a, ...) const;      the functor; T: compute type; R: T, bool,
//                                                         RealOf<T> or WithExponent<T>
// If PyTorch defines the op as a composition of other ops, it has these instead of a functor:
//   static Outcome<CallResult> compose(const Call&, Caller);
//   static bool composes(const Call&);                    if only some calls are compositions
// It may also have:
//   template <class T> struct Params;                     made from (const Call&, DType common);
//                                                         the functor gets it after the operands
//   a last functor argument Fault&                        to raise a fault
//   static T mostly(T...), static bool is_right(T..., T found)  the functor without branches, and
//                                                         whether its result `found` is right
//   static bool is_tried(T...)                            false if `mostly` is wrong for arguments;
//                                                         it does not run on a block of only these
//   template <class T> static constexpr bool redone_whole   the functor itself has no branches: a
//                                                         block with a wrong result is computed
//                                                         again
//   static bool mode(const Params<T>&)                    which of two formulas a call needs: a
//                                                         functor that gets a std::bool_constant
//                                                         after the operands has a loop for each
//   static constexpr bool is_short = true                 the functor has few instructions, so that
//                                                         casts from and to float16 cost more
//   template <class Packed> using OnPacked                a faster form of a short functor for
//                                                         operands that are Half or BFloat16
//                                                         (packed_kernels.h)
//   struct FloatsOnLanes, struct DoublesOnLanes           the functor of float32, or that of
//                                                         float64, on lanes (lane_loop.h)
//   static std::optional<Rejection> check(const Call&, std::span<const TypedOperand>);
//   static std::optional<Rejection> check_types(const Call&, Promoted);
//   static Outcome<Promoted> types(const Call&, const TypesQuery&);   for PromotionKind::kOwn
#pragma once

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

#include "impl/core/element.h"
#include "impl/ops/catalogue.h"
#include "impl/ops/functor_call.h"
#include "impl/ops/lane_loop.h"
#include "impl/ops/packed_kernels.h"

namespace upcast {

template <class... Ops>
struct OpFamily {};

namespace internal {

/// Whether `mostly` may be right for some of n elements, which the op's `is_tried` tells.
template <class O, class... Inputs>
[[gnu::always_inline]] inline bool some_is_tried(std::int64_t n, Inputs... inputs) {
  if constexpr (requires { O::is_tried(*inputs...); }) {
    int tried = 0;
    for (std::int64_t i = 0; i < n; ++i) tried |= O::is_tried(inputs[i]...) ? 1 : 0;
    return tried != 0;
  } else {
    return true;
  }
}

/// The loop of an op with `mostly`, which the compiler vectorises. `exactly` computes those
/// elements again for which `mostly` is wrong. If `exactly` had two calls, GCC 12 would not
/// vectorise the loop over `mostly`.
template <class O, class T, class Exactly, class... Inputs>
[[gnu::always_inline]] inline void loop_mostly(T* results, std::int64_t n, Exactly&& exactly,
                                               Inputs... inputs) {
  constexpr std::int64_t kBlock = 256;
  std::array<T, kBlock> found;  // inputs are read twice, and out may be an input
  for (std::int64_t start = 0; start < n; start += kBlock) {
    const std::int64_t count = std::min(kBlock, n - start);
    const bool tried = some_is_tried<O>(count, inputs + start...);
    int wrong = tried ? 0 : 1;
    for (std::int64_t i = 0; tried && i < count; ++i) {
      found[i] = O::mostly(inputs[start + i]...);
      wrong |= O::is_right(inputs[start + i]..., found[i]) ? 0 : 1;
    }
    if (wrong != 0)
      for (std::int64_t i = 0; i < count; ++i)
        if (RedoneWhole<O, T> || !tried || !O::is_right(inputs[start + i]..., found[i]))
          found[i] = exactly(start + i);
    for (std::int64_t i = 0; i < count; ++i) results[start + i] = found[i];
  }
}

/// The loop of an op. `mode`: the std::bool_constant of an op with modes, or nothing.
template <class O, class T, class Lanes, std::size_t... I, class... Mode>
[[gnu::always_inline]] inline void loop_in_mode(std::byte* const* out, const std::byte* const* in,
                                                std::int64_t n, const KernelParams& stored,
                                                Fault& fault, Mode... mode) {
  using R = ResultOf<O, T, I...>;
  const O op{};
  const auto params = params_of<O, T>(stored);
  Fault raised;  // local, so that the loop writes nothing but results
  const auto inputs = inputs_of<O, T, I...>(in);
  // GCC 12 does not inline a lambda into a function with the attribute flatten.
  const auto result = [&](std::int64_t i) __attribute__((always_inline)) {
    return apply<O, T>(op, params, raised,
                       static_cast<OperandOf<O, T, I>>(std::get<I>(inputs)[i])..., mode...);
  };
  if constexpr (std::is_same_v<R, WithExponent<T>>) {
    for (std::int64_t i = 0; i < n; ++i) store(out, i, result(i));
  } else if constexpr (MostlyBranchFree<O, Same<T, I>...>) {
    loop_mostly<O>(reinterpret_cast<T*>(out[0]), n, result, std::get<I>(inputs)...);
  } else if constexpr (HasLaneForm<O, T, Lanes, Mode...>) {
    loop_on_lanes<FormOnLanes<O, T>, Lanes>(reinterpret_cast<R*>(out[0]), std::get<0>(inputs), n,
                                            result, mode...);
  } else {
    R* const results = reinterpret_cast<R*>(out[0]);
// An output either is one of the inputs, or shares no memory with any of them. So the compiler may
// vectorise the loop.
#pragma GCC ivdep
    for (std::int64_t i = 0; i < n; ++i) results[i] = result(i);
  }
  fault.zero_division = fault.zero_division || raised.zero_division;
}

/// `Lanes`: those of the capability that the loop is compiled for.
template <class O, class T, class Lanes, std::size_t... I>
[[gnu::always_inline]] inline void loop(std::byte* const* out, const std::byte* const* in,
                                        std::int64_t n, const KernelParams& stored, Fault& fault) {
  if constexpr (requires { O::mode(params_of<O, T>(stored)); }) {
    if (O::mode(params_of<O, T>(stored)))
      loop_in_mode<O, T, Lanes, I...>(out, in, n, stored, fault, std::true_type());
    else
      loop_in_mode<O, T, Lanes, I...>(out, in, n, stored, fault, std::false_type());
  } else {
    loop_in_mode<O, T, Lanes, I...>(out, in, n, stored, fault);
  }
}

template <class O, class T, std::size_t... I>
void run_baseline(std::byte* const* out, const std::byte* const* in, std::int64_t n,
                  const KernelParams& params, Fault& fault) {
  loop<O, T, LanesOfBaseline, I...>(out, in, n, params, fault);
}
template <class O, class T, std::size_t... I>
UPCAST_TARGET_V3 void run_v3(std::byte* const* out, const std::byte* const* in, std::int64_t n,
                             const KernelParams& params, Fault& fault) {
  loop<O, T, LanesOfV3, I...>(out, in, n, params, fault);
}
template <class O, class T, std::size_t... I>
UPCAST_TARGET_V4 void run_v4(std::byte* const* out, const std::byte* const* in, std::int64_t n,
                             const KernelParams& params, Fault& fault) {
  loop<O, T, LanesOfV4, I...>(out, in, n, params, fault);
}

template <class O, class T, std::size_t... I>
constexpr FunctorResult functor_result(std::index_sequence<I...>) {
  using R = ResultOf<O, T, I...>;
  if constexpr (std::is_same_v<R, T>)
    return FunctorResult::kSame;
  else if constexpr (std::is_same_v<R, bool>)
    return FunctorResult::kBool;
  else if constexpr (std::is_same_v<R, WithExponent<T>>)
    return FunctorResult::kWithExponent;
  else {
    static_assert(std::is_same_v<R, RealOf<T>>,
                  "a functor returns T, bool, the real part's type or WithExponent<T>");
    return FunctorResult::kReal;
  }
}

/// Whether complex loops of an op have a version for each capability: those with `mostly`, short
/// ones, and cheap ones of three operands. Other cheap ones read tiles more slowly in wide vectors:
/// additions of a real and a complex dtype became half as fast. The rest calls functions of glibc.
template <class O, class T, std::size_t... I>
inline constexpr bool kHasComplexVersions = MostlyBranchFree<O, Same<T, I>...> || IsShort<O> ||
                                            (kIsCheap<O> && sizeof...(I) == kMaxOperands);

/// The loops of an op, one for each capability. Loops of cheap ops wait for the memory, and the
/// widest vectors make them a tenth slower.
template <class O, class T, std::size_t... I>
constexpr std::array<Kernel, kCapabilityCount> kernels_of(std::index_sequence<I...>) {
  if constexpr (kIsComplex<T> && !kHasComplexVersions<O, T, I...>)
    return {&run_baseline<O, T, I...>, &run_baseline<O, T, I...>, &run_baseline<O, T, I...>};
  else if constexpr (kIsCheap<O>)
    return {&run_baseline<O, T, I...>, &run_v3<O, T, I...>, &run_v3<O, T, I...>};
  else
    return {&run_baseline<O, T, I...>, &run_v3<O, T, I...>, &run_v4<O, T, I...>};
}

/// A loop in which operand `Single` has only one element, which is used for all results.
template <class O, class T, std::size_t Single, std::size_t... I>
UPCAST_TARGET_V3 void run_broadcast(std::byte* const* out, const std::byte* const* in,
                                    std::int64_t n, const KernelParams& stored, Fault& fault) {
  using R = ResultOf<O, T, I...>;
  const O op{};
  const auto params = params_of<O, T>(stored);
  Fault raised;
  const auto inputs = inputs_of<O, T, I...>(in);
  const auto single = element<O, T, Single>(in[Single]);
  R* const results = reinterpret_cast<R*>(out[0]);
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i)
    results[i] = apply<O, T>(
        op, params, raised,
        (I == Single ? single : static_cast<OperandOf<O, T, I>>(std::get<I>(inputs)[i]))...);
  fault.zero_division = fault.zero_division || raised.zero_division;
}

template <class O, class T, std::size_t... I>
void run_strided(std::byte* const* out, const std::int64_t* out_strides, const std::byte* const* in,
                 const std::int64_t* in_strides, std::int64_t n, const KernelParams& stored,
                 Fault& fault) {
  using R = ResultOf<O, T, I...>;
  const O op{};
  const auto params = params_of<O, T>(stored);
  const std::array<std::int64_t, sizeof...(I)> strides{in_strides[I]...};
  const std::int64_t result_stride = out_strides[0];
  std::byte* const results = out[0];
  const std::array<const std::byte*, sizeof...(I)> inputs{in[I]...};
  for (std::int64_t i = 0; i < n; ++i)
    *reinterpret_cast<R*>(results + i * result_stride) =
        apply<O, T>(op, params, fault, element<O, T, I>(inputs[I] + i * strides[I])...);
}

/// Whether an op has extra loops for operands that are not dense: broadcast and strided ones.
template <class O, class T, std::size_t... I>
constexpr bool has_loops_for_strides(std::index_sequence<I...>) {
  using R = ResultOf<O, T, I...>;
  return kIsCheap<O> && sizeof...(I) == 2 && !kIsComplex<T> &&
         (std::is_same_v<R, T> || std::is_same_v<R, bool>);
}

template <class O, class T, std::size_t... I>
constexpr void add_loops_for_strides(KernelEntry& entry, std::index_sequence<I...> indices) {
  if constexpr (has_loops_for_strides<O, T>(indices)) {
    entry.broadcast = {&run_broadcast<O, T, 0, I...>, &run_broadcast<O, T, 1, I...>};
    entry.strided = &run_strided<O, T, I...>;
  }
}

/// The compute dtypes of a set of common dtypes, without repetition.
constexpr DTypeSet compute_dtypes(DTypeSet dtypes) {
  DTypeSet computed;
  for (int i = 0; i < kDTypeCount; ++i)
    if (dtypes.contains(dtype_from_code(i)))
      computed = computed | DTypeSet(compute_dtype(dtype_from_code(i)));
  return computed;
}

template <class O, class Row>
constexpr void add_kernel(KernelTable& table) {
  if constexpr (compute_dtypes(O::spec.dtypes).contains(Row::dtype)) {
    using T = typename Row::type;
    using Indices = std::make_index_sequence<operand_count(O::spec)>;
    // An op that only moves elements uses the kernel of an integer of the same size. That kernel
    // would get other Params than the dtype's own, so such an op must have none.
    static_assert(!O::spec.moves_elements ||
                  (!kHasParams<O, T> && (kIntegers - O::spec.dtypes).empty()));
    KernelEntry& entry = table[code(Row::dtype)];
    entry.kernels = kernels_of<O, T>(Indices{});
    add_loops_for_strides<O, T>(entry, Indices{});
    if constexpr (kHasParams<O, T>) entry.make_params = &make_params<O, T>;
    entry.result = functor_result<O, T>(Indices{});
  }
}

template <class O, class... Rows>
constexpr KernelTable kernel_table(ElementRows<Rows...>) {
  KernelTable table{};
  (add_kernel<O, Rows>(table), ...);
  if constexpr (compute_dtypes(O::spec.dtypes).contains(DType::kFloat32))
    add_packed_kernels<O>(table, std::make_index_sequence<operand_count(O::spec)>{});
  return table;
}

template <class O>
CheckFunction check_of() {
  if constexpr (requires { &O::check; })
    return &O::check;
  else
    return nullptr;
}

template <class O>
CheckTypesFunction check_types_of() {
  if constexpr (requires { &O::check_types; })
    return &O::check_types;
  else
    return nullptr;
}

template <class O>
TypesFunction types_of() {
  if constexpr (requires { &O::types; })
    return &O::types;
  else
    return nullptr;
}

template <class O>
ComposeFunction compose_of() {
  if constexpr (requires { &O::compose; })
    return &O::compose;
  else
    return nullptr;
}

template <class O>
ComposesFunction composes_of() {
  if constexpr (requires { &O::composes; })
    return &O::composes;
  else
    return nullptr;
}

template <class O>
Op make_op(std::string_view family) {
  Op op{.spec = &O::spec, .family = family};
  for (const Overload& overload : O::spec.overloads)
    if (!overload.schema.empty()) op.schemas.push_back(parse_schema(overload.schema));
  op.check = check_of<O>();
  op.check_types = check_types_of<O>();
  op.types = types_of<O>();
  op.compose = compose_of<O>();
  op.composes = composes_of<O>();
  op.kernels = kernel_table<O>(ComputeElements{});
  return op;
}

}  // namespace internal

/// Appends a catalogue row for each op of a family.
template <class... Ops>
void add_family(OpFamily<Ops...>, std::string_view family, std::vector<Op>& rows) {
  (rows.push_back(internal::make_op<Ops>(family)), ...);
}

}  // namespace upcast
