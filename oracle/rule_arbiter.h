// Decides who is wrong if two answers differ in what PyTorch's rules decide: dtype, shape, strides,
// and whether the call is refused.
#pragma once

#include <memory>

#include "oracle/judge.h"
#include "oracle/subject.h"

namespace upcast {

/// The arbiter by rules. LibTorch defines what PyTorch does, and our own implementation is an
/// independent model of it. If these two say the same, a side that says otherwise is wrong. Nothing
/// is decided if they differ. Nothing is decided either if no side or both sides are LibTorch (or
/// torch in Python, without changes): two models may share an error, and versions differ.
class RuleArbiter {
 public:
  /// Makes the arbiter for the comparison of these two sides.
  RuleArbiter(const Side& subject, const Side& oracle);
  ~RuleArbiter();

  /// Says which side is at fault for a difference; nothing for differences that rules do not
  /// decide. `found`: what judge() says of the two answers. Our own implementation is asked once
  /// for its opinion; if one of the sides is our implementation, there is no third opinion.
  Ruling rule(const Case& c, const Verdict& found, const Answer& subject, const Answer& oracle);

 private:
  Sides sides_;
  bool subject_is_pytorch_;
  bool oracle_is_pytorch_;
  std::unique_ptr<Subject> model_;  // our own implementation; null if a side is that
};

}  // namespace upcast
