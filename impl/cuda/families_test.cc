// Tests that nvcc compiled the same kernels as the host's compiler.
#include "impl/cuda/families.h"

#include <gtest/gtest.h>

#include "impl/ops/catalogue.h"

namespace upcast {
namespace {

TEST(DeviceKernels, AreThoseOfTheHost) {
  std::vector<CudaKernelTable> tables;
  for (device::AddFamily* add : device::kFamilies) add(tables);
  ASSERT_EQ(tables.size(), catalogue().size());
  int kernels = 0;
  for (std::size_t i = 0; i < tables.size(); ++i)
    for (int code = 0; code < kDTypeCount; ++code) {
      const Op& op = catalogue()[i];
      EXPECT_EQ(tables[i][code].general != nullptr, bool(op.kernels[code]))
          << op.spec->name << " of " << name(dtype_from_code(code));
      kernels += tables[i][code].general != nullptr ? 1 : 0;
    }
  EXPECT_GT(kernels, 900);
}

}  // namespace
}  // namespace upcast
