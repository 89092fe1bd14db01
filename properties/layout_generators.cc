#include "properties/layout_generators.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cases/draw/call.h"
#include "oracle/case_call.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

Case draw_broadcast_call(Draw& draw) {
  Case c = draw_plain(draw, {}, draw_shape(draw, 0, 4));
  broadcast_inputs(draw, c);
  lay_out_inputs(draw, c, Layout::kAny);
  return c;
}

Case draw_vectors(Draw& draw) {
  return draw_plain(draw, {}, {draw.chance(15) ? draw.between(100, 300) : draw.between(1, 70)});
}

Case draw_one_shape(Draw& draw) { return draw_plain(draw, {}, draw_shape(draw, 1, 4, false)); }

template <Layout layout>
Case draw_laid_out(Draw& draw) {
  constexpr bool kRankFour = layout == Layout::kChannelsLast;
  constexpr int kLeastRank = layout == Layout::kPermuted ? 2 : layout == Layout::kOffset ? 0 : 1;
  Case c = draw_plain(draw, {}, draw_shape(draw, kRankFour ? 4 : kLeastRank, 4));
  if (!kRankFour && draw.chance(30)) broadcast_inputs(draw, c);
  lay_out_inputs(draw, c, layout);
  return c;
}

bool is_mask(const Case& c, int position) {
  return c.op->spec->is_mask(c.schema().parameters[static_cast<std::size_t>(position)].name);
}

/// Draws a call whose first tensor has storage of its own. The other tensors are views of that
/// storage.
Case draw_sharing_call(Draw& draw) {
  Case c = draw_plain(draw, {.left_out = of_shared_storage()}, draw_shape(draw, 1, 3, false));
  const std::vector<int> tensors = tensor_arguments(c);
  lay_out(draw, c.operand(tensors[0]), draw.chance(50) ? Layout::kContiguous : Layout::kGaps);
  const DType dtype = c.operand(tensors[0]).dtype;
  for (std::size_t i = 1; i < tensors.size(); ++i) {
    Operand& operand = c.operand(tensors[i]);
    if (is_mask(c, tensors[i]) != is_mask(c, tensors[0])) continue;
    lay_out(draw, operand, draw.chance(50) ? Layout::kAny : Layout::kOffset);
    operand.dtype = dtype;
    operand.shares = tensors[0];
  }
  return c;
}

Case draw_one_layout(Draw& draw) {
  Case c = draw_plain(draw, {}, draw_shape(draw, 1, 4, false));
  const std::vector<int> tensors = tensor_arguments(c);
  if (tensors.empty()) return c;
  const Dims strides = draw_dense_strides(draw, c.operand(tensors[0]).sizes);
  for (const int i : tensors) set_strides(c.operand(i), strides);
  return c;
}

Case draw_channels_last(Draw& draw) {
  Case c = draw_plain(draw, {}, draw_shape(draw, 4, 4, false));
  for (const int i : tensor_arguments(c)) lay_out(draw, c.operand(i), Layout::kChannelsLast);
  return c;
}

Case draw_empty(Draw& draw) {
  Dims sizes = draw_shape(draw, 1, 4);
  sizes[static_cast<std::size_t>(draw.below(static_cast<int>(sizes.size())))] = 0;
  Case c = draw_plain(draw, {}, sizes);
  lay_out_inputs(draw, c, Layout::kAny);
  return c;
}

/// Gives an output a layout without expanded dimensions and without overlap.
void lay_out_output(Draw& draw, Operand& out) {
  constexpr std::array<Layout, 4> kLayouts{Layout::kContiguous, Layout::kPermuted, Layout::kGaps,
                                           Layout::kOffset};
  lay_out(draw, out, draw.from(kLayouts));
}

/// The dtype of a functional call's result; float32 if the call is refused.
DType result_dtype(const Case& functional) {
  const Outcome<Promoted> promoted = promote_case(functional);
  return promoted.ok() && promoted.value().result != DType::kUndefined ? promoted.value().result
                                                                       : DType::kFloat32;
}

Case draw_in_place(Draw& draw) {
  Case c = draw_plain(draw, {.form = Form::kInPlace}, draw_shape(draw, 0, 4));
  const int written = written_position(c);
  broadcast_inputs(draw, c, written);
  lay_out_inputs(draw, c, Layout::kAny, written);
  lay_out_output(draw, c.operand(written));
  return c;
}

