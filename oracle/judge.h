// The judge: the only comparison in the project.
#pragma once

#include <optional>
#include <vector>

#include "cases/case.h"
#include "oracle/answer.h"
#include "oracle/side.h"
#include "oracle/verdict.h"

namespace upcast {

/// Compares dtype, shape, strides, refusal and values of two answers to `c`, within the accuracy
/// of its op. Values: NaN equals NaN whatever its sign and payload; zeros must have equal signs;
/// infinities must be equal; other values may differ by the sum of both sides' bounds in ulp of
/// the oracle's value. Beside the truth a side is judged by its real error and its own bound alone,
/// except LibTorch (error_bounds.h). Refusals: refused or not; the codes are shown, not judged,
/// save that a side without values is no witness against what a kernel refuses. What the machine
/// decides is left out (host_defined.h). A broken answer is as good as a crash.
Verdict judge(const Case& c, const Answer& subject, const Answer& oracle, Sides sides = {});

/// A third party that knows the right answer rules on two whose values differ. It costs more than
/// both of them.
using Arbiter = Ruling (*)(const Case& c, const Answer& subject, const Answer& oracle, Sides sides);
/// The elements of an answer, ascending, that it cannot rule on.
using Gaps = std::vector<std::size_t> (*)(const Case& c, const Answer& answer);

/// The elements of an answer, ascending, that an arbiter cannot rule on.
using Gaps = std::vector<std::size_t> (*)(const Case& c, const Answer& answer);

/// The elements, ascending, that judge() would not let pass. Both answers are of one dtype and one
/// shape.
std::vector<std::size_t> differing_elements(const Case& c, const Answer& subject,
                                            const Answer& oracle, Sides sides = {});

/// How far the subject's value may lie from the oracle's element, in absolute terms, for judge() to
/// let it pass: 0 where the dtype is not floating or the element is not finite.
double tolerance_at(const Case& c, const Answer& oracle, std::size_t element, Sides sides = {});

/// What of the case's own expectation an answer of `who` does not meet; nothing where it meets all.
std::optional<Unmet> judge_expectation(const Case& c, const Answer& answer,
                                       Role who = Role::kSubject);

}  // namespace upcast
