#include "properties/layout_draw.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cases/draw/call.h"
#include "impl/tensor/memory_format.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

/// The callables of a form that properties of layouts do not leave out.
const std::vector<Callable>& callables(Form form) {
  static const std::array<std::vector<Callable>, 3> all = [] {
    std::array<std::vector<Callable>, 3> made;
    for_each_callable([&made](const Op& op, int overload, Form each) {
      if (!is_left_out(of_layouts(), op, overload, each))
        made[static_cast<std::size_t>(each)].push_back(
            {&op, overload, op.spec->has_layouts_of_interest});
    });
    return made;
  }();
  return all[static_cast<std::size_t>(form)];
}

const Callable& draw_callable(Draw& draw, const LayoutWish& wish) {
  const std::vector<Callable>& all = callables(wish.form);
  const bool varied = draw.chance(50);
  for (;;) {
    const Callable& callable = draw.from(all);
    if (is_left_out(wish.left_out, *callable.op, callable.overload, wish.form)) continue;
    if (varied && !callable.varied && !draw.chance(2)) continue;
    return callable;
  }
}

Dims draw_strides_with_gaps(Draw& draw, const Dims& sizes) {
  Dims wide = sizes;
  for (std::int64_t& size : wide) size = std::max<std::int64_t>(size, 1) + draw.below(3);
  return times(draw_dense_strides(draw, wide), draw.between(1, 3));
}

}  // namespace

Dims draw_shape(Draw& draw, int least_rank, int most_rank, bool with_empty) {
  const int rank = draw.between(least_rank, most_rank);
  if (rank == 1 && draw.chance(60)) return {draw.between(1, 70)};
  constexpr std::array<std::int64_t, 9> kSizes{2, 3, 2, 3, 4, 1, 5, 2, 3};
  Dims sizes;
  for (int d = 0; d < rank; ++d) sizes.push_back(draw.from(kSizes));
  while (numel(sizes) > 200) *std::max_element(sizes.begin(), sizes.end()) = 1;
  if (with_empty && rank > 0 && draw.chance(5))
    sizes[static_cast<std::size_t>(draw.below(rank))] = 0;
  return sizes;
}

void lay_out(Draw& draw, Operand& operand, Layout layout) {
  const Dims& sizes = operand.sizes;
  switch (layout) {
    case Layout::kContiguous:
      break;
    case Layout::kPermuted:
      set_strides(operand, draw_dense_strides(draw, sizes));
      break;
    case Layout::kGaps:
      set_strides(operand, draw_strides_with_gaps(draw, sizes));
      operand.offset = draw.below(4);
      break;
    case Layout::kExpanded: {
      Dims repeated = sizes;
      for (std::int64_t& size : repeated)
        if (draw.chance(50)) size = 1;
      if (!sizes.empty() && repeated == sizes) repeated[0] = 1;
      Dims strides = draw_dense_strides(draw, repeated);
      for (std::size_t d = 0; d < sizes.size(); ++d)
        if (repeated[d] != sizes[d]) strides[d] = 0;
      set_strides(operand, std::move(strides));
      break;
    }
    case Layout::kChannelsLast:
      if (sizes.size() == 4) set_strides(operand, channels_last_strides(sizes));
      break;
    case Layout::kOverlapping: {
      Dims strides;
      for (std::size_t d = 0; d < sizes.size(); ++d) strides.push_back(draw.below(3));
      set_strides(operand, std::move(strides));
      break;
    }
    case Layout::kOffset:
      operand.offset = draw.between(1, 9);
      break;
    case Layout::kAny:
      lay_out(draw, operand, static_cast<Layout>(draw.below(static_cast<int>(Layout::kAny))));
      break;
  }
}

Case draw_plain(Draw& draw, const LayoutWish& wish, const Dims& sizes) {
  const Callable& callable = draw_callable(draw, wish);
  const Op& op = *callable.op;
  Case c = draw_call(draw, {&op, callable.overload, wish.form},
                     {.sizes = sizes,
                      .dtypes = asked_dtypes(op) - kFloat8s,
                      .any_dtype = 10,
                      .own_dtype = 30,
                      .attributes = 100,
                      .plain_attributes = true,
                      .defaults = 8});
  draw_values(draw, c, {.classes = {ValueClass::kSmall, ValueClass::kSmall, ValueClass::kSpecial}});
  c.out = c.second_out = {};
  return c;
}

void broadcast_inputs(Draw& draw, Case& c, int kept) {
  for (const int i : tensor_arguments(c))
    if (i != kept && draw.chance(40)) c.operand(i).sizes = draw_role(draw, c.operand(i).sizes);
}

void lay_out_inputs(Draw& draw, Case& c, Layout layout, int kept) {
  std::vector<int> inputs = tensor_arguments(c);
  std::erase(inputs, kept);
  if (inputs.empty()) return;
  const int sure = draw.from(inputs);
  for (const int i : inputs)
    lay_out(draw, c.operand(i), i == sure || draw.chance(50) ? layout : Layout::kContiguous);
}

Dims draw_dense_strides(Draw& draw, const Dims& sizes) {
  std::vector<int> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draw.below(i)]);
  return dense_strides(sizes, order);
}

Case in_form(const Case& c, Form form, Operand out) {
  Case other = c;
  other.form = form;
  other.out = std::move(out);
  other.second_out = {};
  if (form == Form::kOut && c.op->output_count() > 1) other.second_out = tensor(DType::kInt32, {0});
  return other;
}

}  // namespace upcast::properties
