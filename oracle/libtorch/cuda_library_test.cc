#include "oracle/libtorch/cuda_library.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/libtorch/libtorch_subject.h"

namespace upcast::libtorch {
namespace {

bool has_device() {
  try {
    describe_cuda_device();
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

template <class F>
std::string usage_error_of(F&& f) {
  try {
    f();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
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
  Answer answer;
  cuda.answer(parse_case("add_.Tensor(int32[3]:strides(2){1,2,3}, int32[]:device(cpu){5})"),
              answer);
  EXPECT_EQ(to_text(answer), "int32[3]{6,7,8}");
  cuda.answer(parse_case("add.Tensor(int32[3], int32[3]:device(cpu))"), answer);
  EXPECT_EQ(answer.rejection, RejectionCode::kDeviceMismatch) << to_text(answer);
  // what a GPU gives, where a CPU refuses
  cuda.answer(parse_case("div.Tensor_mode(int32[2]{1,1}, int32[2]{0,1}, rounding_mode=\"trunc\")"),
              answer);
  EXPECT_EQ(answer.tag, Answer::Tag::kTensor) << to_text(answer);
}

}  // namespace
}  // namespace upcast::libtorch