/// Draws an out= call with a contiguous out, whose other arguments are those of a functional call.
Case draw_plain_out(Draw& draw, const LayoutWish& wish, const Dims& sizes) {
  Case c = draw_plain(draw, wish, sizes);
  if (draw.chance(40)) broadcast_inputs(draw, c);
  const DType exact = result_dtype(in_form(c, Form::kFunctional));
  set_out(c,
          tensor(draw.chance(60) ? exact : draw_dtype(draw), broadcast_shape(c).value_or(sizes)));
  return c;
}

Case draw_out(Draw& draw) {
  Case c = draw_plain_out(draw, {.form = Form::kOut}, draw_shape(draw, 0, 4));
  lay_out_inputs(draw, c, Layout::kAny);
  lay_out_output(draw, c.out);
  return c;
}

Case draw_resizing(Draw& draw) {
  Case c = draw_plain_out(draw, {.form = Form::kOut}, draw_shape(draw, 0, 3));
  lay_out_inputs(draw, c, draw.chance(50) ? Layout::kContiguous : Layout::kPermuted);
  const Dims fits = c.out.sizes;
  c.out.sizes = draw.chance(40) ? Dims{0} : draw_shape(draw, 0, 3);
  if (c.out.sizes == fits) c.out.sizes.push_back(2);
  lay_out_output(draw, c.out);
  return c;
}

/// Two operands of one dtype that can share storage, and are no masks: the written one, and an
/// input.
struct Pair {
  Operand* written;
  Operand* met;
  int met_position;
};
std::optional<Pair> pair_of(Draw& draw, Case& c) {
  std::vector<int> inputs = tensor_arguments(c);
  const int written = output_position(c);
  std::erase(inputs, written);
  std::erase_if(inputs, [&c](int i) { return is_mask(c, i); });
  if (inputs.empty()) return std::nullopt;
  const int met = draw.from(inputs);
  return Pair{&c.operand(written), &c.operand(met), met};
}

/// Draws a call that writes. Its written operand and one input have one dtype.
template <auto Arrange>
Case draw_overlap(Draw& draw) {
  for (;;) {
    const Form form = draw.chance(40) ? Form::kInPlace : Form::kOut;
    const Dims sizes = draw_shape(draw, 1, 3, false);
    Case c = draw_plain(draw, {.form = form, .left_out = of_checked_overlap()}, sizes);
    if (form == Form::kOut) set_out(c, tensor(result_dtype(in_form(c, Form::kFunctional)), sizes));
    const std::optional<Pair> pair = pair_of(draw, c);
    if (!pair) continue;
    pair->met->dtype = pair->written->dtype;
    if (Arrange(draw, c, *pair)) return c;
  }
}

/// Makes both operands of a pair share storage. The one with the lower argument number owns it. An
/// out never does.
void share(Case& c, const Pair& pair) {
  if (c.form == Form::kOut || written_position(c) > pair.met_position)
    pair.written->shares = pair.met_position;
  else
    pair.met->shares = written_position(c);
}

bool arrange_partial(Draw& draw, Case& c, const Pair& pair) {
  const std::int64_t count = element_count(*pair.met);
  if (count < 2) return false;
  Operand& moved = draw.chance(50) ? *pair.met : *pair.written;
  // A view of the whole operand, with its dimensions in another order.
  if (draw.chance(25) && moved.sizes.size() > 1) {
    set_strides(moved, draw_dense_strides(draw, moved.sizes));
    const Dims strides = moved.strides;
    bool differs = false;
    for (std::size_t d = 0; d < strides.size(); ++d)
      differs = differs || (moved.sizes[d] > 1 && strides[d] != contiguous_strides(moved.sizes)[d]);
    if (!differs) return false;
  } else {
    moved.offset = draw.between(1, static_cast<int>(std::min<std::int64_t>(count - 1, 9)));
  }
  share(c, pair);
  return true;
}

/// Makes the written operand the same view as the input of the pair, dense or not.
bool arrange_same(Draw& draw, Case& c, const Pair& pair) {
  lay_out_output(draw, *pair.met);
  pair.written->strides = pair.met->strides;
  pair.written->offset = pair.met->offset;
  share(c, pair);
  return true;
}

