// Our own implementation as a Subject.
#pragma once

#include "impl/cpu/cpu_settings.h"
#include "oracle/case_call.h"
#include "oracle/subject.h"

namespace upcast {

/// "impl:cpu", "impl:cpu?capability=baseline&threads=4", "impl:meta". Other rules than PyTorch's
/// make a broken implementation, for tests of the tests.
class ImplSubject : public Subject {
 public:
  explicit ImplSubject(const Rules& rules = kPyTorchRules, CpuSettings settings = {},
                       Device device = Device::kCpu)
      : rules_(rules), settings_(settings), device_(device), call_(device) {}
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override;

 private:
  const Rules& rules_;
  CpuSettings settings_;
  Device device_;
  CaseCall call_;
};

/// The settings behind '?'. Throws UsageError for one that this machine or program does not have.
CpuSettings parse_cpu_settings(std::string_view subject);

}  // namespace upcast
