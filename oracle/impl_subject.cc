#include "oracle/impl_subject.h"

#include <charconv>
#include <typeinfo>

#include "impl/core/error.h"
#include "impl/core/parse_capability.h"
#include "impl/cpu/cpu_engine.h"
#include "impl/ops/call_op.h"
#include "impl/ops/host_and_device_engine.h"
#include "oracle/loaded_file.h"

#ifndef UPCAST_VERSION
#error "the build defines UPCAST_VERSION"
#endif

namespace upcast {
namespace {

void set_tensor(const Tensor& given, Answer& answer) {
  const Tensor tensor = copy_to(given, host_memory());
  answer.tag = Answer::Tag::kTensor;
  answer.dtype = tensor.dtype;
  answer.sizes = tensor.sizes;
  answer.strides = tensor.strides;
  answer.without_values = tensor.device == Device::kMeta;
  answer.bytes.clear();
  if (!answer.without_values) answer.bytes = logical_bytes(tensor);
}

int parse_threads(std::string_view text) {
  int threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error != std::errc() || end != text.data() + text.size() || threads < 1)
    throw UsageError("threads of impl:cpu must be a number from 1 up, not '" + std::string(text) +
                     "'");
  return threads;
}

CpuSettings cpu_settings(const Side& side) {
  CpuSettings settings;
  if (const std::string_view text = side.setting("capability"); !text.empty())
    settings.capability = parse_capability(text, best_capability(), "impl:cpu");
  if (const std::string_view text = side.setting("threads"); !text.empty())
    settings.threads = parse_threads(text);
  return settings;
}

ImplSubject::Versions cpu_versions(const CpuSettings& settings) {
  return {{"impl", UPCAST_VERSION},
          {"impl.capability", std::string(name(settings.capability))},
          {"compiler", "g++ " __VERSION__}};
}

}  // namespace

ImplSubject::ImplSubject(const Rules& rules)
    : ImplSubject(rules, std::make_unique<CpuEngine>(), cpu_versions({}), Device::kCpu) {}

ImplSubject::ImplSubject(std::unique_ptr<Engine> engine, Versions versions, Device device)
    : ImplSubject(kPyTorchRules, std::move(engine), std::move(versions), device) {}

ImplSubject::ImplSubject(const Rules& rules, std::unique_ptr<Engine> engine, Versions versions,
                         Device device)
    : rules_(rules),
      engine_(std::move(engine)),
      host_(std::make_unique<CpuEngine>()),
      versions_(std::move(versions)),
      device_(device),
      call_(device) {}

std::vector<std::string> ImplSubject::programs() const {
  std::vector<std::string> files = Subject::programs();
  const Engine& engine = *engine_;
  files.push_back(loaded_file(&typeid(engine)));  // the engine may be a module's
  return files;
}

std::unique_ptr<Subject> make_cpu_subject(const Side& side) {
  const CpuSettings settings = cpu_settings(side);
  auto subject =
      std::make_unique<ImplSubject>(std::make_unique<CpuEngine>(settings), cpu_versions(settings));
  const std::string_view numbers = side.setting("numbers");
  if (numbers == "rounded")
    subject->round_numbers();
  else if (!numbers.empty())
    throw UsageError("numbers of impl:cpu are 'rounded' or left out, not '" + std::string(numbers) +
                     "'");
  return subject;
}

std::unique_ptr<Subject> make_meta_subject(const Side&) {
  return std::make_unique<ImplSubject>(std::make_unique<CpuEngine>(),
                                       ImplSubject::Versions{{"impl", "meta"}}, Device::kMeta);
}

void ImplSubject::ask(const Case& c, Answer& answer, CallTrace* trace) {
  const bool is_gpu = &engine_->memory() != &host_memory();
  if (uses_device(c, Device::kCuda) && !is_gpu && !stands_in_for_gpu_) {
    answer.tag = Answer::Tag::kNotJudged;
    answer.detail = "not a CUDA device";
    return;
  }
  if (const std::string_view why = why_not_elementwise(c); !why.empty()) {
    answer.tag = Answer::Tag::kNotJudged;
    answer.detail = why;
    return;
  }
  answer.without_values = false;
  HostAndDeviceEngine host_and_device(*host_, *engine_);
  Engine& engine = is_gpu && on_gpu(c, device_) ? host_and_device : *engine_;
  Call call = call_.make(c, rules_, &engine_->memory());
  call.trace = trace;
  call.rounds_numbers = rounds_numbers_;
  const Outcome<CallResult> outcome = call_op(*c.op, call, engine);
  engine.synchronize();  // so that a failure on the GPU shows in this case, and not in a later one
  if (!outcome.ok()) {
    answer.tag = Answer::Tag::kRefusal;
    answer.rejection = outcome.rejection().code;
    answer.detail = outcome.rejection().detail;
    return;
  }
  const CallResult& result = outcome.value();
  answer.detail.clear();
  answer.further.clear();
  if (c.schema().returns == "ScalarType") {
    answer.tag = Answer::Tag::kDType;
    answer.dtype = result.dtype;
    return;
  }
  set_tensor(result.tensor, answer);
  if (!result.second.defined()) return;
  answer.further.resize(1);
  set_tensor(result.second, answer.further[0]);
}

Storages ImplSubject::storages(const Case&) {
  Storages storages;
  for (const Tensor& tensor : call_.tensors()) {
    std::vector<std::byte>& bytes = storages.emplace_back();
    if (!tensor.storage) continue;
    bytes.resize(tensor.storage->size());
    tensor.storage->memory().read(tensor.storage->data(), bytes);
  }
  return storages;
}

}  // namespace upcast
