// A control: nvcc must refuse this functor, because it calls a function that is not
// UPCAST_HOST_DEVICE.
#include "impl/core/host_device.h"

namespace {

double of_the_host(double x) { return 2 * x; }

struct Functor {
  template <class T>
  UPCAST_HOST_DEVICE T operator()(T x) const {
    return of_the_host(x);
  }
};

}  // namespace

__global__ void run(double* x) { *x = Functor{}(*x); }
