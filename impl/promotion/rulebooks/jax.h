// The rule books of JAX: a lattice of dtypes with weak types, in 64-bit and in 32-bit mode.
#pragma once

#include "impl/promotion/rulebooks/op_names.h"
#include "impl/promotion/rulebooks/rulebook.h"

namespace upcast::rulebooks {
namespace jax {

/// A node of the lattice: a dtype, or a weak type. A weak bool is the same node as bool.
struct Node {
  DType dtype;
  bool weak = false;
  constexpr bool operator==(const Node&) const = default;
};

inline constexpr DType kWeakInt = DType::kInt64;
inline constexpr DType kWeakFloat = DType::kFloat64;
inline constexpr DType kWeakComplex = DType::kComplex128;

inline constexpr int kNodes = 23;
inline constexpr std::array<Node, kNodes> kLattice{
    {{DType::kBool},           {kWeakInt, true},         {DType::kUInt8},
     {DType::kUInt16},         {DType::kUInt32},         {DType::kUInt64},
     {DType::kInt8},           {DType::kInt16},          {DType::kInt32},
     {DType::kInt64},          {kWeakFloat, true},       {DType::kBFloat16},
     {DType::kFloat16},        {DType::kFloat32},        {DType::kFloat64},
     {kWeakComplex, true},     {DType::kComplex64},      {DType::kComplex128},
     {DType::kFloat8E4M3FN},   {DType::kFloat8E4M3FNUZ}, {DType::kFloat8E5M2},
     {DType::kFloat8E5M2FNUZ}, {DType::kFloat8E8M0FNU}}};

constexpr int index_of(Node node) {
  for (int i = 0; i < kNodes; ++i)
    if (kLattice[i] == node) return i;
  return kNodes;
}
constexpr int index_of(DType dtype) { return index_of(Node{dtype}); }

struct Edge {
  Node from, to;
};

// Source of the edges: the lattice of JAX 0.10.2 in jax/_src/dtypes.py. Every cell was probed.
inline constexpr std::array<Edge, 29> kEdges{{
    {{DType::kBool}, {kWeakInt, true}},
    {{kWeakInt, true}, {DType::kUInt8}},
    {{kWeakInt, true}, {DType::kInt8}},
    {{DType::kUInt8}, {DType::kUInt16}},
    {{DType::kUInt8}, {DType::kInt16}},
    {{DType::kUInt16}, {DType::kUInt32}},
    {{DType::kUInt16}, {DType::kInt32}},
    {{DType::kUInt32}, {DType::kUInt64}},
    {{DType::kUInt32}, {DType::kInt64}},
    {{DType::kUInt64}, {kWeakFloat, true}},
    {{DType::kInt8}, {DType::kInt16}},
    {{DType::kInt16}, {DType::kInt32}},
    {{DType::kInt32}, {DType::kInt64}},
    {{DType::kInt64}, {kWeakFloat, true}},
    {{kWeakFloat, true}, {DType::kBFloat16}},
    {{kWeakFloat, true}, {DType::kFloat16}},
    {{kWeakFloat, true}, {kWeakComplex, true}},
    {{kWeakFloat, true}, {DType::kFloat8E4M3FN}},
    {{kWeakFloat, true}, {DType::kFloat8E4M3FNUZ}},
    {{kWeakFloat, true}, {DType::kFloat8E5M2}},
    {{kWeakFloat, true}, {DType::kFloat8E5M2FNUZ}},
    {{kWeakFloat, true}, {DType::kFloat8E8M0FNU}},
    {{DType::kBFloat16}, {DType::kFloat32}},
    {{DType::kFloat16}, {DType::kFloat32}},
    {{DType::kFloat32}, {DType::kFloat64}},
    {{DType::kFloat32}, {DType::kComplex64}},
    {{DType::kFloat64}, {DType::kComplex128}},
    {{kWeakComplex, true}, {DType::kComplex64}},
    {{DType::kComplex64}, {DType::kComplex128}},
}};

enum class Mode : std::uint8_t { kX64, kX32, kStrict };

using Bits = std::uint32_t;
/// For each node of the lattice, the set of nodes that can be reached from it, itself included. A
/// set is held as bits.
using Closure = std::array<Bits, kNodes>;

/// The edge that a mode has in place of `edge`. Without x64, two 32-bit dtypes never give a 64-bit
/// one, so the edge from uint32 leads to int32 instead of int64.
constexpr Edge edge_in(Mode mode, Edge edge) {
  if (mode == Mode::kX32 && edge.from == Node{DType::kUInt32} && edge.to == Node{DType::kInt64})
    edge.to = {DType::kInt32};
  return edge;
}

constexpr Closure closure_in(Mode mode) {
  Closure above{};
  for (int i = 0; i < kNodes; ++i) above[i] = Bits{1} << i;
  for (int pass = 0; pass < kNodes; ++pass)
    for (const Edge& each : kEdges) {
      const Edge edge = edge_in(mode, each);
      above[index_of(edge.from)] |= above[index_of(edge.to)];
    }
  return above;
}
inline constexpr Closure kAboveX64 = closure_in(Mode::kX64);
inline constexpr Closure kAboveX32 = closure_in(Mode::kX32);

/// The index of the least upper bound of two nodes; kNodes if there is none.
constexpr int join(int a, int b, Mode mode) {
  const Closure& above = mode == Mode::kX32 ? kAboveX32 : kAboveX64;
  const Bits common = above[a] & above[b];
  for (int i = 0; i < kNodes; ++i)
    if (((common >> i) & 1) != 0 && above[i] == common) return i;
  return kNodes;
}

constexpr DType narrowed(DType dtype) {
  switch (dtype) {
    case DType::kInt64:
      return DType::kInt32;
    case DType::kUInt64:
      return DType::kUInt32;
    case DType::kFloat64:
      return DType::kFloat32;
    case DType::kComplex128:
      return DType::kComplex64;
    default:
      return dtype;
  }
}

/// The node at which an operand enters the lattice. With `narrows`, 64-bit dtypes become 32-bit
/// ones. Arrays are narrowed without x64; the arguments of promote_types are not.
constexpr Node node_of(const Operand& operand, bool narrows) {
  const bool weak = operand.rank == Rank::kWeak || is_number(operand);
  if (weak && !is_bool(operand.dtype)) {
    return {is_integral(operand.dtype)   ? kWeakInt
            : is_floating(operand.dtype) ? kWeakFloat
                                         : kWeakComplex,
            true};
  }
  return {narrows ? narrowed(operand.dtype) : operand.dtype};
}

/// The floating dtype in which a function of floats computes: float32 for bool and integers of up
/// to 32 bits, float64 for integers of 64 bits. A weak type stays weak.
constexpr Node inexact(Node node) {
  if (!is_bool(node.dtype) && !is_integral(node.dtype)) return node;
  if (node.weak) return {kWeakFloat, true};
  const bool wide = !is_bool(node.dtype) && itemsize(node.dtype) == 8;
  return {wide ? DType::kFloat64 : DType::kFloat32};
}

inline constexpr std::string_view kInexactBinary = "div atan2 logaddexp nextafter hypot copysign";
inline constexpr std::string_view kInexactUnary =
    "exp exp2 expm1 log log1p sqrt reciprocal sin cos tan asin acos atan sinh cosh tanh asinh "
    "acosh "
    "atanh modf fabs cbrt erf erfc erfinv digamma lgamma sigmoid";
inline constexpr std::string_view kRealFunctions =
    "floor_divide remainder nextafter modf fabs cbrt erf erfc erfinv digamma "
    "lgamma floor ceil trunc clamp signbit";
inline constexpr std::string_view kKeeping =
    "neg abs sign square real imag conj round floor ceil "
    "trunc positive clamp relu";

constexpr Reply unary(std::string_view op, Node node) {
  const DType dtype = node.dtype;
  const bool boolean = is_bool(dtype);
  const bool integral = boolean || is_integral(dtype);
  const auto kept = [&node](std::string_view rule) { return gives(node.dtype, rule, node.weak); };
  if (is_complex(dtype) && is_one_of(op, kRealFunctions)) return refuses("takes no complex");
  if (op == "signbit") return gives(DType::kBool, "returns bool");
  if (op == "isinf") return gives(DType::kBool, "returns bool");
  if (op == "isfinite") return gives(DType::kBool, "returns bool", node.weak && !integral);
  if (is_one_of(op, "logical_not isnan")) return gives(DType::kBool, "returns bool", node.weak);
  if (is_complex(dtype) && is_one_of(op, "abs real imag angle"))
    return gives(to_real(dtype), "the real counterpart", node.weak);
  if (boolean && is_one_of(op, "neg sign round")) return refuses("takes no bool");
  if (boolean && op == "square") return gives(DType::kInt32, "square of bool is int32");
  if (boolean && op == "relu") return gives(kWeakInt, "bool joins the weak 0", true);
  if (op == "bitwise_not") return integral ? kept("kept") : refuses("takes integers and bool");
  if (is_one_of(op, "angle rint"))
    return integral ? gives(DType::kFloat64, "computed in the default float")
                    : gives(dtype, "the dtype is kept", node.weak && op == "rint");
  if (op.starts_with("lax_"))
    return integral ? refuses("jax.lax takes no integers") : kept("the dtype is kept");
  if (is_one_of(op, "log2 log10")) return gives(inexact(node).dtype, "integers become float");
  if (is_one_of(op, kInexactUnary)) {
    const Node found = inexact(node);
    return gives(found.dtype, "integers become float32, 64-bit ones float64", found.weak);
  }
  if (is_one_of(op, kKeeping)) return kept("the dtype is kept");
  return outside("the rule book has no such op");
}

/// The reply for an op with two operands, whose dtypes have the least upper bound `node`.
constexpr Reply binary(std::string_view op, Node node, bool all_weak, std::string_view rule) {
  const bool boolean = is_bool(node.dtype);
  const bool integral = boolean || is_integral(node.dtype);
  if (is_one_of(op, kComparisons)) return gives(DType::kBool, "comparisons return bool", node.weak);
  if (is_one_of(op, kLogicalOps)) return gives(DType::kBool, "logical ops return bool", all_weak);
  if (is_complex(node.dtype) && is_one_of(op, kRealFunctions)) return refuses("takes no complex");
  if (is_one_of(op, kInexactBinary)) {
    const Node found = inexact(node);
    return gives(found.dtype, found == node ? rule : "integers become float32, 64-bit ones float64",
                 found.weak && (all_weak || op != "logaddexp" || !is_complex(found.dtype)));
  }
  if (boolean && op == "sub") return refuses("subtract takes no bool");
  if (boolean && is_one_of(op, "floor_divide remainder pow"))
    return gives(DType::kInt32, "two bools are computed in int32");
  if (is_one_of(op, kBitwiseOps) && !integral) return refuses("bitwise ops take integers and bool");
  if (is_one_of(op,
                "add sub mul maximum minimum fmax fmin where pow floor_divide remainder "
                "bitwise_and bitwise_or bitwise_xor result_type"))
    return gives(node.dtype, rule, node.weak);
  return outside("the rule book has no such op");
}

/// The reply for power, the one op that is not symmetric: for an integer exponent it has rules of
/// its own.
constexpr Reply power(Reply reply, Node base, Node exponent) {
  if (!reply.ok()) return reply;
  if (is_bool(base.dtype) && exponent.weak && is_integral(exponent.dtype))
    return gives(DType::kInt32, "a bool to an integer power is int32");
  const bool integral = is_bool(exponent.dtype) || is_integral(exponent.dtype);
  if (base.weak && !exponent.weak && integral &&
      !(is_bool(exponent.dtype) && !is_integral(base.dtype)))
    reply.weak = false;
  return reply;
}

/// Whether strict mode lets two nodes mix. It mixes no two different strong dtypes, and nothing
/// weak with bool.
constexpr bool mixes_strictly(Node a, Node b) {
  if (a.weak && b.weak) return true;
  if (!a.weak && !b.weak) return a == b;
  const Node weak = a.weak ? a : b;
  const Node strong = a.weak ? b : a;
  return !is_bool(strong.dtype) &&
         join(index_of(weak), index_of(strong), Mode::kStrict) == index_of(strong);
}

constexpr Reply answer(const Question& question, Mode mode) {
  const bool x64 = mode != Mode::kX32;
  const bool narrows = !x64 && question.op != "promote_types";
  const long double limit = x64 ? 0x1p63L : 0x1p31L;
  int joined = -1;
  bool all_weak = true;
  for (const Operand& operand : question.operands) {
    if (is_number(operand) && is_integral(operand.dtype) &&
        (operand.value >= limit || operand.value < -limit))
      return refuses("a Python int must be a value of the default int (OverflowError)");
    const Node node = node_of(operand, narrows);
    all_weak = all_weak && node.weak;
    const int next = index_of(node);
    if (next == kNodes) return outside("a dtype that the rule book does not know");
    if (mode == Mode::kStrict && joined >= 0 && !mixes_strictly(kLattice[joined], node))
      return refuses("strict mode: two strong dtypes do not mix, and nothing weak joins bool");
    joined = joined < 0 ? next : join(joined, next, mode);
    if (joined == kNodes) return refuses("the lattice has no common upper bound");
  }
  const Node node = kLattice[joined];
  Reply reply;
  if (question.op == "promote_types")
    reply = gives(node.dtype, "the least upper bound in the lattice");
  else if (question.operands.size() == 1 && question.op != "result_type")
    reply = unary(question.op, node);
  else
    reply = binary(question.op, node, all_weak,
                   node.weak ? "the least upper bound is a weak type"
                             : "the least upper bound in the lattice");
  if (question.op == "pow" && question.operands.size() == 2)
    reply = power(reply, node_of(question.operands[0], narrows),
                  node_of(question.operands[1], narrows));
  if (narrows) reply.dtype = narrowed(reply.dtype);
  return reply;
}

inline constexpr DTypeSet kDTypes =
    kBools | kIntegers | kUnsigned | kFloats | kFloat8s | kFullComplex;

}  // namespace jax

constexpr Reply answer_jax_x64(const Question& question) {
  return jax::answer(question, jax::Mode::kX64);
}
constexpr Reply answer_jax_x32(const Question& question) {
  return jax::answer(question, jax::Mode::kX32);
}

constexpr Reply answer_jax_strict(const Question& question) {
  return jax::answer(question, jax::Mode::kStrict);
}

inline constexpr RuleBook kJaxX64{"jax-x64",    "JAX, 64-bit mode", "0.10.2", "jax 0.10.2, probed",
                                  jax::kDTypes, &answer_jax_x64};
inline constexpr RuleBook kJaxX32{"jax-x32",    "JAX, 32-bit mode (its default)",
                                  "0.10.2",     "jax 0.10.2, probed",
                                  jax::kDTypes, &answer_jax_x32};

inline constexpr RuleBook kJaxStrict{"jax-strict", "JAX, strict promotion, 64-bit mode",
                                     "0.10.2",     "jax 0.10.2, probed",
                                     jax::kDTypes, &answer_jax_strict};

}  // namespace upcast::rulebooks
