// Tables of the kernels that a device has, by op and compute dtype.
#pragma once

#include <vector>

#include "impl/cuda/elementwise_contiguous.h"
#include "impl/cuda/elementwise_general.h"

namespace upcast {

/// The dtype in which tensors store the operands of a contiguous kernel.
enum class StorageKind : std::uint8_t { kComputeDType, kFloat16, kBFloat16 };
inline constexpr int kStorageKinds = 3;

/// The kernels of one op for one compute dtype. `Backend` says what a kernel is on the device: it
/// has the types Contiguous and General, and the members contiguous<O, T, S>() and general<O, T>()
/// that make them.
template <class Backend>
struct DeviceKernels {
  std::array<typename Backend::Contiguous, kStorageKinds> contiguous{};  // null: no such kernel
  typename Backend::General general{};
};

/// The kernels of an op, indexed by the code of the compute dtype.
template <class Backend>
using DeviceKernelTable = std::array<DeviceKernels<Backend>, kDTypeCount>;

namespace internal {

template <class Backend, class O, class Row>
void add_device_kernels(DeviceKernelTable<Backend>& table) {
  if constexpr (compute_dtypes(O::spec.dtypes).contains(Row::dtype)) {
    using T = typename Row::type;
    DeviceKernels<Backend>& kernels = table[code(Row::dtype)];
    kernels.general = Backend::template general<O, T>();
    using Indices = std::make_index_sequence<operand_count(O::spec)>;
    if constexpr (functor_result<O, T>(Indices{}) != FunctorResult::kWithExponent) {
      kernels.contiguous[0] = Backend::template contiguous<O, T, typename StoredAs<T>::type>();
      if constexpr (std::is_same_v<T, float>) {
        if constexpr (O::spec.dtypes.contains(DType::kFloat16))
          kernels.contiguous[1] = Backend::template contiguous<O, T, Half>();
        if constexpr (O::spec.dtypes.contains(DType::kBFloat16))
          kernels.contiguous[2] = Backend::template contiguous<O, T, BFloat16>();
      }
    }
  }
}

template <class Backend, class O, class... Rows>
DeviceKernelTable<Backend> device_kernels(ElementRows<Rows...>) {
  DeviceKernelTable<Backend> table{};
  (add_device_kernels<Backend, O, Rows>(table), ...);
  return table;
}

}  // namespace internal

/// Appends a kernel table for each op of a family, in the family's order.
template <class Backend, class... Ops>
void add_device_family(OpFamily<Ops...>, std::vector<DeviceKernelTable<Backend>>& tables) {
  (tables.push_back(internal::device_kernels<Backend, Ops>(ComputeElements{})), ...);
}

}  // namespace upcast