bool arrange_interleaved(Draw& draw, Case& c, const Pair& pair) {
  const Dims strides = times(contiguous_strides(pair.met->sizes), 2);
  const bool after = draw.chance(30);
  for (Operand* operand : {pair.met, pair.written})
    if (!after) set_strides(*operand, strides);
  Operand& second = draw.chance(50) ? *pair.met : *pair.written;
  second.offset = after ? element_count(*pair.met) + draw.below(3) : 1;
  share(c, pair);
  return true;
}

bool arrange_internal(Draw& draw, Case&, const Pair& pair) {
  Operand& written = *pair.written;
  std::vector<std::size_t> several;
  for (std::size_t d = 0; d < written.sizes.size(); ++d)
    if (written.sizes[d] > 1) several.push_back(d);
  if (several.empty()) return false;
  const std::size_t repeated = draw.from(several);
  Dims once = written.sizes;
  once[repeated] = 1;
  Dims strides = draw_dense_strides(draw, once);
  strides[repeated] = 0;
  set_strides(written, std::move(strides));
  return true;
}

/// Draws a call that is refused: its result cannot be cast to the written dtype, or its shapes do
/// not fit.
Case draw_refused(Draw& draw) {
  Case c = draw.chance(50) ? draw_in_place(draw) : draw_out(draw);
  Operand& written = c.operand(output_position(c));
  if (draw.chance(60)) {
    written.dtype = draw.chance(70) ? DType::kBool : DType::kInt32;
    written.values.clear();
    return c;
  }
  const int i = draw.from(tensor_arguments(c));
  if (c.form == Form::kInPlace && i == written_position(c)) return c;
  c.operand(i) = tensor(c.operand(i).dtype, {7, 11});
  return c;
}

Case draw_empty_output(Draw& draw) {
  const Form form = draw.chance(50) ? Form::kInPlace : Form::kOut;
  Dims sizes = draw_shape(draw, 1, 4);
  sizes[static_cast<std::size_t>(draw.below(static_cast<int>(sizes.size())))] = 0;
  Case c = draw_plain(draw, {.form = form}, sizes);
  if (form == Form::kOut) set_out(c, tensor(result_dtype(in_form(c, Form::kFunctional)), sizes));
  lay_out(draw, c.operand(output_position(c)), Layout::kOffset);
  return c;
}

Case draw_plan_call(Draw& draw) {
  const int form = draw.below(4);
  Case c = form == 0   ? draw_in_place(draw)
           : form == 1 ? draw_out(draw)
           : form == 2 ? draw_one_layout(draw)
                       : draw_broadcast_call(draw);
  c.seed = static_cast<std::uint64_t>(draw.below(3000));
  return c;
}

Case draw_exact(Draw& draw) {
  Case c = draw_plain(draw, {.left_out = of_exact_results()}, draw_shape(draw, 0, 4));
  if (draw.chance(40)) broadcast_inputs(draw, c);
  lay_out_inputs(draw, c, Layout::kAny);
  return c;
}

/// Lengths of operands for which an engine uses several threads.
constexpr std::array<std::int64_t, 4> kLengths{131072, 131073, 200001, 262147};

Case draw_long(Draw& draw) {
  const std::int64_t length = draw.from(kLengths);
  Case c = draw_plain(draw, {.left_out = of_exact_results()}, {length});
  for (const int i : tensor_arguments(c)) {
    Operand& operand = c.operand(i);
    const int how = draw.below(10);
    if (how < 2 && i != tensor_arguments(c)[0]) operand.sizes = {};
    if (how == 2) operand.strides = {2};
    if (how == 3) operand.strides = {0};
  }
  return c;
}

constexpr Callables<8> kPairOps{
    "add.Tensor", "mul.Tensor",      "maximum",     "eq.Tensor",
    "atan2",      "copysign.Tensor", "logical_and", "bitwise_and.Tensor"};
constexpr Callables<4> kTripleOps{"where.self", "addcmul", "clamp.Tensor", "lerp.Tensor"};

