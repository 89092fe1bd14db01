// Properties of result_type with operands of different priorities. A list of operands is written as
// a call of clamp.Tensor.
#include <algorithm>

#include "properties/checks.h"
#include "properties/generators.h"
#include "properties/rulebook_systems.h"
#include "properties/spoilers.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Result = std::optional<DType>;
using Operands = std::vector<TypedOperand>;

Result result_of(const System& system, const Case& c, const Operands& operands) {
  return system.promotion->result_type(operands, c.defaults);
}

/// Fails (RC_FAIL) if two lists of operands do not have the same result.
void require_equal(Result all, Result others, const std::string& what) {
  if (all != others) RC_FAIL("it gives " + text_of(all) + ", " + what + " " + text_of(others));
}

/// Whether a result says nothing about the property. A rule book may have no rule (for numbers
/// alone, say), or may refuse to mix dtypes.
bool says_nothing(const System& system, Result result) {
  return !result && system.subject == nullptr;
}

/// The highest category among the operands that have a dtype.
Category highest_category(const Operands& operands) {
  Category highest = Category::kNone;
  for (const TypedOperand& operand : operands) highest = std::max(highest, category(operand.dtype));
  return highest;
}

template <class Wanted>
Operands those(const Operands& operands, Wanted wanted) {
  Operands some;
  std::copy_if(operands.begin(), operands.end(), std::back_inserter(some), wanted);
  return some;
}

bool is_undefined(const TypedOperand& operand) { return operand.dtype == DType::kUndefined; }

Finding check_order(const System& system, const Case& c) {
  Operands operands = typed_operands(c);
  const Result first = result_of(system, c, operands);
  for (std::size_t i = 0; i < operands.size(); ++i)
    for (std::size_t j = i + 1; j < operands.size(); ++j) {
      Operands swapped = operands;
      std::swap(swapped[i], swapped[j]);
      require_equal(first, result_of(system, c, swapped), "with two operands exchanged");
    }
  std::rotate(operands.begin(), operands.begin() + 1, operands.end());
  require_equal(first, result_of(system, c, operands), "rotated");
  return says_nothing(system, first) ? Finding::kVacuous : Finding::kHolds;
}

Finding check_associates(const System& system, const Case& c) {
  const Operands x = typed_operands(c);
  if (x.size() != 3 || std::any_of(x.begin(), x.end(), &is_undefined)) return Finding::kVacuous;
  const auto combine = [&](TypedOperand a, TypedOperand b) {
    return system.promotion->combine(a, b, c.defaults);
  };
  const auto ab = combine(x[0], x[1]), bc = combine(x[1], x[2]);
  if (!ab || !bc) return Finding::kVacuous;
  const auto left = combine(*ab, x[2]), right = combine(x[0], *bc);
  if (!left || !right) return Finding::kVacuous;
  require_equal(left->dtype, right->dtype, "the last two first");
  return Finding::kHolds;
}

Finding check_single(const System& system, const Case& c) {
  const TypedOperand first = typed_operand(c.arguments[0]);
  if (is_undefined(first) || first.kind == Kind::kWrapped) return Finding::kVacuous;
  const Result result = result_of(system, c, {first});
  if (says_nothing(system, result)) return Finding::kVacuous;
  if (result != first.dtype) RC_FAIL("the first operand alone gives " + text_of(result));
  return Finding::kHolds;
}

Finding check_undefined(const System& system, const Case& c) {
  const Operands operands = typed_operands(c);
  const Result without =
      result_of(system, c, those(operands, [](const TypedOperand& o) { return !is_undefined(o); }));
  for (std::size_t at = 0; at <= operands.size(); ++at) {
    Operands with = operands;
    with.insert(with.begin() + static_cast<std::ptrdiff_t>(at), TypedOperand{});
    require_equal(without, result_of(system, c, with), "with an undefined tensor");
  }
  return without ? Finding::kHolds : Finding::kVacuous;
}

