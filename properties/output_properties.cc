// Properties of in-place and out= forms: they write the functional form's result to a given tensor.
#include <algorithm>

#include "impl/core/cast.h"
#include "properties/layout_checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

/// The result after the system's own copy_ has converted it to the written dtype.
Answer copied(const System& system, const Case& like, const Answer& result, DType dtype) {
  const Case copy = call_of("copy_", {tensor(dtype, result.sizes), operand_of(result)}, like);
  return system.answer(copy);
}

/// Requires that the functional form answers if the writing form does. Its result, copied to the
/// written dtype, must be the same.
Finding require_copied(const System& system, const Case& c, const Operand& written) {
  const Answer answer = system.answer(c);
  if (!answered(answer)) return Finding::kVacuous;
  const Answer functional = system.answer(in_form(c, Form::kFunctional));
  if (!answered(functional)) RC_FAIL("the functional form is refused: " + functional.detail);
  require_same("written and copied", answer, copied(system, c, functional, written.dtype));
  if (functional.further.size() != answer.further.size()) RC_FAIL("other numbers of results");
  for (std::size_t i = 0; i < answer.further.size(); ++i)
    require_same("second results", answer.further[i], functional.further[i]);
  return Finding::kHolds;
}

Finding check_in_place(const System& system, const Case& c) {
  return require_copied(system, c, c.operand(written_position(c)));
}
Finding check_out(const System& system, const Case& c) { return require_copied(system, c, c.out); }

Finding require_strides(const Answer& answer, const Operand& written) {
  if (!answered(answer)) return Finding::kVacuous;
  if (!same_strides(answer.sizes, answer.strides, strides_of(written)))
    RC_FAIL("it was to write " + to_text(strides_of(written)) + ", and answers " +
            to_text(answer.strides));
  return Finding::kHolds;
}

Finding check_in_place_strides(const System& system, const Case& c) {
  return require_strides(system.answer(c), c.operand(written_position(c)));
}
Finding check_out_strides(const System& system, const Case& c) {
  return require_strides(system.answer(c), c.out);
}

Finding check_resized(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  if (!answered(answer)) return Finding::kVacuous;
  if (answer.dtype != c.out.dtype) RC_FAIL("resized, out is " + to_text(answer));
  if (answer.sizes != broadcast_shape(c)) RC_FAIL("resized, out is " + to_text(answer));
  return require_copied(system, c, c.out);
}

Finding check_resized_strides(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  // A call with two outs is left out, because an out that fits decides the layout of the other one.
  if (!answered(answer) || !follows_iterator(c) || c.op->output_count() > 1)
    return Finding::kVacuous;
  const Answer functional = system.answer(in_form(c, Form::kFunctional));
  if (!same_strides(answer.sizes, answer.strides, functional.strides))
    RC_FAIL("resized, out lies " + to_text(answer.strides) + ", a new result " +
            to_text(functional.strides));
  return Finding::kHolds;
}

/// Checks that the dtype and the contents of an out= do not change the computation.
Finding check_out_contents(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  Case other = c;
  other.out.values.assign(static_cast<std::size_t>(element_count(c.out) * itemsize(c.out.dtype)),
                          std::byte{0});
  require_all_same("out= with other elements in it", answer, system.answer(other));
  return finding_of(answer);
}

bool compares_e8m0(const Case& c) {
  return c.op->spec->promotion == PromotionKind::kAlwaysBool &&
         std::any_of(c.arguments.begin(), c.arguments.end(),
                     [](const Operand& operand) { return operand.dtype == DType::kFloat8E8M0FNU; });
}

std::vector<Exclusion> own_ways_to_out(std::string_view huber_loss, std::string_view bool_ldexp,
                                       std::string_view ldexp, std::string_view e8m0) {
  return {
      two_paths("softshrink.out(float64[3,3], out=float64[3,3]:strides(1,9))"),
      {.system = "libtorch:cpu",
       .reason = "a comparison with out= stores its bool through the dtype of its operands: "
                 "float8_e8m0fnu has no 0",
       .counterexample = e8m0,
       .matches = &compares_e8m0,
       .grounds = "entry: comparison-false-is-not-zero-in-e8m0"},
      {.system = "libtorch:cpu",
       .reason = "ldexp refuses a bool exponent, and answers it through an out of another dtype",
       .counterexample = bool_ldexp,
       .ops = {"ldexp"},
       .grounds = "entry: ldexp-refuses-a-bool-exponent"},
      {.system = kEverySystem,
       .reason = "ldexp scales exactly where out has the dtype of self; into another out it "
                 "multiplies by a power of 2, which overflows before the product does",
       .counterexample = ldexp,
       .ops = {"ldexp"},
       .grounds = "witness: PyTorch's documentation of numerical accuracy, extremal values"},
      {.system = kEverySystem,
       .reason = "the functional huber_loss writes to a tensor like self, in its dtype",
       .counterexample = huber_loss,
       .ops = {"huber_loss"},
       .grounds = "law: huber-loss-has-the-dtype-of-self"}};
}

