// Our own implementation as a Subject.
#pragma once

#include "oracle/case_call.h"
#include "oracle/subject.h"

namespace upcast {

/// "impl:cpu". Other rules than PyTorch's make a broken implementation, for tests of the tests.
class ImplSubject : public Subject {
 public:
  explicit ImplSubject(const Rules& rules = kPyTorchRules) : rules_(rules) {}
  void answer(const Case& c, Answer& answer) override;
  std::map<std::string, std::string> versions() const override;

 private:
  const Rules& rules_;
  CaseCall call_;
};

}  // namespace upcast
