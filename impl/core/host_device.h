// Macros that let functors run on the host and on the device.
#pragma once

// UPCAST_HOST_DEVICE marks every functor and every function that one reaches. `constexpr` alone is
// not enough: nvcc lets device code call a constexpr function, but leaves out, without a word, what
// that one calls on the host.
//
// UPCAST_DEVICE_NOINLINE marks a long function that several kernels call: device code holds it once
// a translation unit, which is what keeps the build short. The host's compiler decides for itself.
#if defined(__CUDACC__)
#define UPCAST_HOST_DEVICE __host__ __device__
#define UPCAST_DEVICE_NOINLINE __noinline__
#else
#define UPCAST_HOST_DEVICE
#define UPCAST_DEVICE_NOINLINE
#endif
