// The kernels that nvcc compiled are those that the host has.
#include "impl/cuda/families.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "impl/ops/catalogue.h"

namespace upcast {
namespace {

/// Several ops may share a name (the overloads of pow).
using Names = std::multiset<std::pair<std::string, DType>>;

Names device_kernels() {
  std::vector<device::DeviceKernel> kernels;
  for (device::AddFamily* add : device::kFamilies) add(kernels);
  Names names;
  for (const device::DeviceKernel& kernel : kernels) {
    EXPECT_NE(kernel.function, nullptr) << kernel.op;
    names.emplace(kernel.op, kernel.compute);
  }
  return names;
}

Names host_kernels() {
  Names names;
  for (const Op& op : catalogue())
    for (int i = 0; i < kDTypeCount; ++i)
      if (op.kernels[i] &&
          !(is_complex(dtype_from_code(i)) && device::complex_is_on_host(op.family)))
        names.emplace(op.spec->name, dtype_from_code(i));
  return names;
}

TEST(DeviceKernels, AreThoseOfTheHost) {
  const Names device = device_kernels(), host = host_kernels();
  EXPECT_GT(device.size(), 0U);
  EXPECT_EQ(device, host);
}

}  // namespace
}  // namespace upcast