Finding check_repeated(const System& system, const Case& c) {
  const Operands operands = typed_operands(c);
  const Result once = result_of(system, c, operands);
  if (!once) return Finding::kVacuous;
  Finding finding = Finding::kVacuous;
  for (const TypedOperand& operand : operands) {
    // Rule books have no undefined tensors.
    if (is_undefined(operand) && system.subject == nullptr) continue;
    Operands more = operands;
    more.push_back(operand);
    const Result twice = result_of(system, c, more);
    if (says_nothing(system, twice)) continue;
    require_equal(once, twice, "with one of them twice");
    finding = Finding::kHolds;
  }
  return finding;
}

Finding check_category(const System& system, const Case& c) {
  const Operands operands = typed_operands(c);
  const Result result = result_of(system, c, operands);
  if (!result) return Finding::kVacuous;
  if (category(*result) != highest_category(operands))
    RC_FAIL(text_of(result) + " is " + std::string(name(category(*result))));
  return Finding::kHolds;
}

/// Checks for each kind that operands of lower priority change nothing, unless their category is
/// higher.
Finding check_priority(const System& system, const Case& c) {
  const Operands operands = typed_operands(c);
  const Result all = result_of(system, c, operands);
  if (!all) return Finding::kVacuous;
  Finding finding = Finding::kVacuous;
  for (Kind kind : {Kind::kDim, Kind::kZeroDim}) {
    const Operands high = those(operands, [kind](const TypedOperand& o) { return o.kind <= kind; });
    const Operands low = those(operands, [kind](const TypedOperand& o) { return o.kind > kind; });
    if (low.empty() || highest_category(high) == Category::kNone ||
        highest_category(low) > highest_category(high))
      continue;
    const Result without_low = result_of(system, c, high);
    if (says_nothing(system, without_low)) continue;
    require_equal(all, without_low, "without the operands of lower priority");
    finding = Finding::kHolds;
  }
  return finding;
}

Finding check_number_widens_nothing(const System& system, const Case& c) {
  const TypedOperand tensor = typed_operand(c.arguments[0]);
  const TypedOperand number = typed_operand(c.arguments[1]);
  if (category(number.dtype) > category(tensor.dtype)) return Finding::kVacuous;
  const Result result = result_of(system, c, {tensor, number});
  if (says_nothing(system, result)) return Finding::kVacuous;
  if (result != tensor.dtype) RC_FAIL("the result is " + text_of(result));
  return Finding::kHolds;
}

Finding check_number_raises_category_only(const System& system, const Case& c) {
  const TypedOperand tensor = typed_operand(c.arguments[0]);
  const TypedOperand number = typed_operand(c.arguments[1]);
  if (category(number.dtype) <= category(tensor.dtype)) return Finding::kVacuous;
  const Result result = result_of(system, c, {tensor, number});
  const Result expected = is_complex(number.dtype) && is_floating(tensor.dtype)
                              ? to_complex(tensor.dtype)
                              : result_of(system, c, {number});
  if (is_complex(number.dtype) && expected == DType::kUndefined) return Finding::kVacuous;
  if (says_nothing(system, result) || says_nothing(system, expected)) return Finding::kVacuous;
  if (result != expected)
    RC_FAIL("the result is " + text_of(result) + ", not " + text_of(expected));
  return Finding::kHolds;
}

Finding check_zero_dim_below_dim(const System& system, const Case& c) {
  const Operands operands = typed_operands(c);
  Finding finding = Finding::kVacuous;
  for (const TypedOperand& dim : operands)
    for (const TypedOperand& zero : operands) {
      if (dim.kind != Kind::kDim || is_undefined(dim) || zero.kind != Kind::kZeroDim ||
          category(zero.dtype) > category(dim.dtype))
        continue;
      const Result result = result_of(system, c, {dim, zero});
      if (says_nothing(system, result)) continue;
      if (result != dim.dtype) RC_FAIL("of a dim and a zero-dim tensor it is " + text_of(result));
      finding = Finding::kHolds;
    }
  return finding;
}

