#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "cases/attribute_values.h"
#include "cases/draw/elements.h"
#include "cases/element.h"
#include "cases/grid_rows.h"
#include "cases/grids.h"
#include "cases/values.h"

namespace upcast::internal {
namespace {

using Operands = std::vector<Operand>;

constexpr std::int64_t kRandomElements = 512;
// Elements of each operand in in-place and out= calls. They hold some of the pairs of special
// elements only.
constexpr std::int64_t kPairElements = 128;
constexpr std::int64_t kTripleElements = 14;
constexpr std::array<std::uint64_t, 2> kRandomSeeds{1, 2};
constexpr std::array<std::uint64_t, 4> kTripleSeeds{1, 2, 3, 4};

/// Pairs of dtypes that occur together in practice, or that have a rule of their own.
constexpr std::array<std::array<DType, 2>, 20> kMixedPairs{{
    {DType::kInt32, DType::kFloat32},     {DType::kFloat32, DType::kInt32},
    {DType::kFloat16, DType::kFloat32},   {DType::kFloat32, DType::kFloat16},
    {DType::kBFloat16, DType::kFloat32},  {DType::kFloat16, DType::kBFloat16},
    {DType::kFloat64, DType::kFloat32},   {DType::kUInt8, DType::kInt64},
    {DType::kInt64, DType::kUInt8},       {DType::kUInt8, DType::kInt8},
    {DType::kInt64, DType::kInt32},       {DType::kBool, DType::kInt32},
    {DType::kInt32, DType::kBool},        {DType::kBool, DType::kFloat32},
    {DType::kInt64, DType::kFloat16},     {DType::kUInt16, DType::kFloat32},
    {DType::kFloat32, DType::kComplex64}, {DType::kComplex64, DType::kFloat64},
    {DType::kInt64, DType::kComplex64},   {DType::kComplex64, DType::kComplex128},
}};

std::int64_t special_count(DType dtype) {
  return static_cast<std::int64_t>(special_elements(dtype).size()) / itemsize(dtype);
}

using Element = std::span<const std::byte>;

bool is_least(Element element) {
  return element.back() == std::byte{0x80} &&
         std::all_of(element.begin(), element.end() - 1,
                     [](std::byte b) { return b == std::byte{0}; });
}

/// The special elements of an integral dtype or bool, without those for which `is_dropped` is true,
/// repeated to `count` elements. Each repetition begins `turn` elements later, so that two operands
/// form pairs.
std::vector<std::byte> special_but(bool (*is_dropped)(Element), DType dtype, std::int64_t count,
                                   std::size_t turn) {
  const std::vector<std::byte>& all = special_elements(dtype);
  std::vector<Element> some;
  for (std::size_t at = 0; at < all.size(); at += itemsize(dtype)) {
    const Element element(all.data() + at, itemsize(dtype));
    if (!is_dropped(element)) some.push_back(element);
  }
  std::vector<std::byte> values;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const Element element = some[(i + turn * (i / some.size())) % some.size()];
    values.insert(values.end(), element.begin(), element.end());
  }
  return values;
}

std::vector<std::byte> degree_values(DType dtype, std::int64_t count) {
  const std::vector<double> wanted = degrees();
  std::vector<std::byte> values;
  for (std::int64_t i = 0; i < count; ++i) {
    const double degree = wanted[static_cast<std::size_t>(i) % wanted.size()];
    const auto element = element_of(dtype, degree < 0 && !is_floating(dtype) ? 6 : degree);
    values.insert(values.end(), element.begin(), element.end());
  }
  return values;
}

/// A callable with a dtype for each of its tensors.
struct Typed {
  const Op& op;
  int overload;
  Form form;
  std::vector<int> positions;  // positions of the tensor parameters
  std::vector<DType> dtypes;   // of each

