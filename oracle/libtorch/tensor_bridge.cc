#include "oracle/libtorch/tensor_bridge.h"

#include <ATen/ScalarOps.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/resolve_conj.h>
#include <ATen/ops/resolve_neg.h>
#include <c10/core/Storage.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <string_view>
#include <unordered_map>

#include "cases/values.h"
#include "impl/core/error.h"
#include "impl/tensor/for_each_offset.h"
#include "oracle/libtorch/convert.h"

namespace upcast::libtorch {
namespace {

/// Limits of the store of tensors, in tensors and in bytes. A store that reaches one of them is
/// emptied.
constexpr std::size_t kMaxEntries = 1 << 16;
constexpr std::size_t kMaxBytes = std::size_t{256} << 20;
/// A tensor of this many bytes or more is not kept. A sweep asks each of its large tensors once
/// only, and they would soon empty the store. Memory that is used again is also still in the
/// processor's cache.
constexpr std::size_t kLarge = std::size_t{256} << 10;

std::string_view text_of(const Dims& dims) {
  return {reinterpret_cast<const char*>(dims.data()), dims.size() * sizeof(std::int64_t)};
}

/// What a tensor is made from, in addition to its operand: its device, and the source of its
/// elements (cases/values.h).
struct TensorSource {
  Device device = Device::kCpu;
  ValueClass value_class = ValueClass::kSmall;
  std::uint64_t seed = 0;
  int position = 0;

  bool operator==(const TensorSource&) const = default;
};

/// Where a tensor's elements come from. The position is a part of it: two operands that are written
/// alike are still two tensors, and aten::equal can tell them from one.
TensorSource tensor_source(const Case& c, int position, Device device) {
  if (!c.operand(position).values.empty() || device == Device::kMeta)
    return {.device = device, .position = position};
  return {device, c.values, c.values == ValueClass::kSmall ? 0 : c.seed, position};
}

std::uint64_t hash_of(const Operand& operand, const TensorSource& source, bool written) {
  const auto mix = [](std::uint64_t hash, std::uint64_t value) {
    return (hash ^ value) * 0x9e3779b97f4a7c15 + (hash >> 29);
  };
  const auto mix_text = [&mix](std::uint64_t hash, std::string_view text) {
    return text.empty() ? hash : mix(hash, std::hash<std::string_view>{}(text));
  };
  std::uint64_t hash = mix(code(operand.dtype), operand.sizes.size() * 2 + written);
  hash = mix(hash, static_cast<std::uint64_t>(operand.offset) + operand.strides.size());
  for (std::int64_t size : operand.sizes) hash = mix(hash, static_cast<std::uint64_t>(size));
  hash = mix_text(hash, text_of(operand.strides));
  hash =
      mix_text(hash, {reinterpret_cast<const char*>(operand.values.data()), operand.values.size()});
  hash = mix(hash, source.seed * 4 + static_cast<std::uint64_t>(source.value_class));
  return mix(hash, static_cast<std::uint64_t>(source.position) * 4 +
                       static_cast<std::uint64_t>(source.device));
}

/// A tensor for an operand, with elements that are not set yet, over a storage of at least
/// `elements` elements.
at::Tensor empty_operand(const Operand& operand, at::Device device, std::int64_t elements) {
  const auto options = at::TensorOptions().dtype(to_c10(operand.dtype)).device(device);
  elements = std::max(elements, element_span(operand));
  if (operand.strides.empty() && operand.offset == 0 && elements == element_count(operand))
    return at::empty(operand.sizes, options);
  at::Tensor tensor = at::empty({elements}, options);
  const Dims strides =
      operand.strides.empty() ? contiguous_strides(operand.sizes) : operand.strides;
  tensor.unsafeGetTensorImpl()->set_sizes_and_strides(operand.sizes, strides, operand.offset);
  return tensor;
}

/// A tensor of bytes over the whole storage of a tensor.
at::Tensor storage_bytes(const at::Tensor& tensor) {
  const c10::Storage& storage = tensor.storage();
  at::Tensor bytes = at::empty({0}, at::TensorOptions().dtype(at::kByte).device(tensor.device()));
  bytes.unsafeGetTensorImpl()->set_storage_keep_dtype(storage);
  bytes.unsafeGetTensorImpl()->set_sizes_contiguous({static_cast<std::int64_t>(storage.nbytes())});
  return bytes;
}

/// A copy of a tensor on another device, with the same strides, over a copy of the whole storage.
/// Bytes are copied, so that no kernel converts elements.
at::Tensor copy_to(const at::Tensor& tensor, at::Device device) {
  const at::Tensor bytes = storage_bytes(tensor);
  const at::Tensor moved = at::empty(bytes.sizes(), bytes.options().device(device));
  moved.copy_(bytes);
  at::Tensor copy = at::empty({0}, tensor.options().device(device));
  copy.unsafeGetTensorImpl()->set_storage_keep_dtype(moved.storage());
  copy.unsafeGetTensorImpl()->set_sizes_and_strides(tensor.sizes(), tensor.strides(),
                                                    tensor.storage_offset());
  return copy;
}

/// A tensor in host memory, over a storage of at least `elements` elements. The storage is filled
/// with zeros, then with the elements in logical order. Where elements share memory, the last one
/// stays.
at::Tensor make_host_tensor(const Case& c, int position, std::int64_t elements) {
  const at::Tensor tensor = empty_operand(c.operand(position), at::kCPU, elements);
  const std::size_t bytes = tensor.storage().nbytes();
  const bool is_whole = tensor.is_contiguous() && bytes == tensor.nbytes();
  if (bytes > 0 && !is_whole) std::memset(tensor.storage().mutable_data(), 0, bytes);
  if (tensor.numel() == 0) return tensor;
  const std::vector<std::byte> values = operand_values(c, position);
  if (is_whole && values.size() == bytes) {
    std::memcpy(tensor.mutable_data_ptr(), values.data(), bytes);
    return tensor;
  }
  const std::size_t size = tensor.itemsize();
  auto* data = static_cast<std::byte*>(tensor.mutable_data_ptr());
  for_each_offset(tensor.sizes(), tensor.strides(), [&](std::int64_t i, std::int64_t at) {
    std::memcpy(data + at * size, values.data() + i * size, size);
  });
  return tensor;
}

/// The key of a number in the store. It compares bits, so that -0.0 differs from 0.0, and a NaN
/// equals itself. Each position has numbers of its own, as it has tensors.
struct NumberKey {
  int position;
  DType dtype;
  std::array<std::uint64_t, 2> bits{};

