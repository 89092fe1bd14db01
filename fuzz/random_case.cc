#include "fuzz/random_case.h"

#include <algorithm>

#include "cases/operands.h"
#include "fuzz/callable_ids.h"
#include "fuzz/operand_codec.h"
#include "fuzz/shape_codec.h"
#include "oracle/case_call.h"

namespace upcast::fuzz {
namespace {

using Tag = Operand::Tag;

/// Percentage of cases with operands of any dtype. Most of them are refused.
constexpr int kAnyDType = 8;
constexpr CallWish kCalls{.any_dtype = kAnyDType,
                          .numbers = 12,
                          .first_numbers = 1,
                          .zero_dims = 10,
                          .undefined = 5,
                          .attributes = 60,
                          .any_number = 25,
                          .defaults = 15};
/// How elements of random cases are drawn: mostly special ones and their neighbours, else random
/// bits.
constexpr ElementWish kElements{
    .special = 90, .extreme = 0, .small = 0, .real = 0, .disturbed = 35, .distinct = &value_limit};
const ValueWish kValues{
    .spelled = 30,
    .elements = kElements,
    .classes = {ValueClass::kSmall, ValueClass::kSmall, ValueClass::kSpecial, ValueClass::kSpecial,
                ValueClass::kRandom, ValueClass::kConsecutive},
    .safe = false};

}  // namespace

DType random_dtype(Random& random, const Op& op) {
  return random.from(random.chance(kAnyDType) ? kElementwise : asked_dtypes(op));
}

Dims random_master(Random& random) {
  const std::size_t rank = random.from<std::size_t>({0, 1, 1, 1, 1, 2, 2, 2, 3, 3, 4});
  Dims sizes;
  std::int64_t count = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    std::int64_t size = kSizes[random.below(random.chance(85) ? 8 : kSizes.size())];
    if (size == 0 && random.chance(70)) size = 3;
    if (count * std::max<std::int64_t>(1, size) > kMaxElements) size = 1;
    count *= std::max<std::int64_t>(1, size);
    sizes.push_back(size);
  }
  return sizes;
}

Dims random_role(Random& random, const Dims& master) {
  if (random.chance(70)) return master;
  return random.chance(6) ? random_master(random) : draw_role(random, master);
}

void set_random_layout(Random& random, Operand& operand) {
  const auto kind = static_cast<StrideKind>(random.below(kStrideKinds));
  Dims strides = strides_of(kind, operand.sizes);
  if (span_of(operand.sizes, strides.empty() ? contiguous_strides(operand.sizes) : strides) >
      kMaxSpan)
    strides.clear();
  operand.strides = std::move(strides);
  operand.offset = random.chance(25) ? random.between(1, 4) : 0;
}

void set_random_values(Random& random, Operand& operand) {
  operand.values.clear();
  if (operand.tag == Tag::kTensor && operand.shares == kOwnStorage)
    operand.values = draw_elements(random, operand.dtype, element_count(operand), kElements);
}

Operand random_attribute(Random& random, const Op& op, const Parameter& parameter) {
  return draw_attribute(random, op, parameter, kCalls);
}

void set_random_out(Random& random, Case& c) {
  const auto make = [&](DType dtype) {
    Operand out = tensor(dtype, broadcast_shape(c).value_or(Dims{2}));
    if (random.chance(8)) out.sizes = random_master(random);
    if (random.chance(25)) set_random_layout(random, out);
    return out;
  };
  c.out = make(random_dtype(random, *c.op));
  c.second_out = c.op->output_count() > 1 ? make(DType::kInt32) : Operand();
  Case functional = c;
  functional.form = Form::kFunctional;
  functional.out = functional.second_out = Operand();
  const Outcome<Promoted> promoted = promote_case(functional);
  if (random.chance(75) && promoted.ok() && kElementwise.contains(promoted.value().result))
    c.out.dtype = promoted.value().result;
  if (!random.chance(6)) return;
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) {
    if (!may_own(c, i, kOutPosition, c.out.dtype)) continue;
    c.out.shares = i;
    return;
  }
}

void tame(Random& random, Case& c) {
  const std::vector<Parameter>& parameters = c.schema().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == "reduction") c.arguments[i] = number(0);
    if (c.op->spec->is_loop_count(parameters[i].name))
      draw_loop_count(random, parameters[i], c.arguments[i], kElements);
  }
}

Case random_call(Random& random, const FoundOp& callable) {
  return random_call(random, callable, random_master(random));
}

Case random_call(Random& random, const FoundOp& callable, const Dims& master) {
  CallWish wish = kCalls;
  wish.sizes = master;
  wish.own_dtype = random.chance(40) ? 100 : 0;
  Case c = draw_call(random, callable, wish);
  for (const int i : tensor_positions(c.schema())) {
    Operand& operand = c.arguments[i];
    if (operand.tag != Tag::kTensor || (c.form == Form::kInPlace && i == 0)) continue;
    if (!operand.sizes.empty()) operand.sizes = random_role(random, wish.sizes);
    if (random.chance(35)) set_random_layout(random, operand);
  }
  draw_values(random, c, kValues);
  tame(random, c);
  if (c.form == Form::kOut) set_random_out(random, c);
  return c;
}

Case random_case(Random& random) {
  const auto id = static_cast<std::uint16_t>(random.below(callable_names().size()));
  return random_call(random, callable_of(id));
}

}  // namespace upcast::fuzz