  const Schema& schema() const { return op.schemas[overload]; }
  /// Whether a call with the least integer ends LibTorch's process. No value of such a case can be
  /// judged, and it costs as much as ten thousand other cases. So only one row has that integer.
  bool traps_on_the_least(DType dtype) const {
    const bool stays = form == Form::kFunctional && dtypes.front() == DType::kInt32 &&
                       dtypes.back() == DType::kInt32;
    return op.spec->traps_on_least_integer && !stays &&
           (dtype == DType::kInt32 || dtype == DType::kInt64);
  }
  bool all_integral() const {
    return std::all_of(dtypes.begin(), dtypes.end(),
                       [](DType dtype) { return is_integral(dtype) || is_bool(dtype); });
  }
};

/// The operand for the i-th tensor. It spells its elements out if the value class would not do. A
/// zero divisor is refused, so that no element would be judged. The least integer divided by -1
/// kills LibTorch.
Operand tensor_of(const Typed& typed, std::size_t i, Dims sizes, ValueClass values) {
  Operand operand = tensor(typed.dtypes[i], std::move(sizes));
  const Parameter& parameter = typed.schema().parameters[typed.positions[i]];
  if (typed.op.spec->is_loop_count(parameter.name))
    operand.values = degree_values(operand.dtype, element_count(operand));
  else if (typed.op.spec->divides() && parameter.name != typed.op.spec->operands[0] &&
           typed.all_integral())
    operand.values = special_but(is_zero_or_minus_one, operand.dtype, element_count(operand), 0);
  else if (values == ValueClass::kSpecial && typed.traps_on_the_least(operand.dtype))
    operand.values = special_but(is_least, operand.dtype, element_count(operand), i);
  return operand;
}

Operands out_axis(const Typed& typed, const Dims& sizes) {
  Operands axis;
  const DType first = typed.dtypes.empty() ? DType::kFloat32 : typed.dtypes.back();
  for (DType dtype : {first, DType::kFloat64, DType::kComplex128, DType::kBool})
    if (std::none_of(axis.begin(), axis.end(),
                     [dtype](const Operand& operand) { return operand.dtype == dtype; }))
      axis.push_back(tensor(dtype, sizes));
  return axis;
}

/// A row with attributes, value class and seed set, and tensors not set yet.
GridRow row_with_attributes(const Typed& typed, ValueClass values, std::uint64_t seed) {
  GridRow row = start_row(typed.op, typed.overload, typed.form);
  row.prototype.values = values;
  row.prototype.seed = seed;
  const std::vector<Parameter>& parameters = typed.schema().parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!is_tensor(parameters[i]) && parameters[i].type != ParameterType::kDType)
      set_axis(row, static_cast<int>(i), attribute_values(typed.op, parameters[i]));
  return row;
}

/// Collects rows of the grid. The i-th tensor of a row has one of sizes[i]. It may also be one of
/// the further operands that `kinds` allows.
class RowMaker {
 public:
  explicit RowMaker(std::vector<GridRow>& rows) : rows_(rows) {}

  /// Adds a row. `out_sizes`: the sizes of out=, to which the operands broadcast. `kinds`: whether
  /// zero-dim tensors and numbers are added too.
  void add(const Typed& typed, ValueClass values, std::uint64_t seed,
           const std::vector<Dims>& sizes, const Dims& out_sizes, bool kinds) {
    // Random values are left out for an op that steps up from its argument: it would take years.
    // Its special values may stay: those that are not whole are small enough.
    if (values == ValueClass::kRandom && typed.op.spec->steps_from_below()) return;
    GridRow row = row_with_attributes(typed, values, seed);
    for (std::size_t i = 0; i < typed.positions.size(); ++i) {
      const Parameter& parameter = typed.schema().parameters[typed.positions[i]];
      Operands axis{tensor_of(typed, i, sizes[i], values)};
      if (kinds && !sizes[i].empty()) axis.push_back(tensor_of(typed, i, {}, values));
      if (kinds && i > 0 && seed <= 1) append(axis, numbers_of(typed, parameter));
      if (parameter.type == ParameterType::kOptionalTensor) axis.push_back(kNoneOperand);
      set_axis(row, typed.positions[i], std::move(axis));
    }
    if (typed.form == Form::kOut) set_axis(row, kOutPosition, out_axis(typed, out_sizes));
    rows_.push_back(std::move(row));
  }

 private:
  static Operands numbers_of(const Typed& typed, const Parameter& parameter) {
    if (typed.op.spec->is_loop_count(parameter.name)) return {number(3)};
    return {number(true), number(3), number(2.5)};
  }

  std::vector<GridRow>& rows_;
};

