// Properties of the dtypes that calls return, for each kind of op, each form, and outputs.
#include <algorithm>
#include <array>

#include "cases/laws/broken_laws.h"
#include "properties/call_generators.h"
#include "properties/checks.h"
#include "properties/layout_draw.h"
#include "properties/omissions.h"
#include "properties/spoilers.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;
using Result = std::optional<DType>;

/// Draws a call of any callable in this form that the rules do not leave out. Values are small, so
/// that no kernel refuses them.
template <auto kRules, Form kForm = Form::kFunctional>
Case draw_mixed_of(Draw& draw) {
  static const std::vector<FoundOp> callables = callables_but(kRules(), kForm);
  Case c = upcast::draw_call(draw, draw.from(callables),
                             {.sizes = {1},
                              .dtypes = kElementwise,
                              .own_dtype = 100,
                              .numbers = 20,
                              .zero_dims = 25,
                              .defaults = 50});
  for (Operand& operand : c.arguments)
    if (operand.tag == Tag::kTensor && draw.chance(70))
      operand.dtype = draw.from(kBools | kIntegers | kFloats | kFullComplex);
  draw_values(draw, c, {});
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    if (const Parameter& parameter = c.schema().parameters[i];
        c.op->spec->is_loop_count(parameter.name) && c.arguments[i].tag == Tag::kNumber)
      draw_loop_count(draw, parameter, c.arguments[i], {});
  if (c.form == Form::kOut) c.out = tensor(draw_dtype(draw), {1});
  return c;
}

template <auto kRules, Form kForm = Form::kFunctional>
Generator mixed_calls_of(std::string_view name, bool (*admits)(const Case&),
                         std::vector<Demand> demands) {
  return {name, &draw_mixed_of<kRules, kForm>, admits, std::move(demands), kRules()};
}

const Generator kPromotingCalls =
    mixed_calls_of<of_promoting_ops>("calls of promoting ops", &is_functional,
                                     {{"dtype", 22, 0.5}, {"kind", 3, 10}, {"op", 40, 0.5}});
const Generator kInPlaceCalls = mixed_calls_of<of_layouts, Form::kInPlace>(
    "calls in place", &is_in_place, {{"dtype", 22, 0.5}, {"kind", 3, 5}, {"op", 80, 0.2}});
const Generator kOutCalls = mixed_calls_of<of_layouts, Form::kOut>(
    "calls with out", &is_out, {{"dtype", 22, 1}, {"kind", 3, 5}, {"op", 100, 0.1}});
const Generator kComparisonCalls = mixed_calls_of<of_comparisons>(
    "comparisons", &is_functional, {{"dtype", 22, 0.5}, {"op", 14, 2}});
const Generator kIntToFloatCalls = mixed_calls_of<of_int_to_float_ops>(
    "calls of int_to_float ops", &is_functional, {{"dtype", 22, 0.3}, {"op", 30, 0.5}});
const Generator kSameCalls = mixed_calls_of<of_same_ops>(
    "calls that keep the dtype", &is_functional, {{"dtype", 22, 0.3}, {"op", 9, 2}});
const Generator kDefaultFreeCalls =
    mixed_calls_of<of_default_free_ops>("calls that do not use the default dtype", nullptr,
                                        {{"dtype", 22, 0.3}, {"op", 60, 0.3}, {"default", 4, 10}});

/// The dtype of an answer; nothing if the system refuses.
Result dtype_of(const Answer& answer) { return answered(answer) ? Result(answer.dtype) : Result(); }

/// What result_type gives for the call's operands, without its attributes.
Result common_of(const System& system, const Case& c) {
  Case operands = c;
  const auto& names = c.op->spec->operands;
  for (std::size_t i = 0; i < operands.arguments.size(); ++i)
    if (std::find(names.begin(), names.end(), c.schema().parameters[i].name) == names.end())
      operands.arguments[i] = {};
  return system.promotion->result_type(typed_operands(operands), c.defaults);
}

void check_result_is_result_type(const System& system, const Case& c, const Answer& answer) {
  const Result common = common_of(system, c);
  if (answer.dtype != common)
    RC_FAIL("the result is " + text_of(answer.dtype) + ", result_type " + text_of(common));
}

Finding check_refused_where_promotion_is(const System& system, const Case& c) {
  if (common_of(system, c)) return Finding::kVacuous;
  const Answer answer = system.answer(c);
  if (answered(answer)) RC_FAIL("result_type refuses, the call answers " + to_text(answer));
  return Finding::kHolds;
}