  NumberKey(const Number& number, int at) : position(at), dtype(number.dtype()) {
    number.visit([this](auto value) { std::memcpy(bits.data(), &value, sizeof value); });
  }
  bool operator==(const NumberKey&) const = default;
};
struct NumberHash {
  std::size_t operator()(const NumberKey& key) const {
    return (key.bits[0] * 3 + key.bits[1] * 5 + code(key.dtype) + 64 * key.position) *
           0x9e3779b97f4a7c15;
  }
};

}  // namespace

struct TensorBridge::Entry {
  Operand operand;
  TensorSource source;
  bool written = false;
  at::Tensor tensor;
  Dims strides;
  // The bytes of the storage before a call writes to it; empty if no call does.
  std::vector<std::byte> initial;

  bool holds(const Operand& wanted, const TensorSource& wanted_source, bool wanted_written) const {
    return tensor.defined() && written == wanted_written && source == wanted_source &&
           operand == wanted;
  }
  /// Whether an earlier call resized the tensor, so that it cannot be used again.
  bool resized() const {
    return tensor.sizes() != at::IntArrayRef(operand.sizes) ||
           tensor.strides() != at::IntArrayRef(strides) ||
           tensor.storage().nbytes() != initial.size();
  }
};

struct TensorBridge::Store {
  std::vector<std::pair<int, at::Tensor>>
      sharing;  // the tensors of the current call that share storage, with their positions
  std::unordered_map<std::uint64_t, Entry> entries;
  std::size_t bytes = 0;
  std::unordered_map<NumberKey, at::Tensor, NumberHash> numbers;
};

TensorBridge::TensorBridge(Device device, bool host_stands_in)
    : device_(device), host_stands_in_(host_stands_in), store_(std::make_unique<Store>()) {}
TensorBridge::~TensorBridge() = default;

TensorBridge::Entry& TensorBridge::find(const Case& c, int position, bool written) {
  const Operand& operand = c.operand(position);
  const Device device = device_of(c, c.operand(position), device_);
  const TensorSource source = tensor_source(c, position, device);
  const std::uint64_t hash = hash_of(operand, source, written);
  const auto found = store_->entries.find(hash);
  if (found != store_->entries.end() && found->second.holds(operand, source, written))
    return found->second;

  const std::size_t span =
      element_span(operand) * static_cast<std::size_t>(itemsize(operand.dtype));
  if (store_->entries.size() >= kMaxEntries || store_->bytes >= kMaxBytes ||
      (span >= kLarge && store_->bytes >= kLarge)) {
    store_->entries.clear();
    store_->bytes = 0;
  }
  // An entry of another operand with the same hash is replaced.
  Entry& entry = store_->entries[hash];
  entry = Entry();
  entry.operand = operand;
  entry.source = source;
  entry.written = written;
  entry.tensor = make_tensor(c, position, device);
  store_->bytes += entry.tensor.storage().nbytes();
  if (written) {
    entry.strides = entry.tensor.strides().vec();
    if (!entry.tensor.is_meta()) {
      const at::Tensor host =
          entry.tensor.is_cpu() ? entry.tensor : copy_to(entry.tensor, at::kCPU);
      const auto* data = static_cast<const std::byte*>(host.storage().data());
      entry.initial.assign(data, data + host.storage().nbytes());
    }
  }
  return entry;
}

at::Tensor TensorBridge::make_tensor(const Case& c, int position, Device device,
                                     std::int64_t elements) const {
  if (device == Device::kMeta) return empty_operand(c.operand(position), at::kMeta, elements);
  const at::Tensor tensor = make_host_tensor(c, position, elements);
  if (device == Device::kCpu) return tensor;
  return copy_to(tensor, host_stands_in_ ? at::kCPU : at::kCUDA);
}

void TensorBridge::begin_call(const Case& c) {
  auto& sharing = store_->sharing;
  sharing.clear();
  for (int owner = 0; owner < static_cast<int>(c.arguments.size()); ++owner) {
    std::vector<int> views;
    for (int i = kOutPosition; i < static_cast<int>(c.arguments.size()); ++i)
      if (c.operand(i).shares == owner) views.push_back(i);
    if (views.empty()) continue;
    std::int64_t elements = 0;
    for (int view : views) elements = std::max(elements, element_span(c.operand(view)));
    const Operand& owned = c.arguments[owner];
    const at::Tensor tensor =
        make_tensor(c, owner, device_of(c, c.operand(owner), device_), elements);
    sharing.emplace_back(owner, tensor);
    for (int position : views) {
      const Operand& view = c.operand(position);
      // Operands that are equal views of the storage are one tensor.
      const auto equal = std::find_if(views.begin(), views.end(), [&](int other) {
        return same_layout(view, c.operand(other));
      });
      const at::Tensor* made = *equal == position ? nullptr : find_sharing(*equal);
      const Dims strides = view.strides.empty() ? contiguous_strides(view.sizes) : view.strides;
      sharing.emplace_back(position, same_layout(view, owned) ? tensor
                                     : made != nullptr
                                         ? at::Tensor(*made)
                                         : tensor.as_strided(view.sizes, strides, view.offset));
    }
  }
}

const at::Tensor* TensorBridge::find_sharing(int position) const {
  for (const auto& [at, tensor] : store_->sharing)
    if (at == position) return &tensor;
  return nullptr;
}

at::Tensor TensorBridge::read_operand(const Case& c, int position) {
  if (const at::Tensor* shared = find_sharing(position)) return *shared;
  return find(c, position, /*written=*/false).tensor;
}

at::Tensor TensorBridge::written_operand(const Case& c, int position) {
  if (const at::Tensor* shared = find_sharing(position)) return *shared;
  Entry& entry = find(c, position, /*written=*/true);
  if (entry.tensor.is_meta() || entry.resized()) {
    entry.tensor = make_tensor(c, position, entry.source.device);
    return entry.tensor;
  }
  if (entry.initial.empty()) return entry.tensor;
  if (entry.source.device == Device::kCpu) {
    std::memcpy(entry.tensor.storage().mutable_data(), entry.initial.data(), entry.initial.size());
  } else {
    const auto size = static_cast<std::int64_t>(entry.initial.size());
    storage_bytes(entry.tensor).copy_(at::from_blob(entry.initial.data(), {size}, at::kByte));
  }
  return entry.tensor;
}

std::vector<std::byte> TensorBridge::storage_of(const Case& c, int position, bool written) {
  const at::Tensor* const shared = find_sharing(position);
  const c10::Storage& storage = (shared ? *shared : find(c, position, written).tensor).storage();
  check(storage.device_type() == c10::DeviceType::CPU, "storages are read on the CPU");
  const auto* data = static_cast<const std::byte*>(storage.data());
  return {data, data + (data == nullptr ? 0 : storage.nbytes())};
}

at::Tensor TensorBridge::wrapped_number(const Number& number, int position) {
  if (store_->numbers.size() >= kMaxEntries) store_->numbers.clear();
  at::Tensor& tensor = store_->numbers[NumberKey(number, position)];
  if (!tensor.defined()) {
    tensor = c10::scalar_to_tensor(to_scalar(number));
    tensor.unsafeGetTensorImpl()->set_wrapped_number(true);
  }
  return tensor;
}

namespace {

/// The bytes of a tensor on the host, element by element in logical order.
void read_elements(const at::Tensor& tensor, std::vector<std::byte>& bytes) {
  const auto* data = static_cast<const std::byte*>(tensor.const_data_ptr());
  if (tensor.is_contiguous()) {
    bytes.assign(data, data + tensor.nbytes());
    return;
  }
  const std::size_t size = tensor.itemsize();
  bytes.resize(tensor.numel() * size);
  for_each_offset(tensor.sizes(), tensor.strides(), [&](std::int64_t i, std::int64_t at) {
    std::memcpy(bytes.data() + i * size, data + at * size, size);
  });
}

}  // namespace

void read_tensor(const at::Tensor& tensor, Answer& answer) {
  answer.tag = Answer::Tag::kTensor;
  answer.dtype = from_c10(tensor.scalar_type());
  answer.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
  answer.strides.assign(tensor.strides().begin(), tensor.strides().end());
  answer.bytes.clear();
  answer.without_values = tensor.is_meta();
  if (answer.without_values || tensor.numel() == 0) return;
  at::Tensor read = tensor;
  // Conjugate and negative views are computed when they are read.
  if (read.is_conj() || read.is_neg()) read = read.resolve_conj().resolve_neg();
  if (!read.is_cpu()) read = copy_to(read, at::kCPU);
  read_elements(read, answer.bytes);
}

}  // namespace upcast::libtorch
