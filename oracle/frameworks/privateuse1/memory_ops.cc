// The ops that PyTorch needs of every device: memory, views, copies. All others run on LibTorch's
// CPU.
#include <ATen/EmptyTensor.h>
#include <ATen/ops/_local_scalar_dense_native.h>
#include <ATen/ops/_reshape_alias_native.h>
#include <ATen/ops/as_strided_native.h>
#include <ATen/ops/unfold_native.h>
#include <ATen/ops/view_as_complex_native.h>
#include <ATen/ops/view_as_real_native.h>
#include <ATen/ops/view_native.h>
#include <torch/library.h>

#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"
#include "oracle/frameworks/privateuse1/calls.h"
#include "oracle/frameworks/privateuse1/device.h"

namespace upcast::device {
namespace {

constexpr c10::DispatchKeySet kKeys(c10::DispatchKey::PrivateUse1);

at::Tensor empty(c10::IntArrayRef sizes, std::optional<at::ScalarType> dtype,
                 std::optional<at::Layout>, std::optional<at::Device>, std::optional<bool>,
                 std::optional<at::MemoryFormat> format) {
  return at::detail::empty_generic(sizes, &allocator(), kKeys, c10::dtype_or_default(dtype),
                                   format);
}

at::Tensor empty_strided(c10::IntArrayRef sizes, c10::IntArrayRef strides,
                         std::optional<at::ScalarType> dtype, std::optional<at::Layout>,
                         std::optional<at::Device>, std::optional<bool>) {
  return at::detail::empty_strided_generic(sizes, strides, &allocator(), kKeys,
                                           c10::dtype_or_default(dtype));
}

const at::Tensor& resize(const at::Tensor& self, c10::IntArrayRef sizes,
                         std::optional<at::MemoryFormat> format) {
  at::TensorImpl* const impl = self.unsafeGetTensorImpl();
  impl->set_sizes_contiguous(sizes);
  if (format && *format != at::MemoryFormat::Contiguous && *format != at::MemoryFormat::Preserve)
    impl->empty_tensor_restride(*format);
  const std::size_t needed = (self.storage_offset() + self.numel()) * self.itemsize();
  if (needed > self.storage().nbytes()) resize_storage(self.storage(), needed);
  return self;
}

at::Tensor& set_storage(at::Tensor& self, at::Storage source, std::int64_t offset,
                        c10::IntArrayRef sizes, c10::IntArrayRef strides) {
  self.unsafeGetTensorImpl()->set_storage_keep_dtype(std::move(source));
  if (strides.data() == nullptr || (strides.empty() && !sizes.empty()))
    self.unsafeGetTensorImpl()->set_sizes_contiguous(sizes);
  else
    self.unsafeGetTensorImpl()->set_sizes_and_strides(sizes, strides);
  self.unsafeGetTensorImpl()->set_storage_offset(offset);
  return self;
}

at::Tensor& set_whole_storage(at::Tensor& self, at::Storage source) {
  const auto elements = static_cast<std::int64_t>(source.nbytes() / self.itemsize());
  return set_storage(self, std::move(source), 0, {elements}, {});
}

/// Copies between two tensors of the device by our copy_, with its conversions. For a copy to or
/// from the CPU, LibTorch copies, and takes the device's memory for that of a CPU tensor.
at::Tensor copy_from(const at::Tensor& self, const at::Tensor& to, bool) {
  const bool ours = on_device(self) && on_device(to) && !self.is_conj() && !self.is_neg() &&
                    !to.is_conj() && !to.is_neg();
  if (!ours) {
    const at::Tensor target = on_device(to) ? on_host(to) : to;
    const at::Tensor source = on_device(self) ? on_host(self) : self;
    if (to.is_conj() && on_device(to)) target._set_conj(true);
    if (to.is_neg() && on_device(to)) target._set_neg(true);
    if (self.is_conj() && on_device(self)) source._set_conj(true);
    if (self.is_neg() && on_device(self)) source._set_neg(true);
    target.copy_(source);
    return to;
  }
  static CpuEngine engine;
  const std::array<Argument, 2> arguments{
      Argument{.tag = Argument::Tag::kTensor, .tensor = to_ours(to)},
      Argument{.tag = Argument::Tag::kTensor, .tensor = to_ours(self)}};
  const Outcome<CallResult> outcome = Caller(engine)("copy_", arguments, {});
  TORCH_CHECK(outcome.ok(), "upcast refuses to copy: ",
              outcome.ok() ? "" : std::string(outcome.rejection().detail));
  count_ours("copy_");
  return to;
}

at::Tensor copy_from_and_resize(const at::Tensor& self, const at::Tensor& to) {
  if (to.sizes() != self.sizes()) to.resize_(self.sizes());
  return copy_from(self, to, false);
}

at::Scalar local_scalar(const at::Tensor& self) {
  return at::native::_local_scalar_dense_cpu(on_host(self));
}

TORCH_LIBRARY_IMPL(aten, PrivateUse1, library) {
  library.impl("empty.memory_format", TORCH_FN(empty));
  library.impl("empty_strided", TORCH_FN(empty_strided));
  library.impl("resize_", TORCH_FN(resize));
  library.impl("set_.source_Storage", TORCH_FN(set_whole_storage));
  library.impl("set_.source_Storage_storage_offset", TORCH_FN(set_storage));
  library.impl("_copy_from", TORCH_FN(copy_from));
  library.impl("_copy_from_and_resize", TORCH_FN(copy_from_and_resize));
  library.impl("_local_scalar_dense", TORCH_FN(local_scalar));
  library.impl("as_strided", TORCH_FN(at::native::as_strided_tensorimpl));
  library.impl("view", TORCH_FN(at::native::view));
  library.impl("_reshape_alias", TORCH_FN(at::native::_reshape_alias));
  library.impl("unfold", TORCH_FN(at::native::unfold));
  library.impl("view_as_real", TORCH_FN(at::native::view_as_real));
  library.impl("view_as_complex", TORCH_FN(at::native::view_as_complex));
}

// _copy_from is how PyTorch resolves conjugate and negative views, so these views must reach it
// unresolved.
TORCH_LIBRARY_IMPL(aten, Conjugate, library) {
  library.impl("_copy_from", torch::CppFunction::makeFallthrough());
}
TORCH_LIBRARY_IMPL(aten, Negative, library) {
  library.impl("_copy_from", torch::CppFunction::makeFallthrough());
}

TORCH_LIBRARY_IMPL(_, PrivateUse1, library) {
  library.fallback(torch::CppFunction::makeFromBoxedFunction<&run_on_cpu>());
}

}  // namespace
}  // namespace upcast::device
