// Compares the catalogue's GpuScalars with native_functions.yaml, where LibTorch declares which
// calls check devices. The generated wrappers of CUDA kernels make that check before any kernel
// runs.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>

#include "impl/ops/catalogue.h"
#include "oracle/libtorch/cuda_library.h"

namespace upcast::libtorch {
namespace {

struct Declared {
  bool has_cuda_kernel = false;
  bool checks_devices = true;
};

/// The declarations in native_functions.yaml, by the function's name with its overload.
std::map<std::string, Declared> read_declarations(std::istream& file) {
  std::map<std::string, Declared> functions;
  Declared* current = nullptr;
  for (std::string line; std::getline(file, line);) {
    static const std::string kStart = "- func: ";
    if (line.starts_with(kStart)) {
      current = &functions[line.substr(kStart.size(), line.find('(') - kStart.size())];
    } else if (current != nullptr) {
      if (line.find("structured_delegate:") != line.npos || line.find("CUDA") != line.npos)
        current->has_cuda_kernel = true;
      if (line.find("device_check: NoCheck") != line.npos) current->checks_devices = false;
    }
  }
  return functions;
}

/// Whether an op's own code checks devices, and not its wrapper. Such code checks which operands a
/// number may stand for, or that self and mask lie on one device.
bool checks_in_its_own_code(const Op& op) {
  static const std::set<std::string_view> names{"addcmul", "addcdiv", "masked_fill"};
  return names.contains(op.spec->name);
}

TEST(DeviceChecks, AreThoseThatLibTorchDeclares) {
  const std::string path =
      libtorch_folder() + "/../../torchgen/packaged/ATen/native/native_functions.yaml";
  std::ifstream file(path);
  if (!file) GTEST_SKIP() << "this LibTorch came without " << path;
  const auto functions = read_declarations(file);
  ASSERT_GT(functions.size(), 2000U);
  int checked = 0, unchecked = 0;
  for (const Op& op : catalogue()) {
    if (op.spec->operands[1].empty() || checks_in_its_own_code(op)) continue;
    for (int overload = 0; overload < static_cast<int>(op.schemas.size()); ++overload) {
      for (const Form form : {Form::kFunctional, Form::kInPlace, Form::kOut}) {
        const std::string callable(op.callable(overload, form));
        const auto found = functions.find(callable);
        if (callable.empty() || found == functions.end() || !found->second.has_cuda_kernel)
          continue;
        int tensors = 0;
        for (const Parameter& parameter : op.schemas[overload].parameters)
          tensors += parameter.type == ParameterType::kTensor ||
                     parameter.type == ParameterType::kOptionalTensor;
        // No second tensor could lie on another device, so that no check is needed.
        if (tensors < 2) continue;
        const GpuScalars& ours = op.spec->gpu_scalars;
        const bool we_check = (form == Form::kOut ? ours.bits_of_out : ours.bits) == 0;
        EXPECT_EQ(we_check, found->second.checks_devices) << callable;
        ++(found->second.checks_devices ? checked : unchecked);
      }
    }
  }
  EXPECT_GT(checked, 40);
  EXPECT_GT(unchecked, 100);
}

}  // namespace
}  // namespace upcast::libtorch
