// The PyTorch device "upcast": PrivateUse1 with tensors of our own implementation in host memory.
// Includes LibTorch: for the source files of this folder only.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Allocator.h>
#include <c10/core/Device.h>

#include <memory>

#include "impl/tensor/tensor.h"

namespace upcast::device {

inline constexpr c10::DeviceType kType = c10::DeviceType::PrivateUse1;
inline const c10::Device kDevice{kType, 0};

inline bool on_device(const at::Tensor& tensor) { return tensor.device().type() == kType; }

/// Memory of at::Tensors on the device: each block is a Storage of ours.
c10::Allocator& allocator();
/// Makes a DataPtr of the memory of a storage of ours, without a copy.
c10::DataPtr data_ptr_of(std::shared_ptr<Storage> storage);
/// The storage of ours for memory of the device: the inverse of data_ptr_of().
std::shared_ptr<Storage> storage_of(const c10::DataPtr& data);

/// Changes the size of a storage on the device. The bytes that old and new size have in common keep
/// their values.
void resize_storage(const c10::Storage& storage, std::size_t bytes);

/// Makes our Tensor of an at::Tensor: over the same memory if it is on the device, a copy if it is
/// on the CPU. Conjugate and negative views must be resolved first.
Tensor to_ours(const at::Tensor& tensor);
/// A tensor of ours as an at::Tensor of the device, over the same memory.
at::Tensor from_ours(const Tensor& tensor);
/// Makes `out` the tensor `result`: a call that resized its output has another shape, and may have
/// another storage.
void become(const at::Tensor& out, const Tensor& result);

/// Makes a CPU tensor over the memory of a tensor on the device, without a copy.
at::Tensor on_host(const at::Tensor& tensor);

}  // namespace upcast::device
