// Cases that end a system's process, or take it years. No property asks them.
#include <algorithm>

#include "properties/elements.h"
#include "properties/property.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

bool any_operand(const Case& c, bool (*wanted)(const Operand& operand)) {
  return std::any_of(c.arguments.begin(), c.arguments.end(), wanted);
}

/// Whether an operand may hold the least integer of its dtype. If the case names a class of values,
/// it may.
bool may_hold_least_integer(const Operand& operand) {
  return operand.tag == Tag::kTensor && is_signed(operand.dtype) &&
         (operand.values.empty() || holds_least_integer(operand));
}

bool is_or_holds_minus_one(const Operand& operand) {
  return (operand.tag == Tag::kNumber && operand.number == Number(-1)) || holds_minus_one(operand);
}

/// Whether a division may meet the least integer and -1. It is enough that both occur anywhere,
/// because properties exchange operands.
bool divides_least_integer_by_minus_one(const Case& c) {
  const OpSpec& spec = *c.op->spec;
  const bool divides_integers = spec.divides() && !(spec.dtypes & kIntegers).empty();
  if (!divides_integers && !spec.traps_on_least_integer) return false;
  if (!any_operand(c, &may_hold_least_integer)) return false;
  if (spec.traps_on_least_integer) return true;
  if (c.values == ValueClass::kSmall)
    return any_operand(c, &holds_least_integer) && any_operand(c, &is_or_holds_minus_one);
  return true;
}

bool steps_too_far(const Case& c) {
  const LoopBound& loop = c.op->spec->loop;
  if (!c.op->spec->steps_from_below()) return false;
  if (c.values != ValueClass::kSmall) return true;
  const Operand& operand = c.arguments[static_cast<std::size_t>(c.schema().find(loop.parameter))];
  if (operand.tag != Tag::kTensor || operand.values.empty()) return false;
  const Elements elements(operand);
  for (std::size_t i = 0; i < elements.count(); ++i)
    if (elements.re(i) < loop.least) return true;
  return false;
}

}  // namespace

std::span<const Exclusion> deadly_cases() {
  static const std::vector<Exclusion> cases{
      {.system = "libtorch:cpu",
       .reason = "x86 traps if the least int32 or int64 is divided by -1: div(trunc), fmod and lcm "
                 "end the process",
       .counterexample = "",
       .matches = &divides_least_integer_by_minus_one,
       .grounds = "entry: div-trunc-kills-the-process, "
                  "lcm-of-the-most-negative-integer-kills-the-process"},
      {.system = "libtorch:cpu",
       .reason = "zeta and polygamma step from an argument below 0 to 9, one by one",
       .counterexample = "",
       .matches = &steps_too_far,
       .grounds = "entry: zeta-steps-to-negative-q"},
  };
  return cases;
}

}  // namespace upcast::properties
