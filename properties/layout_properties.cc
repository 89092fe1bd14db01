// Properties of layouts. The strides and offsets of operands may change only the strides of a
// result. Results have the layout that the rules give.
#include <algorithm>

#include "impl/tensor/memory_format.h"
#include "properties/layout_checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

Finding check_dense(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  require_all_same("as it lies and contiguous", answer, system.answer(dense(c)));
  return finding_of(answer);
}

/// Requires that an answer has these strides.
Finding require_strides(const Answer& answer, const Dims& expected, const std::string& what) {
  if (answer.sizes.size() != expected.size() ||
      !same_strides(answer.sizes, answer.strides, expected))
    RC_FAIL("the result lies " + to_text(answer.strides) + ", " + what + " " + to_text(expected));
  return Finding::kHolds;
}

Finding check_equal_layouts(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  if (!answered(answer) || !follows_iterator(c)) return Finding::kVacuous;
  const Dims strides = strides_of(c.operand(tensor_arguments(c)[0]));
  for (const int i : tensor_arguments(c))
    if (strides_of(c.operand(i)) != strides) return Finding::kVacuous;
  if (!fills(positions_of(answer.sizes, strides))) return Finding::kVacuous;
  return require_strides(answer, strides, "every operand");
}

Finding check_channels_last(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  if (!answered(answer) || !follows_iterator(c)) return Finding::kVacuous;
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    if (!is_channels_last(operand.sizes, strides_of(operand))) return Finding::kVacuous;
    if (is_contiguous(operand.sizes, strides_of(operand))) return Finding::kVacuous;  // both
  }
  return require_strides(answer, channels_last_strides(answer.sizes), "channels_last is");
}

Finding check_contiguous(const System& system, const Case& c) {
  const Answer answer = system.answer(c);
  if (!answered(answer) || names_a_format(c)) return Finding::kVacuous;
  return require_strides(answer, contiguous_strides(answer.sizes), "contiguous is");
}

void check_result_is_dense(const System&, const Case&, const Answer& answer) {
  if (!fills(positions_of(answer.sizes, answer.strides)))
    RC_FAIL("the result lies " + to_text(answer.strides) + " in the shape " +
            to_text(answer.sizes));
}

/// Checks the layout of a result whose first operand has the result's shape and fills its memory:
/// the result has that operand's strides.
Finding check_first_operand(const System& system, const Case& c) {
  const int first = c.schema().find(c.op->spec->operands[0]);
  const Operand& operand = c.operand(first);
  const Answer answer = system.answer(c);
  if (operand.tag != Operand::Tag::kTensor || !answered(answer) || !follows_iterator(c) ||
      operand.sizes != answer.sizes || !fills(positions_of(operand.sizes, strides_of(operand))) ||
      // Results with a dimension of size 1 are left out, because it may have any stride.
      std::count(operand.sizes.begin(), operand.sizes.end(), 1) > 0)
    return Finding::kVacuous;
  return require_strides(answer, strides_of(operand), "the first operand");
}

std::vector<Exclusion> strides_of_self() {
  return {{.system = kEverySystem,
           .reason = "imag is a view of the operand, so are real, conj_physical and positive where "
                     "nothing is to be computed; copy answers a tensor with the strides of self",
           .counterexample = "imag(complex64[2])",
           .ops = {"copy", "imag", "real", "conj_physical", "positive"},
           .grounds = "witness: PyTorch's documentation of tensor views"}};
}

constexpr std::string_view kTwoPaths = "softshrink(float32[3,3,2]:strides(12,1,6))";

// Controls.

/// A control: operands are read with their strides, but from the start of their storage.
void ignore_offsets(const Case& c, Answer& answer) {
  Case other = c;
  for (const int i : tensor_arguments(c)) {
    Operand& operand = other.operand(i);
    operand.values = misread(c).operand(i).values;
    operand.strides.clear();
    operand.offset = 0;
    operand.shares = kOwnStorage;
  }
  answer = our_answer(other);
}
void answer_reversed(const Case&, Answer& answer) {
  if (answer.tag != Answer::Tag::kTensor) return;
  answer.strides = contiguous_strides(Dims(answer.sizes.rbegin(), answer.sizes.rend()));
  std::reverse(answer.strides.begin(), answer.strides.end());
}
template <bool kFirst>
void answer_as_tensor(const Case& c, Answer& answer) {
  const std::vector<int> tensors = tensor_arguments(c);
  const Operand& operand = c.operand(kFirst ? tensors.front() : tensors.back());
  if (answer.tag == Answer::Tag::kTensor && operand.sizes == answer.sizes)
    answer.strides = strides_of(operand);
}

}  // namespace

