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

/// equal of a tensor with itself looks for NaN only, and float8 has no kernel of that.
std::optional<Answer> equal_to_itself_has_no_float8(const Case& c, const Answer&) {
  const Operand& other = c.arguments[1];
  if (!kFloat8s.contains(other.dtype) || other.shares != 0 || !same_layout(c.arguments[0], other))
    return std::nullopt;
  return refusal();
}

/// isclose of float16 and bfloat16: rtol multiplies as float32, unrounded, as the second operand of
/// any mul.
std::optional<Answer> isclose_with_an_unrounded_rtol(const Case& c, const Answer& right) {
  const DType own = dtype_of(c.arguments[0]);
  const DType dtype = is_floating(own) ? own : c.defaults.floating;
  const int rtol = c.schema().find("rtol"), atol = c.schema().find("atol");
  if (!is_reduced(dtype) || is_complex(own) || c.arguments[rtol].tag != Operand::Tag::kNumber ||
      c.arguments[atol].tag != Operand::Tag::kNumber)
    return std::nullopt;
  Case equal = c;
  equal.arguments[rtol].number = equal.arguments[atol].number = Number(0.0);
  Answer close = ours_of(equal);
  if (close.bytes.size() != right.bytes.size()) return std::nullopt;
  const auto factor = number_to<float>(c.arguments[rtol].number);
  const double term = rounded(dtype, number_to<double>(c.arguments[atol].number));
  const auto self = loop_values<float>(c, 0, right.sizes, dtype, DType::kFloat32);
  const auto other = loop_values<float>(c, 1, right.sizes, dtype, DType::kFloat32);
  for (std::size_t i = 0; i < self.size(); ++i) {
    const double allowed = rounded(dtype, std::abs(rounded(dtype, other[i] * factor)) + term);
    const double error = std::abs(rounded(dtype, self[i] - other[i]));
    if (std::isfinite(error) && error <= allowed) close.bytes[i] = std::byte{1};
  }
  return close;
}

}  // namespace

ModelRows comparison_models() {
  return {
      {"false_is_not_zero", {"eq", "ne"}, false_is_not_zero},
      {"equal_to_itself_has_no_float8", {"equal"}, equal_to_itself_has_no_float8},
      {"isclose_with_an_unrounded_rtol", {"isclose"}, isclose_with_an_unrounded_rtol},
  };
}

}  // namespace upcast::models
