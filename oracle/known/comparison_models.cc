// LibTorch's comparisons where they are wrong.
#include <cmath>

#include "impl/ops/number_cast.h"
#include "oracle/case_call.h"
#include "oracle/known/known_models.h"
#include "oracle/known/loop_values.h"
#include "oracle/known/model_maps.h"

namespace upcast::models {
namespace {

/// eq and ne into an out that is not bool: ATen computes 0 or 1 in the common dtype first, and
/// float8_e8m0fnu has no 0: false becomes 2^-127.
std::optional<Answer> false_is_not_zero(const Case& c, const Answer& right) {
  const Outcome<Promoted> promoted = promote_case(c);
  if (!promoted.ok()) return std::nullopt;
  return with_values(right, promoted.value().common,
                     cast(right.dtype, right.bytes, promoted.value().common));
}

/// equal of a tensor with itself only searches for NaN, for which float8 has no kernel.
std::optional<Answer> equal_to_itself_has_no_float8(const Case& c, const Answer&) {
  const Operand& other = c.arguments[1];
  if (!kFloat8s.contains(other.dtype) || other.shares != 0 || !same_layout(c.arguments[0], other))
    return std::nullopt;
  return refusal();
}

}  // namespace

ModelRows comparison_models() {
  return {
      {"false_is_not_zero", {"eq", "ne"}, false_is_not_zero},
      {"equal_to_itself_has_no_float8", {"equal"}, equal_to_itself_has_no_float8},
  };
}

}  // namespace upcast::models
