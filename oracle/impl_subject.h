// Our own implementation as a Subject.
#pragma once

#include "impl/ops/engine.h"
#include "oracle/case_call.h"
#include "oracle/subject.h"

namespace upcast {

/// Our own implementation on an engine. Other rules than PyTorch's make a broken implementation,
/// for tests of the tests.
class ImplSubject : public Subject {
 public:
  using Versions = std::map<std::string, std::string>;
  /// A subject on the CPU, as fast as this machine can.
  explicit ImplSubject(const Rules& rules = kPyTorchRules);
  /// A subject on an engine. `device`: where those tensors lie that a case has on the CPU.
  ImplSubject(std::unique_ptr<Engine> engine, Versions versions, Device device = Device::kCpu);
  /// `rules` outlive it.
  ImplSubject(const Rules& rules, std::unique_ptr<Engine> engine, Versions versions, Device device);
  /// From now on numbers are rounded to the common dtype: the other way of docs/decisions/0003.
  void round_numbers() { rounds_numbers_ = true; }
  /// From now on calls on CUDA run too: by their plan for a GPU, in the memory of the host.
  void stand_in_for_gpu() { stands_in_for_gpu_ = true; }
  void answer(const Case& c, Answer& answer) override { ask(c, answer, nullptr); }
  /// As answer(), and fills the trace with the steps of the call.
  void ask(const Case& c, Answer& answer, CallTrace* trace);
  Storages storages(const Case& c) override;
  Versions versions() const override { return versions_; }

 private:
  const Rules& rules_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Engine> host_;  // for operands on the CPU, in a call on a GPU
  Versions versions_;
  Device device_;
  bool rounds_numbers_ = false;
  bool stands_in_for_gpu_ = false;
  CaseCall call_;
};

/// Makes "impl:cpu", "impl:cpu?capability=baseline&numbers=rounded&threads=4". Throws UsageError
/// for a setting that this machine or program does not have.
std::unique_ptr<Subject> make_cpu_subject(const Side& side);

/// Makes "impl:meta": dtypes, sizes and strides on the meta device.
std::unique_ptr<Subject> make_meta_subject(const Side& side);

}  // namespace upcast
