// Who is wrong where two answers differ in what PyTorch's rules decide: dtype, shape, strides, and
// whether the call is refused.
#pragma once

#include <memory>

#include "oracle/judge.h"
#include "oracle/subject.h"

namespace upcast {

/// LibTorch defines what PyTorch does, and our own implementation is an independent model of it.
/// Where these two say the same, the side that says otherwise is off. Where they do not, or where
/// no side or both are LibTorch (or torch in Python, as it is), nothing is decided: two models may
/// share an error, and versions differ.
class RuleArbiter {
 public:
  /// For the comparison of these two sides.
  RuleArbiter(const Side& subject, const Side& oracle);
  ~RuleArbiter();

  /// `found`: what judge() says of the answers. Not asked where it is about something else. Asks
  /// our implementation once; where that is a side, there is no third opinion.
  Ruling rule(const Case& c, const Verdict& found, const Answer& subject, const Answer& oracle);

 private:
  Sides sides_;
  bool subject_is_pytorch_;
  bool oracle_is_pytorch_;
  std::unique_ptr<Subject> model_;  // null: a side is our own implementation
};

}  // namespace upcast
