// Memory overlap, as ATen's MemoryOverlap.cpp sees it: cheap answers, and "too hard" for the rest.
#pragma once

#include "impl/tensor/tensor.h"

namespace upcast {

/// Whether several elements of a tensor surely share memory: a stride of 0 along more than one.
/// Other overlaps within a tensor go unnoticed, as in LibTorch.
bool has_internal_overlap(const Tensor& tensor);

/// Whether elements of a tensor may share memory. False only where each stride steps over all that
/// the smaller ones reach, which interleaved dimensions do not.
bool may_overlap_itself(const Tensor& tensor);

/// Whether two tensors are one: the same view of the same storage. (ATen asks for one TensorImpl;
/// here a tensor is a value.)
bool is_same_tensor(const Tensor& a, const Tensor& b);

enum class Overlap : std::uint8_t { kNone, kFull, kPartial, kTooHard };

/// The overlap of two different tensors. Only dense ones are compared: kFull if they cover the same
/// bytes with the same strides.
Overlap overlap_of(const Tensor& a, const Tensor& b);

/// Whether an element of one tensor may lie where another element of the other one lies: they span
/// common bytes, and are not one tensor.
bool may_share_elements(const Tensor& a, const Tensor& b);

}  // namespace upcast
