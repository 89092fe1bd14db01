// Macros that let functors run on the host and on the device.
#pragma once

// UPCAST_HOST_DEVICE marks every functor, and every function that a functor calls. `constexpr`
// alone is not enough. nvcc lets device code call a constexpr function, but silently drops calls
// from it to functions of the host.
//
// UPCAST_DEVICE_NOINLINE marks a long function that several kernels call. Device code then holds it
// once in each translation unit, which keeps the build short. On the host the compiler decides for
// itself.
#if defined(__CUDACC__)
#define UPCAST_HOST_DEVICE __host__ __device__
#define UPCAST_DEVICE_NOINLINE __noinline__
#else
#define UPCAST_HOST_DEVICE
#define UPCAST_DEVICE_NOINLINE
#endif