/// Whether broken_laws.toml declares that this form is refused although the functional form
/// answers.
bool breaks_law_of_forms(const Case& c) {
  const Case functional = in_form(c, Form::kFunctional);
  return std::any_of(broken_laws().begin(), broken_laws().end(), [&](const BrokenLaw& broken) {
    return broken.names(Law::kForms, "refusal", c, functional);
  });
}
Exclusion broken_forms(std::string_view counterexample) {
  static const std::string grounds = [] {
    std::string ids;
    for (const BrokenLaw& broken : broken_laws())
      if (std::find(broken.laws.begin(), broken.laws.end(), Law::kForms) != broken.laws.end())
        ids += (ids.empty() ? "law: " : ", ") + broken.id;
    return ids;
  }();
  return {.system = kEverySystem,
          .reason =
              "forms that are declared as broken laws: they need exactly the dtype of the result, "
              "or have no kernel",
          .counterexample = counterexample,
          .matches = &breaks_law_of_forms,
          .grounds = grounds};
}

/// Checks that an out= is accepted if its dtype can hold what the functional form answers, by the
/// rules of casts.
Finding check_output(const System& system, const Case& c, DType out) {
  const Result free = dtype_of(system.answer(in_form(c, Form::kFunctional)));
  const Result written = dtype_of(system.answer(c));
  if (!free) {
    if (written) RC_FAIL("the functional form refuses, this one answers");
    return Finding::kVacuous;
  }
  const bool castable = system.promotion->can_cast(*free, out).value_or(false);
  if (castable != written.has_value())
    RC_FAIL(text_of(free) + (castable ? " casts" : " does not cast") + " to " + text_of(out) +
            ", but the call is " + (written ? "answered" : "refused"));
  if (written && written != out) RC_FAIL("the output becomes " + text_of(written));
  return Finding::kHolds;
}

Finding check_in_place_casts(const System& system, const Case& c) {
  return check_output(system, c, typed_operand(c.arguments[0]).dtype);
}

Finding check_out_casts(const System& system, const Case& c) {
  return check_output(system, c, c.out.dtype);
}

void check_bool(const System&, const Case&, const Answer& answer) {
  if (answer.dtype != DType::kBool) RC_FAIL("the result is " + text_of(answer.dtype));
}

Finding check_int_to_float(const System& system, const Case& c) {
  const Result result = dtype_of(system.answer(c));
  const Result common = common_of(system, c);
  if (!result || !common) return Finding::kVacuous;
  const bool integral = is_integral(*common) || is_bool(*common);
  const DType expected = integral ? c.defaults.floating : *common;
  if (result != expected) RC_FAIL("the result is " + text_of(result));
  return Finding::kHolds;
}

void check_keeps_dtype(const System&, const Case& c, const Answer& answer) {
  if (answer.dtype != typed_operand(c.arguments[0]).dtype)
    RC_FAIL("the result is " + text_of(answer.dtype));
}

bool is_floating_number(const Operand& operand) {
  return operand.tag == Tag::kNumber && category(operand.number.dtype()) >= Category::kFloating;
}

Finding check_ignores_default(const System& system, const Case& c) {
  if (std::any_of(c.arguments.begin(), c.arguments.end(), &is_floating_number))
    return Finding::kVacuous;
  Case other = c;
  other.defaults.floating =
      c.defaults.floating == DType::kFloat32 ? DType::kFloat64 : DType::kFloat32;
  const Result first = dtype_of(system.answer(c)), second = dtype_of(system.answer(other));
  if (first != second)
    RC_FAIL("it gives " + text_of(first) + ", with another default dtype " + text_of(second));
  return first ? Finding::kHolds : Finding::kVacuous;
}

/// Checks that a case's dtype does not depend on the values of its operands.
Finding check_values_do_not_matter(const System& system, const Case& c) {
  Case other = c;
  other.values = ValueClass::kRandom;
  other.seed = c.seed + 1;
  const Answer first = system.answer(c), second = system.answer(other);
  // With other values one of the two calls may be refused, because it divides by an integral zero.
  if (!answered(first) || !answered(second)) return Finding::kVacuous;
  if (dtype_of(first) != dtype_of(second))
    RC_FAIL("it gives " + text_of(dtype_of(first)) + ", with other values " +
            text_of(dtype_of(second)));
  return Finding::kHolds;
}

