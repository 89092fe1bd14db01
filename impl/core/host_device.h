// Functors run on the host and on the device.
#pragma once

#if defined(__CUDACC__)
#define UPCAST_HOST_DEVICE __host__ __device__
#define UPCAST_NOINLINE __noinline__
#else
#define UPCAST_HOST_DEVICE
#define UPCAST_NOINLINE [[gnu::noinline]]
#endif