Finding check_default_is_for_numbers(const System& system, const Case& c) {
  const Operands operands = typed_operands(c);
  const bool asks_default = std::any_of(operands.begin(), operands.end(), [](TypedOperand o) {
    return o.kind == Kind::kWrapped && category(o.dtype) >= Category::kFloating;
  });
  if (asks_default) return Finding::kVacuous;
  const Result by_float32 = system.promotion->result_type(operands, {DType::kFloat32});
  require_equal(result_of(system, c, operands), by_float32, "with the default float32");
  return by_float32 ? Finding::kHolds : Finding::kVacuous;
}

Finding check_number_alone(const System& system, const Case& c) {
  const TypedOperand number = typed_operand(c.arguments[1]);
  if (is_complex(number.dtype)) return Finding::kVacuous;
  // PyTorch holds an integer beyond int64 as uint64. Other systems have one kind of integer, so
  // they are not asked.
  if (number.dtype == DType::kUInt64 && system.subject == nullptr) return Finding::kVacuous;
  const DType expected = is_floating(number.dtype) ? c.defaults.floating : number.dtype;
  const Result result = result_of(system, c, {number});
  if (says_nothing(system, result)) return Finding::kVacuous;
  if (result != expected) RC_FAIL("alone it gives " + text_of(result));
  return Finding::kHolds;
}

Finding check_default_complex(const System& system, const Case& c) {
  const TypedOperand number = typed_operand(c.arguments[1]);
  if (!is_complex(number.dtype)) return Finding::kVacuous;
  const Result result = result_of(system, c, {number});
  if (says_nothing(system, result)) return Finding::kVacuous;
  if (result != to_complex(c.defaults.floating)) RC_FAIL("alone it gives " + text_of(result));
  return Finding::kHolds;
}

Finding check_dim_tensors_promote(const System& system, const Case& c) {
  const Operands operands = typed_operands(c);
  const Result result = result_of(system, c, {operands[0], operands[1]});
  require_equal(result, system.promotion->promote_types(operands[0].dtype, operands[1].dtype),
                "promote_types");
  return result ? Finding::kHolds : Finding::kVacuous;
}

/// Checks that only differences of kind matter: with all tensors zero-dim, the result is the same
/// as with all of them dim.
Finding check_kinds_are_relative(const System& system, const Case& c) {
  Operands operands = typed_operands(c);
  for (TypedOperand& operand : operands) {
    if (operand.kind == Kind::kWrapped) return Finding::kVacuous;
    operand.kind = Kind::kDim;
  }
  const Result dim = result_of(system, c, operands);
  for (TypedOperand& operand : operands) operand.kind = Kind::kZeroDim;
  require_equal(dim, result_of(system, c, operands), "all of them zero-dim");
  return dim ? Finding::kHolds : Finding::kVacuous;
}

Result single_becomes_the_default(std::span<const TypedOperand> operands, Defaults defaults) {
  if (operands.size() == 1) return defaults.floating;
  const DTypeResult result = result_type(operands, defaults);
  return result.ok() ? Result(result.dtype()) : Result();
}

Result integral_becomes_the_default(std::span<const TypedOperand> operands, Defaults defaults) {
  const DTypeResult result = result_type(operands, defaults);
  if (!result.ok()) return std::nullopt;
  return is_integral(result.dtype()) ? defaults.floating : result.dtype();
}

Result jax_forgets_weakness(std::span<const TypedOperand> operands, Defaults defaults) {
  static const System jax = rulebook_system("rulebook:jax-x64");
  return jax.promotion->result_type(operands, defaults);
}

Result zero_dim_tensors_widen(std::span<const TypedOperand> operands, Defaults defaults) {
  const DTypeResult result = result_type(operands, defaults);
  if (!result.ok()) return std::nullopt;
  const bool dim = std::any_of(operands.begin(), operands.end(),
                               [](const TypedOperand& o) { return o.kind == Kind::kDim; });
  return !dim && result.dtype() == DType::kFloat16 ? DType::kFloat32 : result.dtype();
}

