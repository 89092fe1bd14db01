// The limits of launches on device 0.
#pragma once

#include "impl/cuda/device_model.h"

namespace upcast {

/// The model of device 0, with the kernels that this build has for it.
DeviceModel cuda_device_model();

}  // namespace upcast
