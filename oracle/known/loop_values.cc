#include "oracle/known/loop_values.h"

#include <cstring>
#include <numeric>
#include <unordered_map>

#include "cases/operands.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/ops/plan_call.h"
#include "impl/tensor/memory_format.h"
#include "impl/tensor/overlap.h"

namespace upcast::models {
namespace {

/// Calls f(coordinates) for each element of a shape, in logical order.
template <class F>
void for_each_place(const Dims& shape, F f) {
  if (numel(shape) == 0) return;
  Dims at(shape.size(), 0);
  while (true) {
    f(at);
    std::size_t d = shape.size();
    while (d > 0 && ++at[d - 1] == shape[d - 1]) at[--d] = 0;
    if (d == 0) return;
  }
}

std::int64_t offset_of(const Dims& at, const Dims& strides) {
  std::int64_t offset = 0;
  for (std::size_t d = 0; d < at.size(); ++d) offset += at[d] * strides[d];
  return offset;
}

/// {an element's offset in bytes: its logical index} of a tensor.
std::unordered_map<std::int64_t, std::size_t> logical_indices(const Tensor& tensor) {
  std::unordered_map<std::int64_t, std::size_t> indices;
  for_each_place(tensor.sizes, [&](const Dims& at) {
    indices.emplace(offset_of(at, tensor.strides) * itemsize(tensor.dtype), indices.size());
  });
  return indices;
}

/// Whether the loop over a row runs vectorised: it reads and writes without gaps, except that one
/// operand may stay at one element.
bool row_is_vectorised(const IteratorPlan& plan) {
  int standing = 0;
  const auto contiguous = [](const PlanOperand& operand) {
    return operand.strides.back() == itemsize(operand.dtype);
  };
  for (int i = 0; i < plan.input_count; ++i) {
    if (plan.inputs[i].dtype == DType::kUndefined || contiguous(plan.inputs[i])) continue;
    if (plan.inputs[i].strides.back() != 0) return false;
    ++standing;
  }
  return standing <= 1 && contiguous(plan.outputs[0]);
}

/// Gives the operand the layout of the copy that TensorIterator makes of it: dense, in memory of
/// its own, and row-major if it is written.
void copy_to(DType common, bool written, Operand& operand) {
  if (operand.tag != Operand::Tag::kTensor || operand.dtype == common) return;
  operand.dtype = common;
  if (written) operand.strides.clear();
  if (!operand.strides.empty()) operand.strides = preserved_strides(operand.sizes, operand.strides);
  operand.offset = 0;
  operand.values.clear();
}

/// The call that LibTorch's inner loop runs. Operands of another dtype than the common one are
/// copies by then, and have lost their strides. A generated out= form copies its result afterwards.
Case with_copies(Case c, DType common) {
  const OpSpec& spec = *c.op->spec;
  for (Operand& operand : c.arguments) operand.shares = kOwnStorage;
  const std::string_view written = spec.written.empty() ? spec.operands[0] : spec.written;
  for (std::size_t i = 0; i < spec.operands.size() && !spec.operands[i].empty(); ++i)
    if (spec.promotes(i))
      copy_to(common, c.form == Form::kInPlace && spec.operands[i] == written,
              c.arguments[static_cast<std::size_t>(c.schema().find(spec.operands[i]))]);
  c.out.shares = kOwnStorage;
  copy_to(common, /*written=*/true, c.out);
  if (CaseCall maker; has_generated_out(*c.op, maker.make(c, kPyTorchRules, nullptr))) {
    c.form = Form::kFunctional;
    c.out = {};
  }
  return c;
}

}  // namespace

std::vector<bool> in_vector_body(const Case& c, DType common, std::size_t count) {
  std::vector<bool> vectorised(count, false);
  CaseCall maker;
  CallPlan planned;
  CpuEngine cpu;
  const Case copied = with_copies(c, common);
  if (plan_call(*c.op, maker.make(copied), planned, cpu)) return vectorised;
  const IteratorPlan& plan = planned.plan;
  if (plan.sizes.empty() || !row_is_vectorised(plan)) return vectorised;
  const std::int64_t step = 2 * (32 / static_cast<std::int64_t>(itemsize(common)));
  const std::int64_t body = plan.sizes.back() / step * step;
  const auto indices = logical_indices(planned.outputs[0]);
  const std::int64_t start = plan.outputs[0].data - planned.outputs[0].data();
  for_each_place(plan.sizes, [&](const Dims& at) {
    if (at.back() >= body) return;
    const auto found = indices.find(start + offset_of(at, plan.outputs[0].strides));
    if (found != indices.end() && found->second < count) vectorised[found->second] = true;
  });
  return vectorised;
}

Answer as_memory_holds(const Case& c, Answer answer) {
  const bool has_values = answer.tag == Answer::Tag::kTensor && !answer.bytes.empty();
  if (c.form == Form::kFunctional || !has_values) return answer;
  const Operand& written = c.operand(c.form == Form::kOut ? kOutPosition : written_position(c));
  if (written.strides.empty() || written.sizes != answer.sizes) return answer;
  Tensor numbers = empty_tensor(DType::kInt64, written.sizes, written.strides);
  if (!may_overlap_itself(numbers)) return answer;
  std::vector<std::int64_t> order(static_cast<std::size_t>(numel(answer.sizes)));
  std::iota(order.begin(), order.end(), 0);
  Case copy = case_of(find_callable("copy_"));
  copy.arguments[0] = copy.arguments[1] = {.tag = Operand::Tag::kTensor,
                                           .dtype = DType::kInt64,
                                           .sizes = written.sizes,
                                           .values = bytes_of(order)};
  copy.arguments[0].strides = written.strides;
  const auto last = elements<std::int64_t>(DType::kInt64, ours_of(copy).bytes, DType::kInt64);
  const auto size = static_cast<std::size_t>(itemsize(answer.dtype));
  const Bytes own = answer.bytes;
  for (std::size_t i = 0; i < last.size(); ++i)
    std::memcpy(&answer.bytes[i * size], &own[static_cast<std::size_t>(last[i]) * size], size);
  return answer;
}

std::vector<bool> in_conversion_tail(const Operand& operand) {
  constexpr std::int64_t kLanes = 8;
  const std::int64_t count = element_count(operand);
  const Dims strides =
      operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
  std::vector<bool> tail;
  if (!is_non_overlapping_and_dense(operand.sizes, strides))
    return std::vector<bool>(static_cast<std::size_t>(count), false);
  for_each_place(operand.sizes, [&](const Dims& at) {
    tail.push_back(offset_of(at, strides) >= count / kLanes * kLanes);
  });
  return tail;
}

}  // namespace upcast::models
