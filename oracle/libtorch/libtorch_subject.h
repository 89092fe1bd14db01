// LibTorch as a subject: libtorch:cpu, libtorch:cpu?capability=native, libtorch:cuda,
// libtorch:meta.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "oracle/subject.h"

namespace upcast {

class LibTorchSubject : public Subject {
 public:
  /// Makes a LibTorch subject. Throws UsageError for a second CPU capability in a process, and for
  /// libtorch:cuda if there is no device, or no CUDA half of LibTorch.
  explicit LibTorchSubject(const Side& side);
  ~LibTorchSubject() override;

  /// Answers a case. The detail of a refusal is the first line of LibTorch's message, which costs
  /// little compared with the exception. libtorch:meta answers dtype, sizes and strides without
  /// elements. libtorch:cuda waits for the device, and aborts if the device is lost
  /// (cuda_library.h). Lack of memory on the device is a refusal, as lack of memory on the host is.
  void answer(const Case& c, Answer& answer) override;
  Storages storages(const Case& c) override;
  std::map<std::string, std::string> versions() const override;
  std::vector<std::string> programs() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upcast
