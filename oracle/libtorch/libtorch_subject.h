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
  /// Makes the subject. Throws UsageError for a second CPU capability in a process, or for
  /// libtorch:cuda if there is no device, or no CUDA half of LibTorch.
  explicit LibTorchSubject(const Side& side);
  ~LibTorchSubject() override;

  /// Answers a case. A refusal's detail is the first line of LibTorch's message; it costs nothing,
  /// compared with the exception. libtorch:meta answers dtype, sizes and strides without bytes.
  /// libtorch:cuda waits for the device, and aborts if the device is lost (cuda_library.h). If
  /// memory runs out there, that is a refusal, as it is on the host.
  void answer(const Case& c, Answer& answer) override;
  Storages storages(const Case& c) override;
  std::map<std::string, std::string> versions() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upcast
