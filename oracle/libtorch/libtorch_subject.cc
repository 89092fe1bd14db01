#include "oracle/libtorch/libtorch_subject.h"

#include <c10/util/Exception.h>

#include <map>
#include <tuple>

#include "cases/visible.h"
#include "oracle/libtorch/boxed_call.h"
#include "oracle/libtorch/convert.h"
#include "oracle/libtorch/cuda_library.h"
#include "oracle/libtorch/default_dtype.h"
#include "oracle/libtorch/refusal.h"
#include "oracle/libtorch/settings.h"
#include "oracle/libtorch/tensor_bridge.h"

namespace upcast {
namespace {

using libtorch::BoxedCall;
using libtorch::DefaultDTypeScope;
using libtorch::TensorBridge;

/// Whether an answer is only a limit of the meta device: the op has no meta kernel.
bool is_limit_of_meta(const Answer& answer) {
  return answer.tag == Answer::Tag::kRefusal &&
         (answer.detail.find("no fake impl or Meta kernel") != std::string::npos ||
          answer.detail.find("DispatchStub: unsupported device type") != std::string::npos);
}

void refuse(std::string_view message, Answer& answer) {
  answer.tag = Answer::Tag::kRefusal;
  answer.rejection = libtorch::classify(message);
  answer.detail = visible(libtorch::first_line(message));
}

/// Loads LibTorch's CUDA half, so that tensors can be on CUDA. Adds the versions of the device and
/// of the CUDA runtime.
void start_cuda(std::map<std::string, std::string>& versions) {
  const std::string device = libtorch::describe_cuda_device();
  libtorch::load_cuda_library(libtorch::libtorch_folder());
  libtorch::try_cuda_kernel();
  versions["libtorch.device"] = device + ", " + libtorch::cuda_runtime_version();
}

bool knows_dtypes(const Case& c) {
  for (const Operand& argument : c.arguments)
    if (!libtorch::has_dtype(argument.dtype)) return false;
  return libtorch::has_dtype(c.out.dtype);
}

}  // namespace

struct LibTorchSubject::State {
  explicit State(Device where) : device(where), bridge(where) {}

  /// Finds the BoxedCall of a case's op. Cases of one op follow each other, so the last one found
  /// is remembered.
  BoxedCall& find(const Case& c) {
    const Key key{c.op, c.overload, c.form};
    if (last != nullptr && key == last_key) return *last;
    std::unique_ptr<BoxedCall>& call = calls[key];
    if (!call) call = std::make_unique<BoxedCall>(*c.op, c.overload, c.form);
    last_key = key;
    last = call.get();
    return *last;
  }

  using Key = std::tuple<const Op*, int, Form>;
  Device device;
  std::map<std::string, std::string> versions = libtorch::versions();
  TensorBridge bridge;
  std::map<Key, std::unique_ptr<BoxedCall>> calls;
  Key last_key;
  BoxedCall* last = nullptr;
};

LibTorchSubject::LibTorchSubject(const Side& side) {
  using libtorch::Capability;
  libtorch::configure(side.capability == "native" ? Capability::kNative
                      : side.capability == "avx2" ? Capability::kAvx2
                                                  : Capability::kDefault,
                      side.has_onednn);
  state_ = std::make_unique<State>(side.device);
  if (side.device == Device::kCuda) start_cuda(state_->versions);
}

LibTorchSubject::~LibTorchSubject() = default;

std::map<std::string, std::string> LibTorchSubject::versions() const { return state_->versions; }

std::vector<std::string> LibTorchSubject::programs() const {
  std::vector<std::string> files = Subject::programs();
  files.push_back(libtorch::libtorch_folder() + "/libtorch_cpu.so");
  return files;
}

Storages LibTorchSubject::storages(const Case& c) {
  BoxedCall& call = state_->find(c);
  if (!call.missing().empty() || !knows_dtypes(c)) return {};
  return call.storages(c, state_->bridge);
}

void LibTorchSubject::answer(const Case& c, Answer& answer) {
  libtorch::silence_warnings_of_this_thread();
  answer.detail.clear();
  answer.without_values = false;
  const bool on_cuda = state_->device == Device::kCuda;
  if (!on_cuda && uses_device(c, Device::kCuda))
    return decline("no CUDA device: libtorch:cuda has one", answer);
  BoxedCall& call = state_->find(c);
  if (!call.missing().empty()) return decline(call.missing(), answer);
  if (!knows_dtypes(c)) return decline("a dtype that this LibTorch does not have", answer);
  try {
    const DefaultDTypeScope scope(c.defaults.floating);
    call.answer(c, state_->bridge, answer);
  } catch (const c10::Error& error) {
    refuse(error.msg(), answer);  // msg() exists already, what() would first build a text
  } catch (const std::exception& error) {
    refuse(error.what(), answer);
  }
  if (on_cuda) libtorch::finish_on_cuda();
  if ((state_->device == Device::kMeta || uses_device(c, Device::kMeta)) &&
      is_limit_of_meta(answer))
    answer.tag = Answer::Tag::kNotJudged;
}

}  // namespace upcast
