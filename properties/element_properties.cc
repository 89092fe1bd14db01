// Properties of elementwise ops: each element of the result is computed from the operands' elements
// at its place, wherever that is.
#include <algorithm>

#include "properties/layout_checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Elements = std::vector<std::vector<std::byte>>;

/// The case with only the elements [first, first + count) of every tensor. All tensors must be
/// vectors.
Case piece_of(const Case& c, std::int64_t first, std::int64_t count) {
  Case piece = c;
  for (const int i : tensor_arguments(c)) {
    Operand& operand = piece.operand(i);
    const std::int64_t size = itemsize(operand.dtype);
    operand.values = {operand.values.begin() + first * size,
                      operand.values.begin() + (first + count) * size};
    operand.sizes = {count};
  }
  return piece;
}

std::int64_t length_of(const Case& c) { return c.operand(tensor_arguments(c)[0]).sizes[0]; }

/// Calls f with the first results of two answers, and then with their second results.
template <class F>
void for_each_result(const Answer& a, const Answer& b, F f) {
  f(a, b);
  if (a.further.size() != b.further.size()) RC_FAIL("other numbers of results");
  for (std::size_t i = 0; i < a.further.size(); ++i) f(a.further[i], b.further[i]);
}

/// Requires that each result of `other` has the elements that `choose` takes of the same result of
/// `whole`.
template <class Choose>
void require_chosen(const std::string& what, const Answer& whole, const Answer& other,
                    Choose choose) {
  if (other.tag != whole.tag) RC_FAIL(what + ": " + to_text(whole) + " and " + to_text(other));
  for_each_result(whole, other, [&](const Answer& a, const Answer& b) {
    require_elements(what, b, choose(elements_of(a)));
  });
}

Finding check_alone(const System& system, const Case& c) {
  const Case spelled = dense(c);
  const Answer whole = system.answer(spelled);
  if (!answered(whole)) return Finding::kVacuous;
  const std::int64_t n = length_of(c);
  for (const std::int64_t at : {std::int64_t{0}, n / 2, n - 1})
    require_chosen("element " + std::to_string(at) + " among others and alone", whole,
                   system.answer(piece_of(spelled, at, 1)), [at](const Elements& elements) {
                     return Elements{elements.at(static_cast<std::size_t>(at))};
                   });
  return Finding::kHolds;
}

Finding check_rotated(const System& system, const Case& c) {
  const Case spelled = dense(c);
  const Answer whole = system.answer(spelled);
  if (!answered(whole)) return Finding::kVacuous;
  const std::int64_t n = length_of(c);
  for (const std::int64_t by : {std::int64_t{1}, n / 3 + 1}) {
    const auto rotate = [by](std::size_t count, auto begin, auto end) {
      std::rotate(begin, begin + by % static_cast<std::int64_t>(count), end);
    };
    Case rotated = spelled;
    for (const int i : tensor_arguments(c)) {
      std::vector<std::byte>& values = rotated.operand(i).values;
      const std::int64_t size = itemsize(rotated.operand(i).dtype);
      std::rotate(values.begin(), values.begin() + by % n * size, values.end());
    }
    require_chosen("rotated by " + std::to_string(by), whole, system.answer(rotated),
                   [&](Elements elements) {
                     rotate(elements.size(), elements.begin(), elements.end());
                     return elements;
                   });
  }
  return Finding::kHolds;
}

Finding check_pieces(const System& system, const Case& c) {
  const Case spelled = dense(c);
  const Answer whole = system.answer(spelled);
  const std::int64_t n = length_of(c), cut = n / 3 + 1;
  if (!answered(whole) || cut >= n) return Finding::kVacuous;
  for (const auto& [first, count] : {std::pair(std::int64_t{0}, cut), std::pair(cut, n - cut)})
    require_chosen("whole and in pieces", whole, system.answer(piece_of(spelled, first, count)),
                   [first = first, count = count](const Elements& elements) {
                     return Elements{elements.begin() + first, elements.begin() + first + count};
                   });
  return Finding::kHolds;
}

/// The elements that a tensor has at these places in row-major order.
Elements at_places(const Elements& elements, const std::vector<std::int64_t>& places) {
  Elements chosen;
  for (const std::int64_t place : places)
    chosen.push_back(elements.at(static_cast<std::size_t>(place)));
  return chosen;
}

/// The case in which each tensor is a view of its own contiguous elements, with these sizes and
/// strides.
Case viewed(const Case& c, const Dims& sizes, const Dims& strides) {
  Case view = c;
  for (const int i : tensor_arguments(c)) view.operand(i) = viewed_as(c, i, sizes, strides);
  return view;
}

