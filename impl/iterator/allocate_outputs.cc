#include "impl/iterator/allocate_outputs.h"

#include "impl/iterator/compute_shape.h"
#include "impl/iterator/fast_setup.h"
#include "impl/iterator/step_trace.h"
#include "impl/tensor/dimension_order.h"
#include "impl/tensor/memory_format.h"

namespace upcast {

std::vector<int> reorder_dimensions(const Iteration& iteration) {
  std::array<Dims, kMaxOutputs + kMaxInputs> strides;
  std::array<const Dims*, kMaxOutputs + kMaxInputs> opinions;
  std::size_t count = 0;
  for (const IteratorOperand& operand : iteration.operands()) {
    if (!operand.has_layout()) continue;
    strides[count] =
        broadcast_strides(operand.tensor->sizes, seen_strides(operand), iteration.shape);
    opinions[count] = &strides[count];
    ++count;
  }
  return dimension_order(iteration.shape, {opinions.data(), count});
}

Dims output_strides(const Iteration& iteration) {
  const FastSetup setup = fast_setup(iteration);
  if (iteration.trace != nullptr) {
    iteration.trace->note(Step::kFastSetup);
    iteration.trace->fast_setup = setup;
  }
  switch (setup) {
    case FastSetup::kContiguous:
      return contiguous_strides(iteration.shape);
    case FastSetup::kChannelsLast:
      return channels_last_strides(iteration.shape);
    case FastSetup::kDense:
      for (auto operand = iteration.operands().rbegin(); operand != iteration.operands().rend();
           ++operand)
        if (operand->has_layout()) return seen_strides(*operand);
      break;
    case FastSetup::kNone:
      break;
  }
  const std::vector<int> order = reorder_dimensions(iteration);
  note_order(iteration.trace, order);
  return strides_in_order(iteration.shape, order);
}

}  // namespace upcast
