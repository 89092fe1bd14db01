// Questions about sizes and strides, as c10::TensorImpl answers them.
#pragma once

#include "impl/tensor/tensor.h"

namespace upcast {

/// Row-major and dense; sizes of 1 have any stride. An empty tensor is contiguous.
bool is_contiguous(const Dims& sizes, const Dims& strides);

/// Four sizes N,C,H,W, dense in the order N,H,W,C; sizes of 1 have any stride.
bool is_channels_last(const Dims& sizes, const Dims& strides);

/// Dense in some order of its dimensions.
bool is_non_overlapping_and_dense(const Dims& sizes, const Dims& strides);

/// Strides of a dense tensor in the order N,H,W,C. Precondition: four sizes.
Dims channels_last_strides(const Dims& sizes);

/// Strides of a copy that preserves the layout (torch.preserve_format): the same ones where they
/// are dense, else dense ones in their order.
Dims preserved_strides(const Dims& sizes, const Dims& strides);

}  // namespace upcast