/// Gives operands shapes that fit each other in two of three examples.
void set_shapes(Draw& draw, Case& c) {
  const Dims whole = draw_shape(draw, 0, 4);
  for (Operand& operand : c.arguments) {
    if (operand.tag != Tag::kTensor) continue;
    operand.sizes = draw.chance(70) ? draw_role(draw, whole) : whole;
    if (!operand.sizes.empty() && draw.chance(20))
      operand.sizes[static_cast<std::size_t>(draw.below(static_cast<int>(operand.sizes.size())))] =
          draw.below(4);
  }
}

/// The dtype of an operand in examples about shapes: bool for a mask, float32 if the op has a
/// kernel for it, else int32.
DType shaped_dtype(const Case& c, int position) {
  if (is_mask(c, position)) return DType::kBool;
  return c.op->spec->dtypes.contains(DType::kFloat32) ? DType::kFloat32 : DType::kInt32;
}

Case draw_shape_pair(Draw& draw) {
  Case c = case_of(draw.from(kPairOps));
  c.arguments[0] = c.arguments[1] = tensor(shaped_dtype(c, 0), {});
  set_shapes(draw, c);
  return c;
}

Case draw_shape_triple(Draw& draw) {
  Case c = case_of(draw.from(kTripleOps));
  for (int i = 0; i < 3; ++i) c.operand(i) = tensor(shaped_dtype(c, i), {});
  set_shapes(draw, c);
  return c;
}

// Functions that tell which cases shrinking may try.

/// Whether a case still has all tensor operands that were drawn, in their dtypes.
bool has_all_shapes(const Case& c) {
  for (std::size_t i = 0; i < c.schema().parameters.size(); ++i) {
    const Parameter& parameter = c.schema().parameters[i];
    if (!is_tensor(parameter)) continue;
    if (c.arguments[i].tag != Tag::kTensor ||
        c.arguments[i].dtype != shaped_dtype(c, static_cast<int>(i)))
      return false;
  }
  return true;
}

/// Whether the call is functional and all tensors have one shape.
bool has_one_shape(const Case& c) {
  const std::vector<int> tensors = tensor_arguments(c);
  return is_functional(c) && !tensors.empty() &&
         std::all_of(tensors.begin(), tensors.end(),
                     [&](int i) { return c.operand(i).sizes == c.operand(tensors[0]).sizes; });
}
bool has_dense_operands(const Case& c) {
  for (const int i : tensor_arguments(c))
    if (!c.operand(i).strides.empty() || c.operand(i).offset != 0) return false;
  return has_one_shape(c);
}
bool has_vectors(const Case& c) {
  return has_dense_operands(c) && c.operand(tensor_arguments(c)[0]).sizes.size() == 1;
}
bool is_empty_call(const Case& c) {
  return is_functional(c) && numel(broadcast_shape(c).value_or(Dims{1})) == 0;
}
bool fits_out(const Case& c) { return is_out(c) && c.out.sizes == broadcast_shape(c); }
bool resizes_out(const Case& c) { return is_out(c) && c.out.sizes != broadcast_shape(c); }
bool is_long(const Case& c) {
  const std::int64_t length = numel(broadcast_shape(c).value_or(Dims{}));
  return std::find(kLengths.begin(), kLengths.end(), length) != kLengths.end();
}
bool fits_in_place(const Case& c) {
  return is_in_place(c) && c.operand(written_position(c)).sizes == broadcast_shape(c);
}

template <Layout layout>
Generator calls_with(std::string_view name, const Demand& layouts) {
  return {name, &draw_laid_out<layout>, &is_functional, {layouts}, of_layouts()};
}
template <auto Arrange>
Generator overlaps(std::string_view name, const Demand& layouts) {
  return {name, &draw_overlap<Arrange>, nullptr, {layouts, {"form", 2, 20}}, of_checked_overlap()};
}

}  // namespace

const Generator kShapePairs{"pairs of shapes", &draw_shape_pair, &has_all_shapes, {{"rank", 5, 8}}};
const Generator kShapeTriples{
    "triples of shapes", &draw_shape_triple, &has_all_shapes, {{"rank", 5, 8}}};
