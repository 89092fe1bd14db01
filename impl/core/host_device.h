// Functors run on the host and on the device.
#pragma once

/// Marks every function that a functor reaches, and the functor. `constexpr` alone is not enough:
/// nvcc lets device code call a constexpr function, but leaves out, without a word, what that calls
/// in its turn on the host.
#if defined(__CUDACC__)
#define UPCAST_HOST_DEVICE __host__ __device__
#else
#define UPCAST_HOST_DEVICE
#endif
