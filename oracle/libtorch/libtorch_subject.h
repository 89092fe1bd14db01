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
  /// Throws UsageError for a second CPU capability in a process, or libtorch:cuda where there is no
  /// device, or no CUDA half of LibTorch.
  explicit LibTorchSubject(const Side& side);
  ~LibTorchSubject() override;

  /// A refusal's detail is the first line of LibTorch's message; it costs nothing, compared with
  /// the exception. libtorch:meta answers dtype, sizes and strides without bytes. libtorch:cuda
  /// waits for the device; where that is lost, it aborts (cuda_library.h). Memory that runs out
  /// there is a refusal, as it is on the host.
  void answer(const Case& c, Answer& answer) override;
  Storages storages(const Case& c) override;
  std::map<std::string, std::string> versions() const override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace upcast
