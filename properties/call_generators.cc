#include "properties/call_generators.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "cases/attribute_values.h"
#include "cases/grid_rows.h"
#include "impl/core/cast.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

/// Whole numbers from 2 on, or -2, -3: neither 0 nor -1.
void replace_divisors(Draw& draw, Operand& operand) {
  const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
  for (std::size_t at = 0; at < operand.values.size(); at += size) {
    const auto begin = operand.values.begin() + static_cast<std::ptrdiff_t>(at);
    const auto end = begin + static_cast<std::ptrdiff_t>(size);
    const bool zero = std::all_of(begin, end, [](std::byte b) { return b == std::byte{0}; });
    const bool ones = std::all_of(begin, end, [](std::byte b) { return b == std::byte{0xff}; });
    if (!zero && !ones) continue;
    const std::int64_t divisor = is_bool(operand.dtype) ? 1 : draw.between(2, 5);
    cast_elements(DType::kInt64, reinterpret_cast<const std::byte*>(&divisor), operand.dtype,
                  &*begin, 1);
  }
}

void set_degrees(Draw& draw, Operand& operand) {
  operand.values.clear();
  for (std::int64_t i = 0; i < element_count(operand); ++i) {
    const std::int64_t degree = draw.between(0, 6);
    std::array<std::byte, 16> element{};
    cast_elements(DType::kInt64, reinterpret_cast<const std::byte*>(&degree), operand.dtype,
                  element.data(), 1);
    operand.values.insert(operand.values.end(), element.begin(),
                          element.begin() + itemsize(operand.dtype));
  }
}

/// The dtypes that an op is asked with: those of its kernels, and what becomes floating.
DTypeSet dtypes_for(const Op& op) {
  const DTypeSet kernels = op.spec->dtypes.empty() ? kFloats | kFullComplex : op.spec->dtypes;
  return op.spec->promotion == PromotionKind::kIntToFloat ? kernels | kIntegers | kBools : kernels;
}

Operand draw_vector(Draw& draw, DType dtype, std::int64_t length, const CallWish& wish) {
  Operand operand = tensor(dtype, {length});
  if (wish.spelled_values) operand.values = draw_values(draw, dtype, length);
  return operand;
}

bool is_integral_or_bool(DType dtype) { return is_integral(dtype) || is_bool(dtype); }

Operand draw_attribute(Draw& draw, const Case& c, const Parameter& parameter, bool any) {
  const std::vector<Operand> values = any || parameter.default_text.empty()
                                          ? internal::attribute_values(*c.op, parameter)
                                          : std::vector<Operand>();
  if (values.empty() || (!parameter.default_text.empty() && draw.chance(30))) return {};
  if (c.op->spec->is_loop_count(parameter.name)) return number(draw.between(0, 6));
  return draw.from(values);
}

template <class Wanted>
std::vector<std::string_view> callables_where(Wanted wanted) {
  std::vector<std::string_view> found;
  internal::for_each_callable([&](const Op& op, int overload, Form form) {
    const Schema& schema = op.schemas[static_cast<std::size_t>(overload)];
    const bool returns_a_tensor = schema.returns.find("Tensor") == 0;
    if (returns_a_tensor && !internal::tensor_positions(schema).empty() && wanted(op, form))
      found.push_back(op.callable(overload, form));
  });
  return found;
}

Case draw_any_call(Draw& draw) {
  return draw_call(draw, draw.from(elementwise_callables()),
                   {.dtypes = draw.chance(12) ? kElementwise : DTypeSet(),  // refusals too
                    .attributes = true,
                    .elements = draw.size() < 50 ? 9 : 40});
}

Case draw_mixed_call(Draw& draw) {
  const bool writes = draw.chance(50);
  Case c = draw_call(draw, draw.from(writes ? writing_callables() : elementwise_callables()),
                     {.dtypes = draw.chance(60) ? kElementwise : DTypeSet(),
                      .mixed = draw.chance(70),
                      .kinds = true,
                      .attributes = true,
                      .elements = 3});
  c.defaults.floating = draw_default(draw);
  if (c.form == Form::kOut) c.out.dtype = draw_dtype(draw);
  return c;
}

}  // namespace

