#include "oracle/frameworks/privateuse1/device.h"

#include <ATen/detail/PrivateUse1HooksInterface.h>
#include <ATen/ops/empty.h>
#include <c10/core/impl/DeviceGuardImplInterface.h>

#include <cstring>

#include "impl/core/error.h"
#include "oracle/libtorch/convert.h"

namespace upcast::device {
namespace {

using Owner = std::shared_ptr<Storage>;

void release(void* owner) { delete static_cast<Owner*>(owner); }

class Allocator : public c10::Allocator {
 public:
  c10::DataPtr allocate(std::size_t size) override {
    return data_ptr_of(std::make_shared<Storage>(size));
  }
  void copy_data(void* to, const void* from, std::size_t count) const override {
    default_copy_data(to, from, count);
  }
};

/// The device guard that PyTorch requires. The device has one stream, and every call has ended when
/// it returns.
struct Guard final : c10::impl::DeviceGuardImplInterface {
  c10::DeviceType type() const override { return kType; }
  c10::Device exchangeDevice(c10::Device) const override { return kDevice; }
  c10::Device getDevice() const override { return kDevice; }
  void setDevice(c10::Device) const override {}
  void uncheckedSetDevice(c10::Device) const noexcept override {}
  c10::Stream getStream(c10::Device) const override {
    return c10::Stream(c10::Stream::DEFAULT, kDevice);
  }
  c10::Stream getDefaultStream(c10::Device device) const override { return getStream(device); }
  c10::Stream exchangeStream(c10::Stream stream) const override { return stream; }
  c10::DeviceIndex deviceCount() const noexcept override { return 1; }
};
C10_REGISTER_GUARD_IMPL(PrivateUse1, Guard);

struct Hooks final : at::PrivateUse1HooksInterface {
  bool isBuilt() const override { return true; }
  bool isAvailable() const override { return true; }
  bool hasPrimaryContext(c10::DeviceIndex) const override { return true; }
  at::Device getDeviceFromPtr(void*) const override { return kDevice; }
  void resizePrivateUse1Bytes(const c10::Storage& storage, std::size_t size) const override {
    resize_storage(storage, size);
  }
};

const bool kRegistered = [] {
  static Hooks hooks;
  c10::SetAllocator(kType, &allocator());
  at::RegisterPrivateUse1HooksInterface(&hooks);
  return true;
}();

}  // namespace

c10::Allocator& allocator() {
  static Allocator made;
  return made;
}

c10::DataPtr data_ptr_of(std::shared_ptr<Storage> storage) {
  auto* const owner = new Owner(std::move(storage));
  return {(*owner)->data(), owner, &release, kDevice};
}

std::shared_ptr<Storage> storage_of(const c10::DataPtr& data) {
  check(data.get_deleter() == &release, "storages of the device are ours");
  return *static_cast<const Owner*>(data.get_context());
}

void resize_storage(const c10::Storage& storage, std::size_t bytes) {
  c10::DataPtr grown = allocator().allocate(bytes);
  const std::size_t kept = std::min(bytes, storage.nbytes());
  if (kept > 0) std::memcpy(grown.get(), storage.data(), kept);
  storage.unsafeGetStorageImpl()->set_data_ptr_noswap(std::move(grown));
  storage.unsafeGetStorageImpl()->set_nbytes(bytes);
}

Tensor to_ours(const at::Tensor& tensor) {
  if (!on_device(tensor)) return to_ours(tensor.to(kDevice));
  Tensor ours{.dtype = libtorch::from_c10(tensor.scalar_type()),
              .sizes = tensor.sizes().vec(),
              .strides = tensor.strides().vec(),
              .offset = tensor.storage_offset()};
  ours.storage = storage_of(tensor.storage().data_ptr());
  return ours;
}

namespace {

void place(const at::Tensor& tensor, const Tensor& ours) {
  const std::size_t bytes = ours.storage->size();
  tensor.unsafeGetTensorImpl()->set_storage_keep_dtype(c10::Storage(
      c10::Storage::use_byte_size_t(), bytes, data_ptr_of(ours.storage), &allocator(), true));
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(ours.sizes, ours.strides, ours.offset);
}

}  // namespace

at::Tensor from_ours(const Tensor& tensor) {
  const auto options = at::TensorOptions().dtype(libtorch::to_c10(tensor.dtype)).device(kDevice);
  at::Tensor made = at::empty({0}, options);
  place(made, tensor);
  return made;
}

void become(const at::Tensor& out, const Tensor& result) {
  if (storage_of(out.storage().data_ptr()) != result.storage) return place(out, result);
  out.unsafeGetTensorImpl()->set_sizes_and_strides(result.sizes, result.strides, result.offset);
}

at::Tensor on_host(const at::Tensor& tensor) {
  const c10::Storage& storage = tensor.storage();
  auto* const owner = new Owner(storage_of(storage.data_ptr()));
  c10::DataPtr data((*owner)->data(), owner, &release, c10::Device(c10::kCPU));
  at::Tensor host = at::empty({0}, tensor.options().device(c10::kCPU));
  host.unsafeGetTensorImpl()->set_storage_keep_dtype(c10::Storage(
      c10::Storage::use_byte_size_t(), storage.nbytes(), std::move(data), nullptr, false));
  host.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(),
                                                    tensor.storage_offset());
  return host;
}

}  // namespace upcast::device
