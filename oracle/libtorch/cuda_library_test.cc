#include "oracle/libtorch/cuda_library.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cases/notation.h"
#include "oracle/libtorch/libtorch_subject.h"
#include "oracle/testing/usage_error.h"

namespace upcast::libtorch {
namespace {

bool has_device() {
  return usage_error_of([] { describe_cuda_device(); }).empty();
}

TEST(CudaLibrary, FolderIsThatOfTheLibraryThatIsLoaded) {
  EXPECT_TRUE(std::filesystem::exists(libtorch_folder() + "/libtorch_cpu.so")) << libtorch_folder();
}

TEST(CudaLibrary, MissingLibraryIsAUsageErrorThatNamesIt) {
  const std::string said = usage_error_of([] { load_cuda_library("/nowhere"); });
  EXPECT_NE(said.find("/nowhere/libtorch_cuda.so"), std::string::npos) << said;
  EXPECT_NE(said.find("LIBTORCH"), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
}

TEST(CudaLibrary, MissingDeviceIsAUsageError) {
  if (has_device()) GTEST_SKIP() << "this machine has a CUDA device";
  const std::string said = usage_error_of([] { LibTorchSubject(parse_side("libtorch:cuda")); });
  EXPECT_NE(said.find("libtorch:cuda needs a CUDA device, and there is none here"),
            std::string::npos)
      << said;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
}

TEST(CudaLibrary, AnswersOnTheDevice) {
  if (!has_device()) GTEST_SKIP() << "no CUDA device";
  if (!std::filesystem::exists(libtorch_folder() + "/libtorch_cuda.so"))
    GTEST_SKIP() << "this LibTorch has no CUDA half";
  LibTorchSubject cuda(parse_side("libtorch:cuda"));
  EXPECT_NE(cuda.versions().at("libtorch.device").find("driver"), std::string::npos);
  const auto ask = [&cuda](const char* line) { return answer_of(cuda, parse_case(line)); };
  EXPECT_EQ(to_text(ask("add_.Tensor(int32[3]:strides(2){1,2,3}, int32[]:device(cpu){5})")),
            "int32[3]{6,7,8}");
  EXPECT_EQ(ask("add.Tensor(int32[3], int32[3]:device(cpu))").rejection,
            RejectionCode::kDeviceMismatch);
  // A GPU answers a division by zero, which a CPU refuses.
  EXPECT_EQ(ask("div.Tensor_mode(int32[2]{1,1}, int32[2]{0,1}, rounding_mode=\"trunc\")").tag,
            Answer::Tag::kTensor);
}

}  // namespace
}  // namespace upcast::libtorch
