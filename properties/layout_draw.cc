#include "properties/layout_draw.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "cases/attribute_values.h"
#include "cases/grid_rows.h"
#include "impl/iterator/compute_shape.h"
#include "impl/tensor/memory_format.h"

namespace upcast::properties {
namespace {

using Tag = Operand::Tag;

/// Those that answer a tensor and take `form`.
const std::vector<Callable>& callables(Form form) {
  static const std::array<std::vector<Callable>, 3> all = [] {
    std::array<std::vector<Callable>, 3> made;
    internal::for_each_callable([&made](const Op& op, int overload, Form each) {
      const Schema& schema = op.schemas[static_cast<std::size_t>(overload)];
      std::vector<int> tensors = internal::tensor_positions(schema);
      if (schema.callable == op.callable(overload, Form::kInPlace)) return;  // no functional form
      if (tensors.empty() || schema.returns.find("Tensor") == schema.returns.npos) return;
      made[static_cast<std::size_t>(each)].push_back(
          {&op, overload, std::move(tensors), op.spec->has_layouts_of_interest});
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
    if (callable.tensors.size() < wish.least_tensors) continue;
    if (wish.exact && callable.op->spec->accuracy.float32.ours != 0) continue;
    if (wish.admits != nullptr && !wish.admits(callable)) continue;
    if (varied && !callable.varied && !draw.chance(2)) continue;
    return callable;
  }
}

/// One that the op has a kernel for, most of the time.
DType draw_base_dtype(Draw& draw, const Op& op) {
  const DTypeSet known = op.spec->dtypes & (kElementwise - kFloat8s);
  if (known.empty()) return draw.chance(80) ? draw.from(kFloats) : draw.from(kIntegers);
  if (draw.chance(10)) return draw.from(kIntegers);
  const DTypeSet common = known & (kBools | kIntegers | kFloats | kFullComplex);
  return draw.from(common.empty() || draw.chance(20) ? known : common);
}

/// Steps of LibTorch that take years, divisions that end its process.
bool chokes_on_special_values(const OpSpec& spec) {
  return spec.divides() || spec.traps_on_least_integer || !spec.loop.parameter.empty();
}

/// A call without tensors yet: attributes and settings.
Case draw_attributes(Draw& draw, const Callable& callable, Form form) {
  Case c;
  c.op = callable.op;
  c.overload = callable.overload;
  c.form = form;
  const std::vector<Parameter>& parameters = c.schema().parameters;
  c.arguments.resize(parameters.size());
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (internal::is_tensor(parameters[i]) || parameters[i].type == ParameterType::kDType) continue;
    const std::vector<Operand> values = internal::typing_values(*c.op, parameters[i]);
    const bool is_scalar = parameters[i].type == ParameterType::kScalar;
    if (is_scalar && !values.empty() && values.size() > 3)
      c.arguments[i] = draw.chance(60) ? number(2) : number(draw.chance(80) ? 2.5 : 0.5);
    else if (!values.empty())
      c.arguments[i] = draw.from(values);
  }
  c.defaults.floating = draw.chance(85) ? DType::kFloat32 : draw_default(draw);
  if (!chokes_on_special_values(*c.op->spec) && draw.chance(35)) {
    c.values = ValueClass::kSpecial;
    c.seed = static_cast<std::uint64_t>(draw.below(20));
  }
  return c;
}

Dims draw_strides_with_gaps(Draw& draw, const Dims& sizes) {
  Dims wide = sizes;
  for (std::int64_t& size : wide) size = std::max<std::int64_t>(size, 1) + draw.below(3);
  return with_stride_factor(draw_dense_strides(draw, wide), draw.between(1, 3));
}

/// Tensors of one shape, contiguous.
void add_tensors(Draw& draw, const Callable& callable, Case& c, const Dims& sizes) {
  const DType base = draw_base_dtype(draw, *c.op);
  for (const int i : callable.tensors) {
    const Parameter& parameter = c.schema().parameters[static_cast<std::size_t>(i)];
    if (parameter.type == ParameterType::kOptionalTensor && draw.chance(15)) {
      c.arguments[static_cast<std::size_t>(i)] = {.tag = Tag::kNone};
      continue;
    }
    const bool degree = c.op->spec->is_loop_count(parameter.name);
    const DType dtype = c.op->spec->is_mask(parameter.name) ? DType::kBool
                        : degree || draw.chance(70)         ? base
                                                            : draw_dtype(draw);
    c.arguments[static_cast<std::size_t>(i)] = tensor(dtype, sizes);
  }
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

Dims draw_role(Draw& draw, Dims sizes) {
  for (std::int64_t& size : sizes)
    if (draw.chance(25)) size = 1;
  if (draw.chance(40) && !sizes.empty())
    sizes.erase(sizes.begin(), sizes.begin() + draw.between(1, static_cast<int>(sizes.size())));
  return sizes;
}

Dims with_stride_factor(Dims strides, std::int64_t factor) {
  for (std::int64_t& stride : strides) stride *= factor;
  return strides;
}

void set_strides(Operand& operand, Dims strides) {
  if (strides == contiguous_strides(operand.sizes)) strides.clear();
  operand.strides = std::move(strides);
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
  Case c = draw_attributes(draw, callable, wish.form);
  add_tensors(draw, callable, c, sizes);
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

Dims broadcast_shape(const Case& c) {
  Dims shape;
  for (const int i : tensor_arguments(c))
    static_cast<void>(broadcast_into(shape, c.operand(i).sizes));
  return shape;
}

Dims draw_dense_strides(Draw& draw, const Dims& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[static_cast<std::size_t>(draw.below(static_cast<int>(i)))]);
  Dims strides(sizes.size());
  std::int64_t stride = 1;
  for (const std::size_t d : order) {
    strides[d] = stride;
    stride *= std::max<std::int64_t>(sizes[d], 1);
  }
  return strides;
}

int written_position(const Case& c) {
  const std::string_view named = c.op->spec->written;
  return c.schema().find(named.empty() ? c.op->spec->operands[0] : named);
}

std::vector<int> tensor_arguments(const Case& c) {
  std::vector<int> tensors;
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    if (c.arguments[i].tag == Tag::kTensor) tensors.push_back(static_cast<int>(i));
  return tensors;
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
