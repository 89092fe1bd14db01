#include "impl/iterator/build.h"

#include <algorithm>

#include "impl/iterator/allocate_outputs.h"
#include "impl/iterator/check_overlap.h"
#include "impl/iterator/coalesce_dimensions.h"
#include "impl/iterator/compute_shape.h"
#include "impl/iterator/mark_outputs.h"
#include "impl/iterator/step_trace.h"
#include "impl/tensor/dimension_order.h"
#include "impl/tensor/memory_format.h"
#include "impl/tensor/overlap.h"

namespace upcast {
namespace {

PlanOperand plan_operand(const Tensor& tensor) {
  return {.dtype = tensor.dtype, .data = tensor.data(), .on_host = tensor.on_host()};
}

/// Whether one loop over all elements is enough, because every operand is row-major and has the
/// result's shape.
bool is_one_loop(const Iteration& iteration) {
  for (const IteratorOperand& operand : iteration.operands())
    if (operand.defined() && (operand.tensor->sizes != iteration.shape ||
                              !is_contiguous(operand.tensor->sizes, operand.tensor->strides)))
      return false;
  return true;
}

void add_operands(const Iteration& iteration, IteratorPlan& plan) {
  plan.output_count = iteration.output_count;
  plan.input_count = iteration.input_count;
  for (int i = 0; i < plan.output_count; ++i)
    plan.outputs[i] = plan_operand(*iteration.outputs()[i].tensor);
  for (int i = 0; i < plan.input_count; ++i)
    if (iteration.inputs()[i].defined())
      plan.inputs[i] = plan_operand(*iteration.inputs()[i].tensor);
}

/// The order of dimensions, by the operands' strides, in which the loops go through memory in the
/// smallest steps.
std::vector<int> best_order(const Iteration& iteration) {
  std::array<const Dims*, kMaxOutputs + kMaxInputs> opinions;
  std::array<Dims, kMaxOutputs + kMaxInputs> strides;
  std::size_t count = 0;
  for (const IteratorOperand& operand : iteration.operands()) {
    if (!operand.defined()) continue;
    strides[count] =
        broadcast_strides(operand.tensor->sizes, operand.tensor->strides, iteration.shape);
    opinions[count] = &strides[count];
    ++count;
  }
  return dimension_order(iteration.shape, {opinions.data(), count});
}

void note_operands(const Iteration& iteration) {
  if (iteration.trace == nullptr) return;
  for (const IteratorOperand& operand : iteration.operands()) {
    StepTrace::Operand seen{.read_write = operand.read_write};
    if (operand.defined())
      seen = {operand.tensor->dtype, operand.tensor->sizes, operand.tensor->strides,
              operand.read_write};
    (operand.is_output ? iteration.trace->outputs : iteration.trace->inputs).push_back(seen);
  }
  iteration.trace->note(Step::kOutput);
}

/// A tensor's strides in bytes, with its dimensions in the order of the plan, slowest first.
Dims ordered_strides(const Tensor& tensor, const Dims& shape, const std::vector<int>& order) {
  const Dims broadcast = broadcast_strides(tensor.sizes, tensor.strides, shape);
  Dims strides(shape.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    strides[order.size() - 1 - i] = broadcast[order[i]] * itemsize(tensor.dtype);
  return strides;
}

}  // namespace

std::optional<Rejection> build_geometry(Iteration& iteration) {
  StepTrace* const trace = iteration.trace;
  mark_outputs(iteration);
  note_operands(iteration);
  if (iteration.config.check_overlap)
    if (auto refused = check_overlap(iteration); refuses(trace, Step::kOverlap, refused))
      return refused;
  if (auto refused = compute_shape(iteration); refuses(trace, Step::kShape, refused))
    return refused;
  if (trace != nullptr) trace->shape = iteration.shape;
  if (auto refused = mark_resized_outputs(iteration); refuses(trace, Step::kResizing, refused))
    return refused;
  return std::nullopt;
}

bool shares_written_memory(const Iteration& iteration) {
  return std::ranges::any_of(iteration.outputs(), [&](const IteratorOperand& output) {
    return may_overlap_itself(*output.tensor) ||
           std::ranges::any_of(iteration.inputs(), [&](const IteratorOperand& input) {
             return input.defined() && may_share_elements(*output.tensor, *input.tensor);
           });
  });
}

IteratorPlan build_plan(const Iteration& iteration) {
  IteratorPlan plan;
  add_operands(iteration, plan);
  plan.in_order = shares_written_memory(iteration);
  if (is_one_loop(iteration)) {
    plan.sizes = {numel(iteration.shape)};
    for_each_operand(plan,
                     [](PlanOperand& operand) { operand.strides = {itemsize(operand.dtype)}; });
    return plan;
  }
  const std::vector<int> order =
      plan.in_order ? reorder_dimensions(iteration) : best_order(iteration);
  note_order(iteration.trace, order);
  plan.sizes.resize(order.size());
  for (std::size_t i = 0; i < order.size(); ++i)
    plan.sizes[order.size() - 1 - i] = iteration.shape[order[i]];
  for (int i = 0; i < plan.output_count; ++i)
    plan.outputs[i].strides =
        ordered_strides(*iteration.outputs()[i].tensor, iteration.shape, order);
  for (int i = 0; i < plan.input_count; ++i)
    if (iteration.inputs()[i].defined())
      plan.inputs[i].strides =
          ordered_strides(*iteration.inputs()[i].tensor, iteration.shape, order);
  coalesce_dimensions(plan);
  return plan;
}

}  // namespace upcast
