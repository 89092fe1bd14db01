#include "impl/cpu/result_table.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <vector>

#include "impl/cpu/tile_loop.h"

namespace upcast::internal {
namespace {

constexpr std::int64_t kWorthATable = 4;  // elements that a call needs for each table entry

/// An unsigned integer that holds four elements of 1 or 2 bytes.
template <std::size_t kSize>
using Four = std::conditional_t<kSize == 1, std::uint32_t, std::uint64_t>;

/// Looks up four results at a time, with one load of their indices and one store of the results.
/// That took four fifths of the time of a load and a store for each. Returns how many results it
/// has written; at most 3 are left.
template <class Index, std::size_t kSize>
std::int64_t look_up_fours(std::byte* out, const std::byte* in, std::int64_t n,
                           const std::byte* table) {
  constexpr int kIndexBits = 8 * sizeof(Index), kResultBits = 8 * kSize;
  std::int64_t i = 0;
#pragma GCC unroll 2
  for (; i + 4 <= n; i += 4) {
    Four<sizeof(Index)> indices;
    std::memcpy(&indices, in + i * static_cast<std::int64_t>(sizeof(Index)), sizeof indices);
    Four<kSize> results = 0;
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {  // little-endian: the first element has the lowest bits
      const auto index = static_cast<Index>(indices >> (k * kIndexBits));
      std::conditional_t<kSize == 1, std::uint8_t, std::uint16_t> result;
      std::memcpy(&result, table + index * kSize, kSize);
      results |= static_cast<Four<kSize>>(result) << (k * kResultBits);
    }
    std::memcpy(out + i * static_cast<std::int64_t>(kSize), &results, sizeof results);
  }
  return i;
}

template <class Index, std::size_t kSize>
void look_up(std::byte* const* out, const std::byte* const* in, std::int64_t n,
             const KernelParams& params, Fault&) {
  using Value = std::array<std::byte, kSize>;
  const std::byte* table = nullptr;
  std::memcpy(&table, params.bytes.data(), sizeof table);
  const Index* const indices = reinterpret_cast<const Index*>(in[0]);
  Value* const results = reinterpret_cast<Value*>(out[0]);
  std::int64_t i = 0;
  if constexpr (kSize <= 2) i = look_up_fours<Index, kSize>(out[0], in[0], n, table);
// An in-place call may write a result over its own index. Each step reads the index before it
// writes.
#pragma GCC unroll 8
  for (; i < n; ++i) std::memcpy(results + i, table + indices[i] * kSize, kSize);
}

template <class Index>
constexpr std::array<Kernel, 5> kLookUps{&look_up<Index, 1>, &look_up<Index, 2>, &look_up<Index, 4>,
                                         &look_up<Index, 8>, &look_up<Index, 16>};

Kernel look_up_kernel(int index_size, int result_size) {
  const int row = std::countr_zero(static_cast<unsigned>(result_size));
  return index_size == 1 ? kLookUps<std::uint8_t>[row] : kLookUps<std::uint16_t>[row];
}

/// The number of the only input that varies; -1 if no input varies, or if several do.
int only_varying_input(const IteratorPlan& plan) {
  int found = -1;
  for (int i = 0; i < plan.input_count; ++i) {
    if (!varies(plan.inputs[i])) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

std::int64_t entries_of(DType dtype) { return std::int64_t{1} << (8 * itemsize(dtype)); }

/// Whether the op takes longer than a look-up in a table. An exact op does not, unless its operands
/// are slow to convert.
bool takes_long(const Op& op, DType operand, DType result) {
  const bool converts = !op.spec->moves_elements || operand != result;
  return op.spec->accuracy.float32.ours > 0 || (kFloat8s.contains(operand) && converts);
}

}  // namespace

ResultTable::ResultTable(const IteratorPlan& plan, int indexed)
    : plan_{.sizes = plan.sizes,
            .outputs = plan.outputs,
            .inputs = {plan.inputs[indexed]},
            .output_count = 1,
            .input_count = 1},
      kernel_(
          look_up_kernel(itemsize(plan.inputs[indexed].dtype), itemsize(plan.outputs[0].dtype))),
      entries_(entries_of(plan.inputs[indexed].dtype)),
      results_(std::make_unique<Storage>(entries_ * itemsize(plan.outputs[0].dtype))) {}

KernelParams ResultTable::params() const {
  KernelParams params;
  const std::byte* const table = results_->data();
  std::memcpy(params.bytes.data(), &table, sizeof table);
  return params;
}

bool ResultTable::fill(const Op& op, const Call& call, DType common, const IteratorPlan& plan,
                       int indexed, Capability capability) {
  const int size = itemsize(plan.inputs[indexed].dtype);
  std::vector<std::byte> values(entries_ * size);
  for (std::int64_t i = 0; i < entries_; ++i)  // little-endian: copies the low bytes of i
    std::memcpy(values.data() + i * size, &i, size);
  IteratorPlan all = plan;
  all.sizes = {entries_};
  for (int i = 0; i < all.input_count; ++i) all.inputs[i].strides = {0};
  all.inputs[indexed].data = values.data();
  all.inputs[indexed].strides = {size};
  all.outputs[0].data = results_->data();
  all.outputs[0].strides = {itemsize(all.outputs[0].dtype)};
  const TileProgram program(op, call, common, all, capability);
  return !TileLoop(program, 0).run(entries_).zero_division;
}

std::optional<ResultTable> ResultTable::make(const Op& op, const Call& call, DType common,
                                             const IteratorPlan& plan, Capability capability) {
  const int indexed = only_varying_input(plan);
  if (indexed < 0 || plan.output_count != 1 || plan.in_order) return {};
  const DType operand = plan.inputs[indexed].dtype;
  if (itemsize(operand) > 2 || !takes_long(op, operand, plan.outputs[0].dtype) ||
      numel(plan.sizes) < kWorthATable * entries_of(operand))
    return {};
  ResultTable table(plan, indexed);
  if (!table.fill(op, call, common, plan, indexed, capability)) return {};
  return table;
}

}  // namespace upcast::internal