void add_one_tensor(RowMaker& maker, Typed typed) {
  for (DType dtype : kElementwise.dtypes()) {
    typed.dtypes = {dtype};
    const Dims special{special_count(dtype)};
    const bool kinds = typed.form == Form::kFunctional;
    maker.add(typed, ValueClass::kSpecial, 0, {special}, special, kinds);
    maker.add(typed, ValueClass::kSmall, 0, {{7}}, {7}, kinds);
    for (std::uint64_t seed : kRandomSeeds)
      maker.add(typed, ValueClass::kRandom, seed, {{kRandomElements}}, {kRandomElements}, false);
  }
}

/// Adds the rows of an op with two tensors. Broadcasting forms hold all pairs of special elements;
/// others hold as many as fit.
void add_two_tensors(RowMaker& maker, Typed typed) {
  const auto add = [&](DType a, DType b) {
    typed.dtypes = {a, b};
    if (typed.form == Form::kFunctional)
      maker.add(typed, ValueClass::kSpecial, 0, {{special_count(a), 1}, {1, special_count(b)}}, {},
                true);
    else
      maker.add(typed, ValueClass::kSpecial, 3, {{kPairElements}, {kPairElements}}, {kPairElements},
                true);
    maker.add(typed, ValueClass::kSmall, 0, {{7}, {7}}, {7}, false);
    for (std::uint64_t seed : kRandomSeeds)
      maker.add(typed, ValueClass::kRandom, seed, {{kRandomElements}, {kRandomElements}},
                {kRandomElements}, false);
  };
  for (DType dtype : kElementwise.dtypes()) add(dtype, dtype);
  for (const auto& [a, b] : kMixedPairs) add(a, b);
}

/// Adds the rows of an op with three tensors. A mask is bool. Each seed takes triples of other
/// special elements.
void add_three_tensors(RowMaker& maker, Typed typed) {
  const auto add = [&](DType a, DType b, DType c) {
    typed.dtypes = {a, b, c};
    for (std::size_t i = 0; i < typed.positions.size(); ++i)
      if (typed.op.spec->is_mask(typed.schema().parameters[typed.positions[i]].name))
        typed.dtypes[i] = DType::kBool;
    constexpr std::int64_t n = kTripleElements;
    for (std::uint64_t seed : kTripleSeeds) {
      if (typed.form == Form::kFunctional)
        maker.add(typed, ValueClass::kSpecial, seed, {{n, 1, 1}, {1, n, 1}, {1, 1, n}}, {},
                  seed == 1);
      else
        maker.add(typed, ValueClass::kSpecial, seed,
                  {{kPairElements}, {kPairElements}, {kPairElements}}, {kPairElements}, false);
    }
    for (std::uint64_t seed : kRandomSeeds)
      maker.add(typed, ValueClass::kRandom, seed,
                {{kRandomElements}, {kRandomElements}, {kRandomElements}}, {kRandomElements},
                false);
  };
  for (DType dtype : kElementwise.dtypes()) add(dtype, dtype, dtype);
  for (const auto& [a, b] : kMixedPairs) {
    add(a, b, b);
    add(a, a, b);
  }
}

/// Adds the rows of masked_fill: a tensor of any dtype with a bool mask.
void add_masks(RowMaker& maker, Typed typed) {
  for (DType dtype : kElementwise.dtypes()) {
    typed.dtypes = {dtype, DType::kBool};
    const Dims special{special_count(dtype)};
    maker.add(typed, ValueClass::kSpecial, 3, {special, special}, special, false);
    maker.add(typed, ValueClass::kSmall, 0, {{7}, {7}}, {7}, false);
  }
}

}  // namespace

std::vector<GridRow> ops_rows() {
  std::vector<GridRow> rows;
  RowMaker maker(rows);
  for_each_callable([&maker](const Op& op, int overload, Form form) {
    const Typed typed{op, overload, form, tensor_positions(op.schemas[overload]), {}};
    const std::vector<Parameter>& parameters = op.schemas[overload].parameters;
    switch (typed.positions.size()) {
      case 1:
        return add_one_tensor(maker, typed);
      case 2:
        if (op.spec->is_mask(parameters[typed.positions[1]].name)) return add_masks(maker, typed);
        return add_two_tensors(maker, typed);
      case 3:
        return add_three_tensors(maker, typed);
      default:
        return;  // ops that take dtypes: the grid `promotion` has all their arguments
    }
  });
  return rows;
}

}  // namespace upcast::internal