std::span<const Property> layout_properties() {
  static const std::vector<Property> properties{
      law("PermutedOperandsCountAsContiguous",
          "Operands with another order of dimensions in memory give the elements that contiguous "
          "ones give.",
          kCallsWithPermuted, &check_dense,
          {.what = "strides are ignored", .spoil = &ignore_layouts}, {two_paths(kTwoPaths)}),
      law("OperandsWithGapsCountAsContiguous",
          "Operands with memory between their elements give what contiguous ones give.",
          kCallsWithGaps, &check_dense, {.what = "strides are ignored", .spoil = &ignore_layouts},
          {two_paths(kTwoPaths)}),
      law("ExpandedOperandsCountAsContiguous",
          "Operands with strides of 0 give what their elements give, written out.",
          kCallsWithExpanded, &check_dense,
          {.what = "strides are ignored", .spoil = &ignore_layouts},
          {two_paths(kTwoPaths),
           scalar_divisors(
               "div.Tensor_mode(uint8[3,3], float16[3,3]:strides(0,0), rounding_mode=\"trunc\")"),
           scalar_factors("multiply.Tensor(float8_e5m2[2], float8_e5m2[2]:strides(0))")}),
      law("ChannelsLastOperandsCountAsContiguous",
          "Operands in channels_last give the elements that contiguous ones give.",
          kCallsWithChannelsLast, &check_dense,
          {.what = "strides are ignored", .spoil = &ignore_layouts}, {two_paths(kTwoPaths)}),
      law("OverlappingOperandsCountAsContiguous",
          "Operands whose own elements share memory give what these elements give, written out.",
          kCallsWithOverlapping, &check_dense,
          {.what = "strides are ignored", .spoil = &ignore_layouts},
          {two_paths(kTwoPaths),
           {.system = kEverySystem,
            .reason =
                "copy writes a tensor with the strides of self, whose elements share memory then",
            .counterexample = "copy(bool[2,2]:strides(1,1), bool[2,2])",
            .ops = {"copy"},
            .grounds =
                "witness: aten/src/ATen/native/Copy.cpp of PyTorch: copy is copy_ into a clone "
                "with the strides of self"},
           scalar_divisors(
               "div.Tensor_mode(uint8[3,3], float16[3,3]:strides(0,0), rounding_mode=\"trunc\")"),
           scalar_factors("multiply.Tensor(float8_e5m2[2], float8_e5m2[2]:strides(0))")}),
      law("OffsetViewsCountAsContiguous",
          "Operands with a storage offset give what they give without one.", kCallsWithOffset,
          &check_dense, {.what = "offsets are ignored", .spoil = &ignore_offsets},
          {two_paths(kTwoPaths)}),
      law("InputsMayShareStorage",
          "Inputs that are views of one storage, overlapping or not, give what copies give.",
          kCallsThatShare, &check_dense,
          {.what = "views are read from the start of the storage", .spoil = &ignore_offsets},
          {two_paths(kTwoPaths),
           scalar_divisors(
               "div.Tensor_mode(uint8[3,3], float16[3,3]:strides(0,0), rounding_mode=\"trunc\")"),
           scalar_factors("multiply.Tensor(float8_e5m2[2], float8_e5m2[2]:strides(0))")}),
      law("EqualLayoutsArePreserved",
          "Dense operands with equal strides give a result with these strides.", kCallsOfOneLayout,
          &check_equal_layouts, {.what = "results are contiguous", .spoil = &answer_contiguous}),
      law("ChannelsLastIsPreserved", "Operands in channels_last give a result in channels_last.",
          kCallsOfChannelsLast, &check_channels_last,
          {.what = "results are contiguous", .spoil = &answer_contiguous}),
      law("ContiguousOperandsGiveAContiguousResult",
          "Contiguous operands of one shape give a contiguous result.", kCallsOfOneShape,
          &check_contiguous, {.what = "results are column-major", .spoil = &answer_reversed},
          strides_of_self()),
      law("ResultsFillTheirMemory",
          "The elements of a new result have no gaps and no overlap, for any strides of the "
          "operands.",
          kCallsThatBroadcast, of_answer(&check_result_is_dense),
          {.what = "a result takes the strides of an operand of its shape",
           .spoil = &answer_as_tensor<true>},
          strides_of_self()),
      law("TheFirstOperandDecidesTheLayout",
          "A first operand of the result's shape that fills its memory gives the result its "
          "strides.",
          kCallsWithPermuted, &check_first_operand,
          {.what = "the last operand decides", .spoil = &answer_as_tensor<false>}, {}, 20),
  };
  return properties;
}

}  // namespace upcast::properties
