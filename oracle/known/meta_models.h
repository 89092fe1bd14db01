// Models of what the meta device answers without a look at its operands.
#pragma once

#include <optional>

#include "cases/case.h"
#include "oracle/answer.h"

namespace upcast::models {

/// A tensor like the one that the call writes: out=, or self in place. In the functional form, and
/// where out= is resized, a row-major one of its dtype and the broadcast shape of the first two
/// operands.
/// Nothing where self is a number.
std::optional<Answer> like_the_written_operand(const Case& c, const Answer& right);

/// add and sub with an alpha that any dtype takes.
std::optional<Answer> as_with_a_whole_alpha(const Case& c, const Answer& right);

}  // namespace upcast::models