const Generator kCallsThatBroadcast{"calls that broadcast",
                                    &draw_broadcast_call,
                                    &is_functional,
                                    {{"dtype", 12, 4},
                                     {"rank", 5, 15},
                                     {"layout", 5, 2},
                                     {"op", 100, 0.1},
                                     {"arity", 3, 5},
                                     {"value", 6, 3}},
                                    of_layouts()};
const Generator kCallsOfVectors{"calls of vectors",
                                &draw_vectors,
                                &has_vectors,
                                {{"dtype", 12, 4}, {"op", 100, 0.1}, {"value", 8, 6}},
                                of_layouts()};
const Generator kCallsOfOneShape{
    "calls of one shape", &draw_one_shape, &has_dense_operands, {{"rank", 4, 10}}, of_layouts()};
const Generator kCallsWithPermuted =
    calls_with<Layout::kPermuted>("calls with permuted operands", {"layout", 1, 50});
const Generator kCallsWithGaps = calls_with<Layout::kGaps>("calls with gaps", {"layout", 3, 30});
const Generator kCallsWithExpanded =
    calls_with<Layout::kExpanded>("calls with expanded operands", {"layout", 2, 25});
const Generator kCallsWithChannelsLast =
    calls_with<Layout::kChannelsLast>("calls with channels last", {"layout", 2, 15});
const Generator kCallsWithOverlapping =
    calls_with<Layout::kOverlapping>("calls with overlapping operands", {"layout", 2, 30});
const Generator kCallsWithOffset =
    calls_with<Layout::kOffset>("calls with offset views", {"layout", 2, 40});
const Generator kCallsThatShare{"calls that share storage",
                                &draw_sharing_call,
                                &is_functional,
                                {{"layout", 4, 20}},
                                of_shared_storage()};
const Generator kCallsOfOneLayout{
    "calls of one layout", &draw_one_layout, &is_functional, {{"rank", 4, 10}}, of_layouts()};
const Generator kCallsOfChannelsLast{"calls of channels last",
                                     &draw_channels_last,
                                     &is_functional,
                                     {{"layout", 1, 70}},
                                     of_layouts()};
const Generator kCallsOfEmpty{"calls of empty tensors",
                              &draw_empty,
                              &is_empty_call,
                              {{"layout", 1, 90}, {"rank", 4, 10}},
                              of_layouts()};
const Generator kInPlaceCalls{"layouts in place",
                              &draw_in_place,
                              &fits_in_place,
                              {{"dtype", 12, 3}, {"rank", 5, 10}, {"layout", 5, 2}},
                              of_layouts()};
const Generator kOutCalls{"layouts with out",
                          &draw_out,
                          &fits_out,
                          {{"dtype", 12, 3}, {"rank", 5, 10}, {"layout", 5, 2}},
                          of_layouts()};
const Generator kResizingCalls{
    "calls that resize out", &draw_resizing, &resizes_out, {{"rank", 4, 10}}, of_layouts()};
const Generator kPartialOverlaps =
    overlaps<&arrange_partial>("partial overlaps", {"layout", 3, 20});
const Generator kInternalOverlaps =
    overlaps<&arrange_internal>("internal overlaps", {"layout", 2, 50});
const Generator kInterleaved =
    overlaps<&arrange_interleaved>("interleaved views", {"layout", 4, 40});
const Generator kSameViews = overlaps<&arrange_same>("outputs that are inputs", {"layout", 4, 15});
const Generator kRefusedCalls{"calls that are refused",
                              &draw_refused,
                              nullptr,
                              {{"form", 2, 20}, {"rank", 4, 10}},
                              of_layouts()};
const Generator kEmptyOutputs{"empty outputs",
                              &draw_empty_output,
                              nullptr,
                              {{"form", 2, 20}, {"layout", 2, 50}},
                              of_layouts()};
const Generator kPlanCalls{"calls with plans",
                           &draw_plan_call,
                           nullptr,
                           {{"form", 3, 15}, {"rank", 5, 10}, {"layout", 5, 2}},
                           of_layouts()};
const Generator kExactCalls{"calls of exact ops",
                            &draw_exact,
                            &is_functional,
                            {{"dtype", 12, 4}, {"rank", 5, 10}},
                            of_exact_results()};
const Generator kLongCalls{
    "long calls", &draw_long, &is_long, {{"dtype", 12, 1}}, of_exact_results()};

}  // namespace upcast::properties
