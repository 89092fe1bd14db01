// Properties of broadcasting: which shapes fit each other, and the resulting shape.
#include <algorithm>

#include "impl/iterator/compute_shape.h"
#include "properties/layout_checks.h"
#include "properties/layout_generators.h"
#include "properties/topics.h"

namespace upcast::properties {
namespace {

using Shape = std::optional<Dims>;

std::string text_of(const Shape& shape) { return shape ? to_text(*shape) : "a refusal"; }

Shape shape_of(const Answer& answer) {
  if (answer.tag != Answer::Tag::kTensor) return std::nullopt;
  return answer.sizes;
}

/// The case with tensors of these shapes instead of its own.
Case reshaped(const Case& c, const std::vector<Dims>& shapes) {
  Case made = c;
  for (std::size_t i = 0; i < shapes.size(); ++i) made.arguments[i].sizes = shapes[i];
  return made;
}

std::vector<Dims> shapes_of(const Case& c) {
  std::vector<Dims> shapes;
  for (const Operand& operand : c.arguments)
    if (operand.tag == Operand::Tag::kTensor) shapes.push_back(operand.sizes);
  return shapes;
}

/// The shape that broadcasting must give. It is computed in another way than by our implementation:
/// at each place from the right, all sizes other than 1 must be equal.
Shape expected_shape(const std::vector<Dims>& shapes) {
  std::size_t rank = 0;
  for (const Dims& shape : shapes) rank = std::max(rank, shape.size());
  Dims result(rank, 1);
  for (std::size_t from_right = 1; from_right <= rank; ++from_right)
    for (const Dims& shape : shapes) {
      if (from_right > shape.size()) continue;
      const std::int64_t size = shape[shape.size() - from_right];
      std::int64_t& chosen = result[rank - from_right];
      if (size == 1) continue;
      if (chosen != 1 && chosen != size) return std::nullopt;
      chosen = size;
    }
  return result;
}

/// The shape to which the system broadcasts two shapes; nothing if it refuses.
Shape broadcast_of(const System& system, const Case& like, const Shape& a, const Shape& b) {
  if (!a || !b) return std::nullopt;
  const Case c =
      call_of("add.Tensor", {tensor(DType::kFloat32, *a), tensor(DType::kFloat32, *b)}, like);
  return shape_of(system.answer(c));
}

void require_shape(const Shape& found, const Shape& expected, const std::string& what) {
  if (found != expected) RC_FAIL(what + " " + text_of(found) + ", not " + text_of(expected));
}

Finding check_commutes(const System& system, const Case& c) {
  const std::vector<Dims> shapes = shapes_of(c);
  require_shape(shape_of(system.answer(reshaped(c, {shapes[1], shapes[0]}))),
                shape_of(system.answer(c)), "exchanged, the operands give");
  return Finding::kHolds;
}

Finding check_associates(const System& system, const Case& c) {
  const std::vector<Dims> s = shapes_of(c);
  if (s.size() != 3) return Finding::kVacuous;
  require_shape(broadcast_of(system, c, broadcast_of(system, c, s[0], s[1]), s[2]),
                broadcast_of(system, c, s[0], broadcast_of(system, c, s[1], s[2])),
                "from the left the shapes give");
  return Finding::kHolds;
}

Finding check_unit(const System& system, const Case& c) {
  const std::vector<Dims> shapes = shapes_of(c);
  require_shape(shape_of(system.answer(reshaped(c, {shapes[0], {}}))), shapes[0],
                "a shape and () give");
  require_shape(shape_of(system.answer(reshaped(c, {{}, shapes[1]}))), shapes[1],
                "() and a shape give");
  return Finding::kHolds;
}

Finding check_idempotent(const System& system, const Case& c) {
  const std::vector<Dims> shapes = shapes_of(c);
  require_shape(shape_of(system.answer(reshaped(c, {shapes[0], shapes[0]}))), shapes[0],
                "a shape and itself give");
  return Finding::kHolds;
}

Finding check_refuses(const System& system, const Case& c) {
  const bool fits = expected_shape(shapes_of(c)).has_value();
  const Answer answer = system.answer(c);
  if (fits == refused(answer))
    RC_FAIL(fits ? "it refuses shapes that fit" : "it takes shapes that do not fit");
  return Finding::kHolds;
}

Finding check_shape(const System& system, const Case& c) {
  const Shape expected = expected_shape(shapes_of(c));
  if (!expected) return Finding::kVacuous;
  require_shape(shape_of(system.answer(c)), expected, "the shapes give");
  return Finding::kHolds;
}

Finding check_pairwise(const System& system, const Case& c) {
  const std::vector<Dims> s = shapes_of(c);
  if (s.size() != 3) return Finding::kVacuous;
  require_shape(shape_of(system.answer(c)),
                broadcast_of(system, c, broadcast_of(system, c, s[0], s[1]), s[2]),
                "three operands give");
  return Finding::kHolds;
}

/// Checks that operands which are expanded beforehand give the same. Zero-dim operands are not
/// expanded, because that would change their kind.
Finding check_expanded(const System& system, const Case& c) {
  const std::optional<Dims> shape = broadcast_shape(c);
  if (!shape) return Finding::kVacuous;
  Case expanded = c;
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    if (operand.sizes.empty()) continue;
    expanded.operand(i) =
        viewed_as(c, i, *shape, broadcast_strides(operand.sizes, strides_of(operand), *shape));
  }
  const Answer answer = system.answer(c);
  require_all_same("broadcast and expanded", answer, system.answer(expanded));
  return finding_of(answer);
}

bool has_text(const Case& c) {
  return std::any_of(c.arguments.begin(), c.arguments.end(),
                     [](const Operand& operand) { return operand.tag == Operand::Tag::kText; });
}

Finding check_leading_ones(const System& system, const Case& c) {
  // With memory_format=channels_last only four dimensions are allowed.
  if (has_text(c)) return Finding::kVacuous;
  Case longer = c;
  std::size_t rank = 0;
  for (const int i : tensor_arguments(c)) rank = std::max(rank, c.operand(i).sizes.size());
  if (rank == 0) return Finding::kVacuous;
  for (const int i : tensor_arguments(c)) {
    const Operand& operand = c.operand(i);
    if (operand.sizes.empty()) continue;
    Dims sizes = operand.sizes, strides = strides_of(operand);
    sizes.insert(sizes.begin(), rank + 1 - sizes.size(), 1);
    strides.insert(strides.begin(), sizes.size() - strides.size(), numel(operand.sizes));
    longer.operand(i) = viewed_as(c, i, sizes, strides);
  }
  Answer answer = system.answer(c);
  if (!answered(answer)) return Finding::kVacuous;
  for (Answer* each : {&answer, answer.further.empty() ? nullptr : &answer.further[0]})
    if (each != nullptr) each->sizes.insert(each->sizes.begin(), 1);
  require_all_same("with a leading 1", system.answer(longer), answer);
  return Finding::kHolds;
}

Finding check_in_place(const System& system, const Case& c) {
  const std::vector<Dims> shapes = shapes_of(c);
  const Case in_place = call_of(
      "add_.Tensor", {tensor(DType::kFloat32, shapes[0]), tensor(DType::kFloat32, shapes[1])}, c);
  const bool fits = expected_shape(shapes) == shapes[0];
  require_shape(shape_of(system.answer(in_place)), fits ? Shape(shapes[0]) : std::nullopt,
                "in place the shapes give");
  return Finding::kHolds;
}

// Controls.

bool is_tensor(const Answer& answer) { return answer.tag == Answer::Tag::kTensor; }

void expand_only_the_second(const Case& c, Answer& answer) {
  if (is_tensor(answer) && answer.sizes != c.arguments[0].sizes) refuse(answer);
}
void refuse_longer_second(const Case& c, Answer& answer) {
  if (c.arguments[1].sizes.size() > c.arguments[0].sizes.size()) refuse(answer);
}
void add_dimension_to_zero_dim(const Case& c, Answer& answer) {
  const std::vector<Dims> shapes = shapes_of(c);
  if (is_tensor(answer) && std::find(shapes.begin(), shapes.end(), Dims{}) != shapes.end())
    answer.sizes.insert(answer.sizes.begin(), 1);
}
void refuse_empty(const Case&, Answer& answer) {
  if (is_tensor(answer) && numel(answer.sizes) == 0) refuse(answer);
}
void drop_leading_ones(const Case&, Answer& answer) {
  while (is_tensor(answer) && answer.sizes.size() > 1 && answer.sizes[0] == 1)
    answer.sizes.erase(answer.sizes.begin());
}
void expand_not_the_third(const Case& c, Answer& answer) {
  const std::vector<Dims> shapes = shapes_of(c);
  if (is_tensor(answer) && shapes.size() == 3 && answer.sizes != shapes[2]) refuse(answer);
}
void grow_in_place(const Case& c, Answer& answer) {
  if (c.form == Form::kInPlace && refused(answer))
    answer = our_answer(in_form(c, Form::kFunctional));
}

}  // namespace

