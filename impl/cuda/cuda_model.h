// The limits of launches on device 0.
#pragma once

#include "impl/cuda/device_model.h"

namespace upcast {

/// The limits of launches on device 0, which depend on the kernels that this build has for it.
DeviceModel cuda_device_model();

}  // namespace upcast