bool has_barebones_unsigned(const Case& c) {
  const Operands operands = typed_operands(c);
  return std::any_of(operands.begin(), operands.end(), [](const TypedOperand& operand) {
    return group(operand.dtype) == Group::kBarebonesUnsigned;
  });
}

}  // namespace

std::span<const Property> result_type_properties() {
  using enum DType;
  static const std::vector<Property> properties{
      law(Asks::kPriorities, "ResultTypeIgnoresTheOrderOfOperands",
          "result_type of two or three operands does not depend on their order.", kOperandLists,
          &check_order,
          {.what = "uint8 with int8 is uint8, int8 with uint8 int16",
           .rules = &with_cell<kUInt8, kInt8, kUInt8>},
          {{.system = kPyTorch,
            .reason = "uint16, uint32, uint64 promote with floating dtypes and are refused next to "
                      "integral ones: whether that happens before or after a floating operand "
                      "absorbs them depends on the order",
            .counterexample = "clamp.Tensor(uint16[1], int8[1], float16[1])",
            .matches = &has_barebones_unsigned,
            .grounds = "witness: c10::promoteTypes refuses these pairs by a message of its own"}}),
      law(Asks::kPriorities, "ResultTypeIsAssociative",
          "result_type of three operands is the same from the left and from the right. Each step's "
          "result is an operand of the higher kind, and weakly typed if the system says so.",
          kOperandLists, &check_associates,
          {.what = "JAX's lattice, whose results forget that they are weakly typed",
           .promotion = {.result_type = &jax_forgets_weakness},
           .right = "rulebook:jax-x64"},
          {{.system = kPyTorch,
            .reason = "by design: a zero-dim tensor that raises the category also sets the width; "
                      "a dim tensor of that category would keep its own width",
            .counterexample = "clamp.Tensor(int8[1], float64[], float16[1])",
            .grounds = "witness: PyTorch's documentation of type promotion, and issue 9515"}},
          20),
      law(Asks::kPriorities, "ResultTypeOfOneTensorIsItsDType",
          "result_type of a tensor alone is its dtype, dim or zero-dim.", kOperandLists,
          &check_single,
          {.what = "a lone operand becomes the default dtype",
           .promotion = {.result_type = &single_becomes_the_default}}),
      law(Asks::kUndefined, "UndefinedIsTheUnitOfResultType",
          "An undefined tensor among the operands changes nothing.", kOperandLists,
          &check_undefined,
          {.what = "an undefined tensor leads to a refusal",
           .rules = &without<Rule::kUndefinedOperandsAreSkipped>}),
      law(Asks::kPriorities, "AnOperandTwiceCountsOnce",
          "result_type does not change if an operand is given twice.", kOperandLists,
          &check_repeated,
          {.what = "int16 with int16 is int32", .rules = &with_cell<kInt16, kInt16, kInt32>},
          {{.system = kPyTorch,
            .reason = "uint16, uint32, uint64 promote with floating dtypes and not with complex "
                      "ones: a second one is combined with the result of the first",
            .counterexample = "clamp.Tensor(float32[1], uint16[1], complex64[1])",
            .matches = &has_barebones_unsigned,
            .grounds = "witness: c10::promoteTypes refuses these pairs by a message of its own"}}),
      law(Asks::kPriorities, "ResultTypeHasTheHighestCategory",
          "The result is of the highest category among all operands, whatever their kinds.",
          kOperandLists, &check_category,
          {.what = "an integral tensor keeps its dtype next to a zero-dim floating one",
           .rules = &without<Rule::kLowerFloatingPromotes>}),
      law(Asks::kPriorities, "LowerPriorityOnlyRaisesTheCategory",
          "Operands of lower priority whose category is not higher change nothing.", kOperandLists,
          &check_priority,
          {.what = "an integral dim tensor promotes with a zero-dim one",
           .rules = &without<Rule::kHigherIntegralStays>},
          {}, 20),
      law(Asks::kPriorities, "ANumberNeverWidensWithinItsCategory",
          "A tensor next to a number of no higher category keeps its dtype.", kTensorsAndNumbers,
          &check_number_widens_nothing,
          {.what = "numbers count as zero-dim tensors",
           .rules = &without<Rule::kNumbersFillTheWrappedSlot>}),
      law(Asks::kPriorities, "ANumberOfHigherCategoryBringsTheDefault",
          "A tensor next to a number of higher category gets the number's own dtype; a "
          "floating one next to a complex number becomes complex of its own precision.",
          kTensorsAndNumbers, &check_number_raises_category_only,
          {.what = "float64 with 1j gives the default complex dtype",
           .rules = &without<Rule::kLowerComplexKeepsHigherPrecision>},
          {{.system = kPyTorch,
            .reason = "a number outside int64 is a uint64, which promotes neither with another "
                      "integral dtype nor with bool",
            .counterexample = "clamp.Tensor(bool[1], 18446744073709551614, None)",
            .matches =
                [](const Case& c) { return typed_operand(c.arguments[1]).dtype == DType::kUInt64; },
            .grounds = "witness: c10::promoteTypes refuses these pairs by a message of its own"}},
          20),
      law(Asks::kPriorities, "AZeroDimTensorIsBelowADimTensor",
          "A dim tensor next to a zero-dim one of no higher category keeps its dtype.",
          kTensorsOfBothKinds, &check_zero_dim_below_dim,
          {.what = "zero-dim tensors count as dim ones",
           .rules = &without<Rule::kZeroDimTensorsFillTheZeroSlot>}),
      law(Asks::kPriorities, "TheDefaultDTypeMattersForNumbersOnly",
          "Without a floating or complex number among the operands, result_type does not depend on "
          "the default dtype.",
          kOperandLists, &check_default_is_for_numbers,
          {.what = "an integral result becomes the default dtype",
           .promotion = {.result_type = &integral_becomes_the_default}},
          {}, 30),
      law(Asks::kPriorities, "AFloatingNumberAloneIsOfTheDefaultDType",
          "A floating number alone gives the default dtype, a bool or an integer its own.",
          kTensorsAndNumbers, &check_number_alone,
          {.what = "a floating number keeps float64",
           .rules = &without<Rule::kFloatingNumbersTakeTheDefault>}),
      law(Asks::kPriorities, "TheDefaultComplexDTypeFollowsTheDefault",
          "A complex number alone gives the complex counterpart of the default dtype.",
          kTensorsAndNumbers, &check_default_complex,
          {.what = "the default float64 gives complex64",
           .rules = &without<Rule::kFloat64DefaultGivesComplex128>},
          {{.system = kPyTorch,
            .reason = "the default complex dtype of bfloat16 is complex64, although bcomplex32 "
                      "exists and bfloat16[1] + 1j has it",
            .counterexample = "clamp.Tensor(bool[1], 1+1j, None) @default=bfloat16",
            .matches = [](const Case& c) { return c.defaults.floating == DType::kBFloat16; },
            .grounds = "ambiguous: PyTorch's documentation of set_default_dtype says that bfloat16 "
                       "has no complex counterpart and is refused; it is accepted, and complex64 "
                       "is used instead"}},
          15),
      law(Asks::kPriorities, "ResultTypeOfDimTensorsIsPromoteTypes",
          "result_type of two dim tensors is promote_types of their dtypes.", kDTypeTriples,
          &check_dim_tensors_promote,
          {.what = "the first of two dim tensors decides",
           .rules = &without<Rule::kOperandsOfASlotPromote>}),
      law(Asks::kPriorities, "AllZeroDimIsAsAllDim",
          "Tensors that are all dim give the same dtype as the same tensors all zero-dim.",
          kTensorsOfBothKinds, &check_kinds_are_relative,
          {.what = "float16 zero-dim tensors alone give float32",
           .promotion = {.result_type = &zero_dim_tensors_widen}}),
  };
  return properties;
}

}  // namespace upcast::properties
