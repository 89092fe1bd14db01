// Functors run on the host and on the device.
#pragma once

#if defined(__CUDACC__)
#define UPCAST_HOST_DEVICE __host__ __device__
#else
#define UPCAST_HOST_DEVICE
#endif