// Controls.

/// A control: operands are converted to the dtype of self before the op computes.
void compute_in_own_dtype(const Case& c, Answer& answer) {
  if (c.form != Form::kInPlace || !answered(answer)) return;
  Case other = dense(c);
  const DType dtype = c.operand(written_position(c)).dtype;
  for (const int i : tensor_arguments(c)) {
    Operand& operand = other.operand(i);
    std::vector<std::byte> values(static_cast<std::size_t>(element_count(operand)) *
                                  static_cast<std::size_t>(itemsize(dtype)));
    cast_elements(operand.dtype, operand.values.data(), dtype, values.data(),
                  element_count(operand));
    operand.values = std::move(values);
    operand.dtype = dtype;
  }
  answer = our_answer(other);
}
void write_row_major(const Case& c, Answer& answer) {
  if (c.form != Form::kOut || !answered(answer) || c.out.sizes.size() < 2) return;
  const std::vector<std::int64_t> positions = positions_of(c.out.sizes, strides_of(c.out));
  const std::vector<std::vector<std::byte>> elements = elements_of(answer);
  answer.bytes.clear();
  for (const std::int64_t position : positions) {
    const auto& element = elements[static_cast<std::size_t>(position) % elements.size()];
    answer.bytes.insert(answer.bytes.end(), element.begin(), element.end());
  }
}
void keep_shape(const Case& c, Answer& answer) {
  if (c.form == Form::kOut && answered(answer)) answer.sizes = c.out.sizes;
}
void answer_contiguous_out(const Case& c, Answer& answer) {
  if (c.form == Form::kOut) answer_contiguous(c, answer);
}
/// A control: the result is added to what the output held before.
void accumulate(const Case& c, Answer& answer) {
  if (c.form != Form::kOut || !answered(answer) || c.out.values.empty() || answer.bytes.empty())
    return;
  answer.bytes[0] |= std::byte{1};
}

}  // namespace

std::span<const Property> output_properties() {
  static const std::vector<Property> properties{
      law("InPlaceIsTheFunctionalFormAndACopy",
          "An in-place call answers what the functional one answers, copied into self.",
          kInPlaceCalls, &check_in_place,
          {.what = "operands are converted to the dtype of self first",
           .spoil = &compute_in_own_dtype},
          {scalar_factors("multiply_.Scalar(float8_e5m2[2], True)")}),
      law("OutIsTheFunctionalFormAndACopy",
          "A call with out= answers what the functional one answers, copied into out; so for both "
          "results of an op with two.",
          kOutCalls, &check_out,
          {.what = "out is written as if it were contiguous", .spoil = &write_row_major},
          own_ways_to_out("huber_loss.out(bool[1], float32[1], reduction=0, out=float32[1])",
                          "ldexp.out(float32[1], bool[1], out=complex32[1])",
                          "ldexp.out(float32[1]{1e-45}, int32[1]{200}, out=float64[1])",
                          "eq.Scalar_out(float8_e8m0fnu[1], True, out=complex128[1])")),
      law("InPlaceKeepsTheLayoutOfSelf", "An in-place call leaves the strides of self.",
          kInPlaceCalls, &check_in_place_strides,
          {.what = "results are contiguous", .spoil = &answer_contiguous}),
      law("OutOfTheRightShapeKeepsItsLayout", "An out of the result's shape keeps its strides.",
          kOutCalls, &check_out_strides,
          {.what = "results are contiguous", .spoil = &answer_contiguous}),
      law("OutOfAnotherShapeIsResized",
          "An out of another shape, empty or not, gets that of the result, and its elements in the "
          "dtype of out.",
          kResizingCalls, &check_resized, {.what = "out keeps its shape", .spoil = &keep_shape},
          own_ways_to_out("huber_loss.out(bool[1], float32[1], reduction=0, out=float32[0])",
                          "ldexp.out(float32[1], bool[1], out=complex32[0])",
                          "ldexp.out(float32[1]{1e-45}, int32[1]{200}, out=float64[0])",
                          "eq.Scalar_out(float8_e8m0fnu[1], True, out=bcomplex32[0])")),
      law("AResizedOutLiesAsANewResult",
          "An out that is resized has the strides of the functional result.", kResizingCalls,
          &check_resized_strides,
          {.what = "a resized out is contiguous", .spoil = &answer_contiguous_out},
          {{.system = kEverySystem,
            .reason = "abs.out of a complex operand copies a result of its own into an out that it "
                      "has made contiguous",
            .counterexample = "abs.out(complex64[2,3]:strides(1,9), out=float32[2,4])",
            .ops = {"abs"},
            .grounds = "witness: PyTorch's documentation promises no strides of a resized out"}}),
      law("OutIsWrittenNotRead", "The values in out= before the call do not matter.", kOutCalls,
          &check_out_contents, {.what = "the first element keeps a bit", .spoil = &accumulate}),
  };
  return properties;
}

}  // namespace upcast::properties
