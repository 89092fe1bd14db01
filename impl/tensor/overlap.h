// Overlap of memory, as ATen's MemoryOverlap.cpp answers it. It has answers that are cheap to find,
// and "too hard" for all other cases.
#pragma once

#include "impl/tensor/tensor.h"

namespace upcast {

/// Whether elements of a tensor surely share memory: a dimension of more than one element has a
/// stride of 0. As in LibTorch, other overlaps within a tensor go unnoticed.
bool has_internal_overlap(const Tensor& tensor);

/// Whether elements of a tensor may share memory. The answer is false only if each stride is larger
/// than all that smaller strides reach. Interleaved dimensions give true, even if they do not
/// overlap.
bool may_overlap_itself(const Tensor& tensor);

/// Whether two tensors are the same view of the same storage. Here a tensor is a value, so this
/// stands for ATen's comparison of TensorImpl pointers.
bool is_same_tensor(const Tensor& a, const Tensor& b);

enum class Overlap : std::uint8_t { kNone, kFull, kPartial, kTooHard };

/// The overlap of two different tensors: kFull if they cover the same bytes with the same strides.
/// If one is not dense, the answer is kTooHard.
Overlap overlap_of(const Tensor& a, const Tensor& b);

/// Whether an element of one tensor may share memory with a different element of the other. True if
/// the tensors span common bytes and are not the same tensor.
bool may_share_elements(const Tensor& a, const Tensor& b);

}  // namespace upcast