/// Requires that the call on views of all operands answers the same view of the result.
Finding require_view(const System& system, const Case& c, const std::string& what,
                     const Dims& sizes, const Dims& strides, std::int64_t offset = 0) {
  Case view = viewed(c, sizes, strides);
  if (offset > 0)
    for (const int i : tensor_arguments(c)) {
      Case rest = c;
      Operand& operand = rest.operand(i);
      operand.values.erase(operand.values.begin(),
                           operand.values.begin() + offset * itemsize(operand.dtype));
      operand.sizes = {element_count(operand) - offset};
      view.operand(i) = viewed_as(rest, i, sizes, strides);
      view.operand(i).offset = offset;
    }
  const Answer whole = system.answer(c);
  if (!answered(whole)) return Finding::kVacuous;
  std::vector<std::int64_t> places = positions_of(sizes, strides);
  for (std::int64_t& place : places) place += offset;
  const Answer answer = system.answer(view);
  require_chosen(what, whole, answer,
                 [&](const Elements& elements) { return at_places(elements, places); });
  if (answer.sizes != sizes) RC_FAIL(what + " has the shape " + to_text(answer.sizes));
  return Finding::kHolds;
}

Finding check_slice(const System& system, const Case& c) {
  const Case spelled = dense(c);
  Dims sizes = c.operand(tensor_arguments(c)[0]).sizes;
  const Dims strides = contiguous_strides(sizes);
  const auto largest = std::max_element(sizes.begin(), sizes.end());
  if (*largest < 2) return Finding::kVacuous;
  const std::int64_t stride = strides[static_cast<std::size_t>(largest - sizes.begin())];
  *largest -= 1;
  return require_view(system, spelled, "a slice", sizes, strides, stride);
}

Finding check_transposed(const System& system, const Case& c) {
  if (names_a_format(c)) return Finding::kVacuous;
  const Case spelled = dense(c);
  Dims sizes = c.operand(tensor_arguments(c)[0]).sizes;
  Dims strides = contiguous_strides(sizes);
  std::reverse(sizes.begin(), sizes.end());
  std::reverse(strides.begin(), strides.end());
  return require_view(system, spelled, "transposed", sizes, strides);
}

Finding check_flattened(const System& system, const Case& c) {
  if (names_a_format(c)) return Finding::kVacuous;
  const Case spelled = dense(c);
  const Dims sizes{numel(c.operand(tensor_arguments(c)[0]).sizes)};
  return require_view(system, spelled, "flattened", sizes, contiguous_strides(sizes));
}

Finding check_zero_dim(const System& system, const Case& c) {
  if (names_a_format(c)) return Finding::kVacuous;
  const Case one = piece_of(dense(c), 0, 1);
  Case zero_dim = one;
  for (const int i : tensor_arguments(c)) zero_dim.operand(i).sizes = {};
  Answer answer = system.answer(zero_dim);
  if (!answered(answer)) return Finding::kVacuous;
  for (Answer* each : {&answer, answer.further.empty() ? nullptr : &answer.further[0]}) {
    if (each == nullptr) continue;
    if (!each->sizes.empty()) RC_FAIL("a zero-dim call answers the shape " + to_text(each->sizes));
    each->sizes = {1};
  }
  require_all_same("zero-dim and of one element", answer, system.answer(one));
  return Finding::kHolds;
}

/// Checks that a call that is refused for its dtypes is refused for empty tensors too.
Finding check_empty(const System& system, const Case& c) {
  const Answer empty = system.answer(c);
  Case filled = c;
  for (const int i : tensor_arguments(c)) {
    Operand& operand = filled.operand(i);
    for (std::int64_t& size : operand.sizes) size = std::max<std::int64_t>(size, 1);
    operand.strides.clear();
  }
  const Answer one = system.answer(filled);
  if (!answered(empty)) {
    if (answered(one)) RC_FAIL("refused where it is empty alone");
    return Finding::kVacuous;
  }
  const Dims shape = broadcast_shape(c).value_or(Dims{});
  if (empty.sizes != shape || !empty.bytes.empty())
    RC_FAIL("an empty call answers " + to_text(empty));
  if (answered(one) && one.dtype != empty.dtype)
    RC_FAIL("empty it answers " + std::string(name(empty.dtype)) + ", else " +
            std::string(name(one.dtype)));
  return Finding::kHolds;
}

/// A case that LibTorch computes in two ways: the first 16 elements by vector code, the last one by
/// scalar code.
constexpr std::string_view kTwoPaths =
    "softshrink(float32[17]{-0.1,-0.1,-0.1,-0.1,-0.1,-0.1,-0.1,-0.1,-0.1,-0.1,-0.1,-0.1,-0.1,-0.1,"
    "-0.1,-0.1,-0.1})";

// Controls.

