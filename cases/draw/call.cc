#include "cases/draw/call.h"

#include <algorithm>

#include "cases/attribute_values.h"
#include "cases/element.h"
#include "cases/operands.h"

namespace upcast {
namespace {

using Tag = Operand::Tag;

DType draw_dtype(Choices& choices, const Op& op, const CallWish& wish) {
  if (choices.chance(wish.any_dtype)) return choices.from(kElementwise);
  return choices.from(wish.dtypes.empty() ? asked_dtypes(op) : wish.dtypes);
}

/// Draws an operand. `nth`: its index among the tensors of the call, from 0.
Operand draw_operand(Choices& choices, const Case& c, const Parameter& parameter, int nth,
                     DType dtype, const CallWish& wish) {
  const bool is_written = c.form == Form::kInPlace && nth == 0;
  if (parameter.type == ParameterType::kOptionalTensor && choices.chance(15)) return kNoneOperand;
  if (!is_written && choices.chance(nth == 0 ? wish.first_numbers : wish.numbers))
    return number(draw_number(choices));
  if (choices.below(1000) < wish.undefined) return {.tag = Tag::kUndefined};
  Operand operand = tensor(dtype, wish.sizes);
  if (c.op->spec->is_mask(parameter.name))
    operand.dtype = DType::kBool;
  else if (choices.chance(wish.own_dtype))
    operand.dtype = draw_dtype(choices, *c.op, wish);
  if (!is_written && choices.chance(wish.zero_dims)) operand.sizes.clear();
  return operand;
}

bool is_integral_or_bool(const Operand& operand) {
  const DType dtype = operand.tag == Tag::kNumber ? operand.number.dtype() : operand.dtype;
  return is_integral(dtype) || is_bool(dtype);
}

/// Whether the call divides integers: its op divides, and all tensors and numbers are integral or
/// bool. Arguments of other types do not count.
bool divides_integers(const Case& c) {
  return c.op->spec->divides() &&
         std::all_of(c.arguments.begin(), c.arguments.end(), [](const Operand& operand) {
           return (operand.tag != Tag::kTensor && operand.tag != Tag::kNumber) ||
                  is_integral_or_bool(operand);
         });
}

/// Makes an operand's values small if an op would take a step for each unit of them. Replaces
/// integral divisors that would end an implementation's process.
void make_safe(Choices& choices, const Case& c, const Parameter& parameter, Operand& operand) {
  const OpSpec& spec = *c.op->spec;
  if (spec.steps_from_below()) {
    operand.values.clear();  // the case's value class then gives small ones
    if (operand.tag == Tag::kNumber) operand.number = choices.between(1, 9);
  } else if (spec.is_divisor(parameter.name) && divides_integers(c)) {
    make_divisors(choices, operand);
    if (operand.tag == Tag::kNumber) operand.number = choices.between(2, 5);
  }
}

}  // namespace

DTypeSet asked_dtypes(const Op& op) {
  const DTypeSet kernels = op.spec->dtypes.empty() ? kFloats | kFullComplex : op.spec->dtypes;
  // complex and polar take real operands: the parts of a complex result
  if (op.spec->unpromoted_operands != 0 && (kernels - kComplexes).empty()) return kFloats;
  const bool becomes_floating = op.spec->promotion == PromotionKind::kIntToFloat;
  return (becomes_floating ? kernels | kIntegers | kBools : kernels) & kElementwise;
}

Dims draw_role(Choices& choices, Dims sizes) {
  for (std::int64_t& size : sizes)
    if (choices.chance(25)) size = 1;
  if (choices.chance(40) && !sizes.empty())
    sizes.erase(sizes.begin(), sizes.begin() + choices.between(1, static_cast<int>(sizes.size())));
  return sizes;
}

Number draw_number(Choices& choices) {
  return draw_number(choices,
                     choices.from({Category::kBool, Category::kIntegral, Category::kIntegral,
                                   Category::kIntegral, Category::kFloating, Category::kFloating,
                                   Category::kFloating, Category::kComplex}));
}

Operand draw_attribute(Choices& choices, const Op& op, const Parameter& parameter,
                       const CallWish& wish) {
  if (!parameter.default_text.empty() && !choices.chance(wish.attributes)) return {};
  if (parameter.type == ParameterType::kDType)
    return {.tag = Tag::kDType, .dtype = draw_dtype(choices, op, wish)};
  if (is_scalar(parameter) && choices.chance(wish.any_number)) return number(draw_number(choices));
  const std::vector<Operand> values =
      wish.plain_attributes ? plain_values(op, parameter) : attribute_values(op, parameter);
  return values.empty() ? Operand() : choices.from(values);
}

Case draw_call(Choices& choices, const FoundOp& callable, const CallWish& wish) {
  Case c = case_of(callable);
  const DType common = draw_dtype(choices, *c.op, wish);
  int tensors = 0;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const Parameter& parameter = c.schema().parameters[i];
    c.arguments[i] = is_tensor(parameter)
                         ? draw_operand(choices, c, parameter, tensors++, common, wish)
                         : draw_attribute(choices, *c.op, parameter, wish);
  }
  if (choices.chance(wish.defaults))
    c.defaults.floating = choices.from({DType::kFloat64, DType::kFloat16, DType::kBFloat16});
  if (c.form == Form::kOut) set_out(c, tensor(common, broadcast_shape(c).value_or(wish.sizes)));
  return c;
}

void draw_loop_count(Choices& choices, const Parameter& parameter, Operand& operand,
                     const ElementWish& wish) {
  constexpr int kLeast = -2, kMost = 31;
  if (operand.tag == Tag::kTensor && operand.shares == kOwnStorage) {
    operand.values = draw_whole_elements(choices, operand.dtype, element_count(operand),
                                         has_sign(operand.dtype) ? kLeast : 0, kMost, wish);
  } else if (operand.tag == Tag::kNumber && !is_bool(operand.number.dtype())) {
    const int count = choices.between(kLeast, kMost);
    const bool halves = parameter.type != ParameterType::kInt && choices.chance(15);
    operand.number = halves ? Number(count + 0.5) : Number(count);
  }
}

void draw_values(Choices& choices, Case& c, const ValueWish& wish) {
  const OpSpec& spec = *c.op->spec;
  const bool is_safe_small =
      wish.safe && (spec.divides() || !spec.loop.parameter.empty() || spec.traps_on_least_integer);
  c.values = is_safe_small ? ValueClass::kSmall : choices.from(wish.classes);
  c.seed = c.values == ValueClass::kSmall ? 0 : choices.below(std::uint64_t{0x10000});
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const Parameter& parameter = c.schema().parameters[i];
    Operand& operand = c.arguments[i];
    const bool owns = operand.tag == Tag::kTensor && operand.shares == kOwnStorage;
    if (owns && choices.chance(wish.spelled))
      operand.values = draw_elements(choices, operand.dtype, element_count(operand), wish.elements);
    if (wish.safe) make_safe(choices, c, parameter, operand);
    if (wish.spelled > 0 && is_tensor(parameter) && spec.is_loop_count(parameter.name))
      draw_loop_count(choices, parameter, operand, wish.elements);
  }
}

}  // namespace upcast
