// Kernels as functions of the host, which run one thread of a launch at a time.
#pragma once

#include "impl/cuda/device_kernels.h"

namespace upcast {

struct EmulatedBackend {
  using Contiguous = void (*)(LaunchIndex, const ContiguousArgs&);
  using General = void (*)(LaunchIndex, const GeneralArgs&);

  template <class O, class T, class S>
  static constexpr Contiguous contiguous() {
    return &elementwise_contiguous<O, T, S>;
  }
  template <class O, class T>
  static constexpr General general() {
    return &elementwise_general<O, T>;
  }
};

using EmulatedKernelTable = DeviceKernelTable<EmulatedBackend>;

}  // namespace upcast
