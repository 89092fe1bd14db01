#include "properties/generators.h"

#include <array>

#include "cases/draw/elements.h"
#include "impl/core/error.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

Operand dtype_operand(DType dtype) { return {.tag = Tag::kDType, .dtype = dtype}; }

/// Draws a default dtype: float32 half of the time, else float64, float16 or bfloat16.
DType draw_default(Draw& draw) {
  constexpr std::array<DType, 6> kChoices{DType::kFloat32, DType::kFloat32, DType::kFloat32,
                                          DType::kFloat64, DType::kFloat16, DType::kBFloat16};
  return draw.from(kChoices);
}

/// Draws an operand for promotion: a tensor with one element, zero-dim or [1], a wrapped number or,
/// seldom, an undefined tensor.
Operand draw_promotion_operand(Draw& draw) {
  const int kind = draw.below(100);
  if (kind < 40) return tensor(draw_dtype(draw), {1});
  if (kind < 67) return tensor(draw_dtype(draw), {});
  if (kind < 94) return draw_number(draw);
  return {.tag = Tag::kUndefined};
}

Case draw_dtype_pair(Draw& draw) {
  Case c = case_of("promote_types");
  c.arguments = {dtype_operand(draw_dtype(draw, true)), dtype_operand(draw_dtype(draw, true))};
  return c;
}

template <const DTypeSet& kSet>
Case draw_pair_of(Draw& draw) {
  Case c = case_of("promote_types");
  c.arguments = {dtype_operand(draw.from(kSet)), dtype_operand(draw.from(kSet))};
  return c;
}
template <Category kCategory>
bool is_pair_of(const Case& c) {
  return category(c.arguments[0].dtype) == kCategory && category(c.arguments[1].dtype) == kCategory;
}

Case draw_tensor_and_number(Draw& draw) {
  Case c = case_of("clamp.Tensor");
  c.arguments[0] = tensor(draw_dtype(draw), draw.chance(50) ? Dims{1} : Dims{});
  c.arguments[1] = draw_number(draw);
  c.arguments[2] = {.tag = Tag::kNone};
  c.defaults.floating = draw_default(draw);
  return c;
}
bool is_tensor_and_number(const Case& c) {
  return c.arguments[0].tag == Tag::kTensor && c.arguments[1].tag == Tag::kNumber;
}

Case draw_tensors_of_both_kinds(Draw& draw) {
  Case c = case_of("clamp.Tensor");
  c.arguments[0] = tensor(draw_dtype(draw), {1});
  c.arguments[1] = tensor(draw_dtype(draw), {});
  c.arguments[2] = {.tag = Tag::kNone};
  if (draw.chance(30))
    c.arguments[2] = tensor(draw_dtype(draw), draw.chance(50) ? Dims{1} : Dims{});
  c.defaults.floating = draw_default(draw);
  return c;
}
bool is_two_tensors(const Case& c) {
  return c.arguments[0].tag == Tag::kTensor && c.arguments[1].tag == Tag::kTensor;
}

Case draw_cast(Draw& draw) {
  Case c = case_of("can_cast");
  c.arguments = {dtype_operand(draw_dtype(draw, true)), dtype_operand(draw_dtype(draw, true))};
  return c;
}

Case draw_dtype_triple(Draw& draw) {
  Case c = case_of("clamp.Tensor");
  for (Operand& operand : c.arguments) operand = tensor(draw_dtype(draw), {1});
  return c;
}

Case draw_operand_list(Draw& draw) {
  Case c = case_of("clamp.Tensor");
  const int count = draw.size() < 10 ? draw.between(1, 2) : draw.chance(80) ? 3 : 2;
  for (int i = 0; i < 3; ++i)
    c.arguments[static_cast<std::size_t>(i)] =
        i < count ? draw_promotion_operand(draw) : Operand{.tag = Tag::kNone};
  c.defaults.floating = draw_default(draw);
  return c;
}

bool has_three_tensors(const Case& c) {
  return c.arguments[1].tag == Tag::kTensor && c.arguments[2].tag == Tag::kTensor;
}

}  // namespace

Case case_of(std::string_view callable) {
  const FoundOp found = find_callable(callable);
  check(found.op != nullptr, "case_of: a callable of the catalogue");
  return upcast::case_of(found);
}

DType draw_dtype(Draw& draw, bool any) {
  if (any && draw.chance(25)) return dtype_from_code(draw.below(kDTypeCount - 1));
  // In most examples only dtypes that promote with each other are drawn, so that most examples are
  // not refused.
  return draw.from(draw.chance(70) ? kElementwise - kUnsigned - kFloat8s : kElementwise);
}

Operand draw_number(Draw& draw) {
  return number(upcast::draw_number(draw, draw.from({Category::kBool, Category::kIntegral,
                                                     Category::kFloating, Category::kComplex})));
}

TypedOperand typed_operand(const Operand& operand) {
  if (operand.tag == Tag::kNumber) return {operand.number.dtype(), Kind::kWrapped};
  if (operand.tag == Tag::kTensor)
    return {operand.dtype, operand.sizes.empty() ? Kind::kZeroDim : Kind::kDim};
  return {};
}

std::vector<TypedOperand> typed_operands(const Case& c) {
  std::vector<TypedOperand> operands;
  for (const Operand& operand : c.arguments)
    if (operand.tag == Tag::kTensor || operand.tag == Tag::kNumber ||
        operand.tag == Tag::kUndefined)
      operands.push_back(typed_operand(operand));
  return operands;
}

const Generator kDTypePairs{
    "pairs of dtypes", &draw_dtype_pair, nullptr, {{"dtype", 22, 1.5}, {"dtype", 46, 0.2}}};
const Generator kIntegralPairs{"pairs of integral dtypes",
                               &draw_pair_of<kIntegers>,
                               &is_pair_of<Category::kIntegral>,
                               {{"dtype", 5, 30}}};
const Generator kComplexPairs{"pairs of complex dtypes",
                              &draw_pair_of<kComplexes>,
                              &is_pair_of<Category::kComplex>,
                              {{"dtype", 4, 35}}};
const Generator kTensorsAndNumbers{
    "tensors and numbers",
    &draw_tensor_and_number,
    &is_tensor_and_number,
    {{"dtype", 22, 0.2}, {"number", 4, 20}, {"kind", 2, 40}, {"default", 4, 10}}};
const Generator kTensorsOfBothKinds{
    "tensors of both kinds",
    &draw_tensors_of_both_kinds,
    &is_two_tensors,
    {{"dtype", 22, 1}, {"kind", 2, 95}, {"default", 4, 10}, {"arity", 2, 20}}};
const Generator kCasts{
    "casts", &draw_cast, nullptr, {{"dtype", 22, 1.5}, {"dtype", 46, 0.2}, {"category", 4, 5}}};
const Generator kDTypeTriples{
    "triples of dtypes", &draw_dtype_triple, &has_three_tensors, {{"dtype", 22, 2}}};
const Generator kOperandLists{"lists of operands",
                              &draw_operand_list,
                              nullptr,
                              {{"dtype", 22, 1.5},
                               {"kind", 4, 8},
                               {"number", 4, 8},
                               {"default", 4, 10},

                               {"arity", 3, 5}}};

}  // namespace upcast::properties
