#include "impl/iterator/fast_setup.h"

#include "impl/tensor/memory_format.h"

namespace upcast {

Dims seen_strides(const IteratorOperand& operand) {
  const Tensor& tensor = *operand.tensor;
  if (operand.is_output || operand.dtype == tensor.dtype) return tensor.strides;
  return preserved_strides(tensor.sizes, tensor.strides);
}

FastSetup fast_setup(const Iteration& iteration) {
  if (!iteration.all_same_shape) return FastSetup::kNone;
  bool contiguous = true;
  bool channels_last = true;
  bool dense = true;
  Dims first;
  bool seen_one = false;
  for (const IteratorOperand& operand : iteration.operands()) {
    if (!operand.has_layout()) continue;
    const Dims strides = seen_strides(operand);
    const Dims& sizes = operand.tensor->sizes;
    contiguous = contiguous && is_contiguous(sizes, strides);
    channels_last = channels_last && is_channels_last(sizes, strides);
    dense =
        dense && is_non_overlapping_and_dense(sizes, strides) && (!seen_one || strides == first);
    if (!seen_one) first = strides;
    seen_one = true;
  }
  if (!seen_one) return FastSetup::kNone;
  return contiguous      ? FastSetup::kContiguous
         : channels_last ? FastSetup::kChannelsLast
         : dense         ? FastSetup::kDense
                         : FastSetup::kNone;
}

}  // namespace upcast
