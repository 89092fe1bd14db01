// The judge, which makes all comparisons of answers in the project.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/side.h"
#include "oracle/verdict.h"

namespace upcast {

/// Compares two answers to `c`: dtype, shape, strides, refusal, and values within the op's
/// accuracy.
/// Values: NaN equals NaN whatever its sign and payload. Zeros must have equal signs. Infinities
/// must be equal. Other values may differ by the sum of both sides' bounds, in ulp of the oracle's
/// value. If the oracle is the truth, only a side's error and its own bound count, except for
/// LibTorch (error_bounds.h). Refusals: whether a side refuses is judged; its code is only shown. A
/// side without values says nothing about what a kernel refuses. Results that the machine decides
/// are left out (host_defined.h). A broken answer counts as a crash.
Verdict judge(const Case& c, const Answer& subject, const Answer& oracle, Sides sides = {});

/// A third party that knows the right answer, and decides between two answers whose values differ.
/// Asking it costs more than both answers did.
using Arbiter =
    std::function<Ruling(const Case& c, const Answer& subject, const Answer& oracle, Sides sides)>;
/// The elements of an answer, ascending, that an arbiter cannot rule on.
using Gaps = std::vector<std::size_t> (*)(const Case& c, const Answer& answer);

/// The elements that judge() finds different, ascending. Both answers must have one dtype and one
/// shape.
std::vector<std::size_t> differing_elements(const Case& c, const Answer& subject,
                                            const Answer& oracle, Sides sides = {});

/// The largest absolute difference from the oracle's element that judge() accepts: 0 where the
/// dtype is not floating or the element is not finite.
double tolerance_at(const Case& c, const Answer& oracle, std::size_t element, Sides sides = {});

/// The part of the case's expectation that `who`'s answer does not meet; nothing if it meets all.
std::optional<Unmet> judge_expectation(const Case& c, const Answer& answer,
                                       Role who = Role::kSubject);

}  // namespace upcast