void spoil_element(Answer& answer, std::int64_t wrong, std::int64_t right) {
  const std::int64_t size = itemsize(answer.dtype);
  const std::int64_t count = static_cast<std::int64_t>(answer.bytes.size()) / size;
  if (answer.tag != Answer::Tag::kTensor || std::max(wrong, right) >= count) return;
  std::copy_n(answer.bytes.begin() + right * size, size, answer.bytes.begin() + wrong * size);
}
void spoil_tail(const Case&, Answer& answer) {
  const std::int64_t n = answer.tag == Answer::Tag::kTensor ? numel(answer.sizes) : 0;
  if (n > 4 && n % 4 != 0) spoil_element(answer, n - 1, 0);
}
void spoil_ninth(const Case&, Answer& answer) { spoil_element(answer, 8, 7); }
void spoil_second_row(const Case&, Answer& answer) {
  if (answer.sizes.size() > 1) spoil_element(answer, 1, 0);
}
void spoil_zero_dim(const Case&, Answer& answer) {
  if (answer.tag == Answer::Tag::kTensor && answer.sizes.empty())
    std::fill(answer.bytes.begin(), answer.bytes.end(), std::byte{0});
}
void default_dtype_where_empty(const Case& c, Answer& answer) {
  if (answer.tag == Answer::Tag::kTensor && numel(answer.sizes) == 0)
    answer.dtype = c.defaults.floating;
}

}  // namespace

std::span<const Property> element_properties() {
  static const std::vector<Property> properties{
      law("AnElementAloneIsTheElementAmongOthers",
          "The first, the middle and the last element of a vector give the same alone.",
          kCallsOfVectors, &check_alone,
          {.what = "the last of the elements after the last full vector is wrong",
           .spoil = &spoil_tail},
          {two_paths(kTwoPaths),
           scalar_divisors("divide.Tensor_mode(uint8[7], float16[7], rounding_mode=\"trunc\")"),
           scalar_factors("multiply.Tensor(float8_e5m2[2], float8_e5m2[2])"),
           unrounded_factors("mul.Tensor(float16[29], int32[29], values=special, seed=3)")}),
      law("RotatedOperandsGiveTheRotatedResult",
          "An element's value does not depend on its place in a vector.", kCallsOfVectors,
          &check_rotated, {.what = "the ninth element is the eighth", .spoil = &spoil_ninth},
          {two_paths(kTwoPaths)}),
      law("PiecesGiveThePiecesOfTheResult",
          "A vector computed in two pieces equals the vector computed as a whole.", kCallsOfVectors,
          &check_pieces, {.what = "the ninth element is the eighth", .spoil = &spoil_ninth},
          {two_paths(kTwoPaths)}),
      law("ASliceOfTheResultIsTheResultOfSlices",
          "Views of the operands without their first row give the result without its first row.",
          kCallsOfOneShape, &check_slice, {.what = "strides are ignored", .spoil = &ignore_layouts},
          {two_paths(kTwoPaths)}),
      law("TransposedOperandsGiveTheTransposedResult",
          "Operands with their dimensions reversed give the result with its dimensions reversed.",
          kCallsOfOneShape, &check_transposed,
          {.what = "strides are ignored", .spoil = &ignore_layouts}),
      law("FlattenedOperandsGiveTheFlattenedResult",
          "The elements do not depend on the number of dimensions.", kCallsOfOneShape,
          &check_flattened,
          {.what = "in two dimensions and more the second element is the first",
           .spoil = &spoil_second_row}),
      law("ZeroDimIsOneElement",
          "Zero-dim tensors alone give the element, and the dtype, of tensors of one element.",
          kCallsOfVectors, &check_zero_dim,
          {.what = "zero-dim results are 0", .spoil = &spoil_zero_dim},
          {{.system = kEverySystem,
            .reason = "masked_fill takes only a value without dimensions",
            .counterexample = "masked_fill.Tensor(bool[1], bool[1], bool[1])",
            .ops = {"masked_fill"},
            .grounds = "witness: the error text of masked_fill, which names the rule"},
           {.system = kEverySystem,
            .reason = "lerp takes a weight of another dtype if it is zero-dim",
            .counterexample = "lerp.Tensor(complex64[1], complex64[1], bool[1])",
            .ops = {"lerp"},
            .grounds = "witness: torch/_meta_registrations.py of PyTorch 2.15.0: only a weight "
                       "with dimensions must have the dtype of self"},
           {.system = kEverySystem,
            .reason = "ldexp computes pow(2, other) with a zero-dim 2 of the dtype of self: if "
                      "other is zero-dim too the wider dtype counts, else the dtype of other",
            .counterexample = "ldexp.Tensor(float64[1], float32[1])",
            .ops = {"ldexp"},
            .grounds = "witness: PyTorch's documentation of ldexp, other * 2 ** exponent, and of "
                       "type promotion"}}),
      law("EmptyOperandsGiveAnEmptyResult",
          "If a size is 0, a call answers no elements, with the broadcast shape and the dtype of "
          "the same call with elements. It is refused only if that call is.",
          kCallsOfEmpty, &check_empty,
          {.what = "an empty result has the default dtype", .spoil = &default_dtype_where_empty},
          {channels("prelu(bfloat16[0], bfloat16[0])")}),
  };
  return properties;
}

}  // namespace upcast::properties