std::span<const Property> broadcast_properties() {
  static const std::vector<Property> properties{
      law("BroadcastingIsCommutative",
          "Two shapes broadcast to the same shape, or are refused, in both orders.", kShapePairs,
          &check_commutes,
          {.what = "only the second operand is expanded", .spoil = &expand_only_the_second}),
      law("BroadcastingIsAssociative",
          "Three shapes broadcast to the same shape, or are refused, from the left and from the "
          "right.",
          kShapeTriples, &check_associates,
          {.what = "a second operand with more dimensions is refused",
           .spoil = &refuse_longer_second}),
      law("ZeroDimIsTheUnitOfBroadcasting", "A shape broadcast with () is that shape.", kShapePairs,
          &check_unit,
          {.what = "a zero-dim operand adds a dimension", .spoil = &add_dimension_to_zero_dim}),
      law("BroadcastingIsIdempotent", "A shape broadcast with itself is that shape.", kShapePairs,
          &check_idempotent,
          {.what = "leading sizes of 1 are dropped", .spoil = &drop_leading_ones}),
      law("BroadcastingRefusesExactlyUnequalSizes",
          "Shapes are refused exactly where two sizes, counted from the right, are unequal and "
          "neither is 1.",
          kShapePairs, &check_refuses,
          {.what = "a size of 0 fits nothing", .spoil = &refuse_empty}),
      law("BroadcastSizesAreThoseThatAreNotOne",
          "Each size of the result is the operands' size that is not 1, or 1 if all are 1.",
          kShapeTriples, &check_shape,
          {.what = "leading sizes of 1 are dropped", .spoil = &drop_leading_ones}, {}, 30),
      law("ThreeOperandsBroadcastPairByPair",
          "The shape for three operands is that of the first two, broadcast with the third.",
          kShapeTriples, &check_pairwise,
          {.what = "the third operand is not expanded", .spoil = &expand_not_the_third}),
      law("ExpandingIsBroadcasting",
          "An operand that is broadcast gives the result of its view with stride 0 in the shape of "
          "the result.",
          kCallsThatBroadcast, &check_expanded,
          {.what = "strides are ignored", .spoil = &ignore_layouts},
          {{.system = kEverySystem,
            .reason = "copy broadcasts its source alone",
            .counterexample = "copy(bool[1], bool[2])",
            .ops = {"copy"},
            .grounds =
                "witness: PyTorch's documentation of copy_: src must be broadcastable with self"},
           two_paths(""),
           channels("prelu(float64[1,1], float64[1])")}),
      law("LeadingSizesOfOneChangeNothing",
          "Operands with one more leading dimension of size 1 give the same elements, with that "
          "dimension.",
          kCallsThatBroadcast, &check_leading_ones,
          {.what = "leading sizes of 1 are dropped", .spoil = &drop_leading_ones},
          {channels("prelu(float16[1], float16[1])")}),
      law("InPlaceNeverGrows",
          "In place, shapes are taken exactly where they broadcast to the shape of self.",
          kShapePairs, &check_in_place,
          {.what = "in place the result grows", .spoil = &grow_in_place}),
  };
  return properties;
}

}  // namespace upcast::properties