void widen_float16(const Case&, Answer& answer) {
  if (answer.tag != Answer::Tag::kTensor || answer.dtype != DType::kFloat16) return;
  answer.dtype = DType::kFloat32;
}
void widen_float_of_bool(const Case& c, Answer& answer) {
  if (answer.dtype == DType::kFloat32 && c.arguments[0].dtype == DType::kBool)
    answer.dtype = DType::kFloat64;
}
void answer_refusals(const Case&, Answer& answer) {
  if (answer.tag != Answer::Tag::kRefusal) return;
  answer.tag = Answer::Tag::kTensor;
  answer.dtype = DType::kInt32;
}
void integral_becomes_the_default(const Case& c, Answer& answer) {
  if (answer.tag == Answer::Tag::kTensor && is_integral(answer.dtype))
    answer.dtype = c.defaults.floating;
}
/// A control: promotion by value, as in NumPy before version 2. The dtype is narrower if the value
/// fits.
void choose_dtype_by_value(const Case&, Answer& answer) {
  if (answer.tag == Answer::Tag::kTensor && answer.dtype == DType::kInt64 &&
      !answer.bytes.empty() && answer.bytes[7] == std::byte{0})
    answer.dtype = DType::kInt32;
}

}  // namespace

std::span<const Property> call_dtype_properties() {
  static const std::vector<Property> properties{
      law("ArithmeticAnswersInItsResultType",
          "An op that promotes answers with the result_type of its operands.", kPromotingCalls,
          of_answer(&check_result_is_result_type),
          {.what = "a float16 result becomes float32", .spoil = &widen_float16}, {}, 40),
      law("ArithmeticIsRefusedWherePromotionIs",
          "An op that promotes refuses operands that do not promote.", kPromotingCalls,
          &check_refused_where_promotion_is,
          {.what = "refusals are answered", .spoil = &answer_refusals}, {}, 5),
      law("InPlaceKeepsTheDTypeOfSelf", "An in-place form answers with the dtype that self had.",
          kInPlaceCalls, of_answer(&check_keeps_dtype),
          {.what = "a float16 result becomes float32", .spoil = &widen_float16}, {}, 30),
      law("InPlaceIsRefusedWhereTheResultDoesNotCast",
          "An in-place form answers exactly if the functional form does and its dtype casts to "
          "that of self.",
          kInPlaceCalls, &check_in_place_casts,
          {.what = "outputs are not checked", .rules = &without<Rule::kOutputMustBeCastable>},
          {broken_forms("abs_(complex64[1])")}, 30),
      law("OutIsRefusedWhereTheResultDoesNotCast",
          "An out= form answers if the functional form does and its dtype casts to that of out. It "
          "keeps the dtype of out.",
          kOutCalls, &check_out_casts,
          {.what = "outputs are not checked", .rules = &without<Rule::kOutputMustBeCastable>},
          {broken_forms("hardsigmoid.out(float32[1], out=complex32[1])")}, 30),
      law("ComparisonsAnswerBool",
          "Comparisons, logical ops and classifications answer bool for all operands.",
          kComparisonCalls, of_answer(&check_bool),
          {.what = "comparisons answer the common dtype",
           .rules = &without<Rule::kComparisonAllocatesBool>}),
      law("IntToFloatOpsAnswerTheDefaultForIntegers",
          "An int_to_float op answers the default dtype if its operands promote to an integral "
          "dtype or bool, else the dtype that they promote to.",
          kIntToFloatCalls, &check_int_to_float,
          {.what = "bool becomes float64", .spoil = &widen_float_of_bool}),
      law("RoundingAndSignsKeepTheDType",
          "neg, sign, conj and the rounding functions answer the dtype of their operand.",
          kSameCalls, of_answer(&check_keeps_dtype),
          {.what = "a float16 result becomes float32", .spoil = &widen_float16}),
      law("CallsWithoutAFloatingNumberIgnoreTheDefault",
          "Without a floating or complex number among its operands, an op that makes no floats of "
          "integers answers the same dtype whatever the default dtype is.",
          kDefaultFreeCalls, &check_ignores_default,
          {.what = "an integral result becomes the default dtype",
           .spoil = &integral_becomes_the_default},
          {}, 40),
      law("ValuesDoNotDecideTheDType",
          "The dtype of a result does not depend on the values of the operands.", kPromotingCalls,
          &check_values_do_not_matter,
          {.what = "a small int64 result becomes int32", .spoil = &choose_dtype_by_value}, {}, 40),
  };
  return properties;
}

}  // namespace upcast::properties
