// Our own implementation as a Subject.
#pragma once

#include "impl/ops/engine.h"
#include "oracle/case_call.h"
#include "oracle/subject.h"

namespace upcast {

/// Our own implementation on an engine. Rules other than PyTorch's make a broken implementation,
/// which tests use to prove that checks can fail.
class ImplSubject : public Subject {
 public:
  using Versions = std::map<std::string, std::string>;
  /// A subject on the CPU with one thread, and the widest instructions that this machine has.
  explicit ImplSubject(const Rules& rules = kPyTorchRules);
  /// A subject on an engine. `device`: where tensors lie for which the case names no other device.
  ImplSubject(std::unique_ptr<Engine> engine, Versions versions, Device device = Device::kCpu);
  /// A subject on an engine, with other rules than PyTorch's. `rules` must outlive the subject.
  ImplSubject(const Rules& rules, std::unique_ptr<Engine> engine, Versions versions, Device device);
  /// Makes later calls round numbers to the common dtype, which is the other choice of
  /// docs/decisions/0003.
  void round_numbers() { rounds_numbers_ = true; }
  /// Makes later calls on CUDA run too: as planned for a GPU, but on the host and in its memory.
  void stand_in_for_gpu() { stands_in_for_gpu_ = true; }
  void answer(const Case& c, Answer& answer) override { ask(c, answer, nullptr); }
  /// Answers as answer() does. Also fills `trace`, if it is not null, with the steps of the call.
  void ask(const Case& c, Answer& answer, CallTrace* trace);
  Storages storages(const Case& c) override;
  Versions versions() const override { return versions_; }
  std::vector<std::string> programs() const override;

 private:
  const Rules& rules_;
  std::unique_ptr<Engine> engine_;
  std::unique_ptr<Engine> host_;  // the engine for a call on a GPU whose result lies on the CPU
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
