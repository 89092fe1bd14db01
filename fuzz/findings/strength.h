// Compares how strongly cases show that an answer is wrong.
#pragma once

#include <cstddef>
#include <string>

#include "cases/severity.h"
#include "fuzz/findings/element_error.h"
#include "fuzz/findings/examiner.h"

namespace upcast::fuzz {

/// How strongly a case shows that a known side is wrong. A smaller value is stronger.
struct Strength {
  Severity severity = Severity::kExperimentalDTypes;
  /// How hard the error is to notice. 0: another kind of value, or a relative error of 0.1 or more.
  /// 1: one of 0.001 or more. 2: a smaller one.
  int faintness = 0;
  bool is_extreme = false;
  int rarity = 0;
  Form form = Form::kFunctional;
  double error = 0;         // relative error of the worst element; infinite for another kind
  std::size_t element = 0;  // index of the worst element
  std::size_t length = 0;   // length of the case line

  bool operator<(const Strength& other) const;
};
/// How strongly a finding shows that the side `wrong` is wrong. `wrong`: the subject or the oracle.
Strength strength_of(const Finding& finding, Sides sides, Role wrong);

}  // namespace upcast::fuzz
