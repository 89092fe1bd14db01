// Predicates on sizes and strides, with the answers that c10::TensorImpl gives.
#pragma once

#include "impl/tensor/tensor.h"

namespace upcast {

/// Whether a tensor is row-major and dense. A dimension of size 1 may have any stride. An empty
/// tensor is contiguous.
bool is_contiguous(const Dims& sizes, const Dims& strides);

/// Whether a tensor of four sizes N,C,H,W is dense in the order N,H,W,C (channels_last). A
/// dimension of size 1 may have any stride.
bool is_channels_last(const Dims& sizes, const Dims& strides);

/// Whether a tensor is dense in some order of its dimensions.
bool is_non_overlapping_and_dense(const Dims& sizes, const Dims& strides);

/// The strides of a dense tensor in the order N,H,W,C (channels_last). There must be four sizes.
Dims channels_last_strides(const Dims& sizes);

/// The strides of a copy that preserves the layout (torch.preserve_format). If the strides are
/// dense, they stay as they are. If not, they become dense strides in the same order.
Dims preserved_strides(const Dims& sizes, const Dims& strides);

}  // namespace upcast