Case draw_call(Draw& draw, std::string_view callable, const CallWish& wish) {
  Case c = case_of(callable);
  const std::vector<Parameter>& parameters = c.schema().parameters;
  const std::int64_t length =
      1 + draw.below(static_cast<int>(std::max<std::int64_t>(1, wish.elements)));
  const DTypeSet dtypes = wish.dtypes.empty() ? dtypes_for(*c.op) : wish.dtypes;
  const DType common = draw.from(dtypes);
  bool all_integral = true;
  int tensors = 0;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    Operand& operand = c.arguments[i];
    if (!internal::is_tensor(parameter)) {
      operand = draw_attribute(draw, c, parameter, wish.attributes);
      continue;
    }
    if (parameter.type == ParameterType::kOptionalTensor && draw.chance(15)) {
      operand = {.tag = Tag::kNone};
      continue;
    }
    const bool is_mask = c.op->spec->is_mask(parameter.name);
    DType dtype = is_mask ? DType::kBool : wish.mixed ? draw.from(dtypes) : common;
    operand = draw_vector(draw, dtype, length, wish);
    if (c.op->spec->is_loop_count(parameter.name)) set_degrees(draw, operand);
    if (wish.kinds && tensors > 0 && !is_mask && draw.chance(40)) {
      const bool takes_a_number =
          !c.op->spec->is_loop_count(parameter.name) && !c.op->spec->steps_from_below();
      if (takes_a_number && draw.chance(50))
        operand = draw.chance(50) ? number(3) : draw_number(draw, Category::kFloating);
      else
        operand.sizes.clear(),
            operand.values.resize(std::min<std::size_t>(operand.values.size(), itemsize(dtype)));
    }
    all_integral = all_integral && is_integral_or_bool(dtype);
    ++tensors;
    if (c.op->spec->steps_from_below()) operand.values.clear();  // small ones, those of the class
  }
  if (all_integral && c.op->spec->divides())
    for (std::size_t i = 1; i < c.arguments.size(); ++i)
      if (c.arguments[i].tag == Tag::kTensor) replace_divisors(draw, c.arguments[i]);
  if (!wish.spelled_values) {
    const bool small = c.op->spec->steps_from_below() || (all_integral && c.op->spec->divides());
    c.values = small || draw.chance(30) ? ValueClass::kSmall
               : draw.chance(60)        ? ValueClass::kSpecial
                                        : ValueClass::kRandom;
    c.seed = c.values == ValueClass::kSmall ? 0 : 1 + draw.bits() % 1000;
  }
  if (c.form == Form::kOut) c.out = tensor(common, {length});
  return c;
}

const std::vector<std::string_view>& elementwise_callables() {
  static const std::vector<std::string_view> found = callables_where(
      [](const Op& op, Form form) { return form == Form::kFunctional && op.output_count() == 1; });
  return found;
}

const std::vector<std::string_view>& writing_callables() {
  static const std::vector<std::string_view> found = callables_where(
      [](const Op& op, Form form) { return form != Form::kFunctional && op.output_count() == 1; });
  return found;
}

const Generator kAnyCalls{
    "calls",
    &draw_any_call,
    nullptr,
    {{"dtype", 22, 0.2}, {"dtype", 8, 4}, {"op", 150, 0.1}, {"value", 8, 4}, {"category", 4, 5}}};
const Generator kMixedCalls{"calls of mixed dtypes",
                            &draw_mixed_call,
                            nullptr,
                            {{"dtype", 22, 1},
                             {"op", 150, 0.1},
                             {"form", 3, 15},
                             {"kind", 3, 5},
                             {"default", 4, 10},
                             {"value", 8, 2}}};

}  // namespace upcast::properties
