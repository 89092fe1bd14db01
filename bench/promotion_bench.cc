#include "bench/promotion_bench.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/result_type_native.h>
#include <c10/core/DefaultDtype.h>
#include <c10/core/ScalarType.h>

#include <map>
#include <random>
#include <span>

#include "impl/core/dtype_set.h"
#include "impl/core/error.h"
#include "impl/promotion/promotion.h"

namespace upcast::bench {
namespace {

/// Dtypes that all promote with one another. A refusal would cost LibTorch an exception, and make
/// our side look too good.
constexpr DTypeSet kPromoting = kBools | kIntegers | kFloats | kComplexes;

constexpr int kPairs = 16384;

std::vector<DType> members(DTypeSet set) {
  std::vector<DType> dtypes;
  for (int i = 0; i < kDTypeCount; ++i)
    if (set.contains(dtype_from_code(i))) dtypes.push_back(dtype_from_code(i));
  return dtypes;
}

at::ScalarType to_c10(DType dtype) { return static_cast<at::ScalarType>(code(dtype)); }

/// LibTorch's tensor for an operand. Equal operands share one tensor, as in a program, so that
/// LibTorch finds its inputs in the cache as our side does.
at::Tensor tensor_of(TypedOperand operand) {
  static std::map<std::pair<DType, Kind>, at::Tensor> tensors;
  at::Tensor& tensor = tensors[{operand.dtype, operand.kind}];
  if (tensor.defined()) return tensor;
  const auto options = at::TensorOptions().dtype(to_c10(operand.dtype));
  tensor = operand.kind == Kind::kDim ? at::empty({2}, options) : at::empty({}, options);
  if (operand.kind == Kind::kWrapped) tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  return tensor;
}

/// A pair of operands as our side takes it.
struct Pair {
  TypedOperand a, b;
};
struct TensorPair {
  at::Tensor a, b;
};

/// All operands of a kind: wrapped numbers of the four dtypes of numbers, tensors of any dtype.
std::vector<TypedOperand> operands_of(Kind kind) {
  const DTypeSet dtypes = kind == Kind::kWrapped ? DTypeSet{DType::kBool, DType::kInt64,
                                                            DType::kFloat64, DType::kComplex128}
                                                 : kPromoting;
  std::vector<TypedOperand> operands;
  for (DType dtype : members(dtypes)) operands.push_back({dtype, kind});
  return operands;
}

struct Inputs {
  std::vector<Pair> pairs;
  std::vector<TensorPair> tensors;  // the same pairs, as LibTorch's tensors

  void add(TypedOperand a, TypedOperand b) { pairs.push_back({a, b}); }
  /// Extends the inputs to kPairs pairs, in an order that no compiler and no branch predictor can
  /// foresee.
  void finish() {
    std::mt19937 random(1);
    for (std::size_t i = 0; pairs.size() < kPairs; ++i) pairs.push_back(Pair(pairs[i]));
    std::shuffle(pairs.begin(), pairs.end(), random);
    pairs.resize(kPairs);
    for (const Pair& pair : pairs) tensors.push_back({tensor_of(pair.a), tensor_of(pair.b)});
  }
};

Inputs inputs_of(std::span<const Kind> first, std::span<const Kind> second) {
  Inputs inputs;
  for (Kind a_kind : first)
    for (Kind b_kind : second)
      for (TypedOperand a : operands_of(a_kind))
        for (TypedOperand b : operands_of(b_kind)) inputs.add(a, b);
  inputs.finish();
  return inputs;
}

/// The default dtype. It is volatile, so that the compiler cannot compute promotions beforehand.
volatile int default_code = code(DType::kFloat32);

/// our_promote_types and the functions after it return the sum of all answers' dtype codes. So
/// every answer is used, and both sides must give the same sum.
std::uint64_t our_promote_types(std::span<const Pair> pairs) {
  std::uint64_t sum = 0;
  for (const Pair& pair : pairs) sum += code(promote_types(pair.a.dtype, pair.b.dtype).dtype());
  return sum;
}

std::uint64_t our_result_type(std::span<const Pair> pairs) {
  const Defaults defaults{dtype_from_code(default_code)};
  std::uint64_t sum = 0;
  for (const Pair& pair : pairs) sum += code(result_type(pair.a, pair.b, defaults).dtype());
  return sum;
}

std::uint64_t our_both(std::span<const Pair> pairs) {
  const Defaults defaults{dtype_from_code(default_code)};
  std::uint64_t sum = 0;
  for (const Pair& pair : pairs) {
    sum += code(promote_types(pair.a.dtype, pair.b.dtype).dtype());
    sum += code(result_type(pair.a, pair.b, defaults).dtype());
  }
  return sum;
}

std::uint64_t peer_promote_types(std::span<const Pair> pairs) {
  std::uint64_t sum = 0;
  for (const Pair& pair : pairs)
    sum += static_cast<int>(c10::promoteTypes(to_c10(pair.a.dtype), to_c10(pair.b.dtype)));
  return sum;
}

std::uint64_t peer_result_type(std::span<const TensorPair> pairs) {
  std::uint64_t sum = 0;
  for (const TensorPair& pair : pairs)
    sum += static_cast<int>(at::native::result_type(pair.a, pair.b));
  return sum;
}

Row row(const std::string& name, const Inputs& inputs, auto ours, auto peer) {
  check(ours(inputs) == peer(inputs), "both sides give the same answers");
  return side_by_side(
      name, kPairs, [&] { keep(ours(inputs)); }, [&] { keep(peer(inputs)); });
}

Row promote_types_row(const std::string& name, const Inputs& inputs) {
  return row(
      name, inputs, [](const Inputs& in) { return our_promote_types(in.pairs); },
      [](const Inputs& in) { return peer_promote_types(in.pairs); });
}

Row result_type_row(const std::string& name, const Inputs& inputs) {
  return row(
      name, inputs, [](const Inputs& in) { return our_result_type(in.pairs); },
      [](const Inputs& in) { return peer_result_type(in.tensors); });
}

Row both_row(const std::string& name, const Inputs& inputs) {
  return row(
      name, inputs, [](const Inputs& in) { return our_both(in.pairs); },
      [](const Inputs& in) { return peer_promote_types(in.pairs) + peer_result_type(in.tensors); });
}

}  // namespace

std::vector<Row> promotion_rows() {
  using enum Kind;
  constexpr std::array<std::pair<Kind, std::string_view>, 3> kKinds{
      {{kDim, "dim"}, {kZeroDim, "zero"}, {kWrapped, "wrapped"}}};
  constexpr std::array<Kind, 3> kAll{kDim, kZeroDim, kWrapped};

  std::vector<Row> rows;
  const Inputs every = inputs_of(kAll, kAll);
  rows.push_back(promote_types_row("promote_types/all_pairs", inputs_of({{kDim}}, {{kDim}})));
  for (const auto& [first, first_name] : kKinds)
    for (const auto& [second, second_name] : kKinds)
      rows.push_back(
          result_type_row("result_type/" + std::string(first_name) + "_" + std::string(second_name),
                          inputs_of({{first}}, {{second}})));
  rows.push_back(result_type_row("result_type/all_kinds", every));
  rows.push_back(both_row("promote_types+result_type/all_kinds", every));
  return rows;
}

}  // namespace upcast::bench
