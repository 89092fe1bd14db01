#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "cases/attribute_values.h"
#include "cases/draw/call.h"
#include "cases/grid_rows.h"
#include "cases/grids.h"
#include "cases/spelled_values.h"
#include "cases/tuple_space.h"
#include "impl/core/dtype_set.h"

namespace upcast::internal {
namespace {

/// Sizes and strides of the first tensor of a pair, and the sizes of the other one.
struct PairLayout {
  Dims sizes{}, strides{}, other_sizes{};
};
const std::array<PairLayout, 5> kPairLayouts{
    {{{4}, {}, {4}}, {{3, 1}, {}, {1, 4}}, {{4}, {2}, {4}}, {{4}, {}, {}}, {{}, {}, {4}}}};
constexpr std::array<ValueClass, 3> kPairValues{ValueClass::kSmall, ValueClass::kSpecial,
                                                ValueClass::kRandom};

/// Whether every value class suits the op whatever its operands are: it has no divisor, no loop
/// count, and no trap on the least integer.
bool takes_any_values(const OpSpec& spec) {
  return !spec.divides() && spec.loop.parameter.empty() && !spec.traps_on_least_integer;
}

std::vector<Operand> tensors(const Dims& sizes) {
  std::vector<Operand> axis;
  for (const DType dtype : kElementwise.dtypes()) axis.push_back(tensor(dtype, sizes));
  return axis;
}

std::vector<Operand> dtypes() {
  std::vector<Operand> axis;
  for (const DType dtype : kElementwise.dtypes())
    axis.push_back({.tag = Operand::Tag::kDType, .dtype = dtype});
  return axis;
}

/// The rows of a functional overload in which its first two tensors that are no mask have every
/// pair of dtypes once. `turn` says with which layouts and value classes the rows begin.
class PairRows {
 public:
  PairRows(const Op& op, int overload, std::size_t turn)
      : callable_{op, overload, Form::kFunctional, tensor_positions(op.schemas[overload])},
        turn_(turn) {
    for (const int position : callable_.tensors)
      if (!op.spec->is_mask(callable_.parameter(position).name)) typed_.push_back(position);
  }

  void add_to(std::vector<GridRow>& rows) {
    if (typed_.size() < 2) return rows.push_back(row_of(DType::kUndefined));
    for (const DType dtype : kElementwise.dtypes()) {
      rows.push_back(row_of(dtype));
      ++turn_;
    }
  }

 private:
  /// The row of one dtype of the first tensor, for an overload with several tensors. An overload
  /// with one tensor has all dtypes in a single row.
  GridRow row_of(DType first) const {
    GridRow row = plain_row(callable_);
    const PairLayout& layout = kPairLayouts[turn_ % (typed_.size() < 2 ? 1 : kPairLayouts.size())];
    set_arguments(row);
    for (const int position : callable_.tensors) {
      const auto nth = std::find(typed_.begin(), typed_.end(), position) - typed_.begin();
      if (nth == static_cast<std::ptrdiff_t>(typed_.size()))
        set_axis(row, position, {tensor(DType::kBool, {4})});
      else if (nth == (typed_.size() < 2 ? 0 : 1))
        set_axis(row, position, tensors(layout.other_sizes));
      else
        add_axis(row, position, {laid_out(first, layout)});  // reports tell the dtypes of axes only
    }
    if (takes_any_values(*callable_.op.spec)) {
      row.prototype.values = kPairValues[turn_ % kPairValues.size()];
      if (row.prototype.values != ValueClass::kSmall) row.prototype.seed = 1 + turn_ % 16;
    }
    return row;
  }

  static void add_axis(GridRow& row, int position, std::vector<Operand> axis) {
    row.prototype.operand(position) = axis.front();
    row.positions.push_back(position);
    row.axes.push_back(std::move(axis));
  }

  static Operand laid_out(DType dtype, const PairLayout& layout) {
    Operand operand = tensor(dtype, layout.sizes);
    operand.strides = layout.strides;
    return operand;
  }

  /// Sets the arguments that are dtypes, and the numbers that an overload of one tensor needs by
  /// position.
  void set_arguments(GridRow& row) const {
    const std::vector<Parameter>& parameters = row.prototype.schema().parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const bool is_asked = typed_.size() < 2 && is_scalar(parameters[i]) &&
                            !parameters[i].keyword_only && parameters[i].default_text.empty() &&
                            takes_any_values(*callable_.op.spec);
      if (parameters[i].type == ParameterType::kDType)
        set_axis(row, static_cast<int>(i), dtypes());
      else if (is_asked)
        set_axis(row, static_cast<int>(i), kinds_of_numbers());
    }
  }

  GridCallable callable_;
  std::size_t turn_;
  std::vector<int> typed_;
};

std::vector<GridRow> pair_rows() {
  std::vector<GridRow> rows;
  std::size_t turn = 0;
  for_each_callable([&](const Op& op, int overload, Form form) {
    if (form == Form::kFunctional) PairRows(op, overload, turn++).add_to(rows);
  });
  return rows;
}

constexpr CallWish kCalls{.any_dtype = 50,
                          .own_dtype = 60,
                          .numbers = 25,
                          .first_numbers = 12,
                          .zero_dims = 20,
                          .attributes = 60,
                          .any_number = 50,
                          .defaults = 60};
const ValueWish kValues{.spelled = 12,
                        .classes = {ValueClass::kSmall, ValueClass::kSpecial, ValueClass::kRandom,
                                    ValueClass::kConsecutive}};

bool is_integral_or_bool(const Operand& operand) {
  const DType dtype = operand.tag == Operand::Tag::kNumber ? operand.number.dtype() : operand.dtype;
  return (operand.tag != Operand::Tag::kTensor && operand.tag != Operand::Tag::kNumber) ||
         is_integral(dtype) || is_bool(dtype);
}

/// Allows any value class in a call that is safe with all values, although draw_values keeps its op
/// to small ones.
void free_values(Choices& choices, Case& c) {
  const OpSpec& spec = *c.op->spec;
  if (takes_any_values(spec) || spec.steps_from_below()) return;
  if (spec.divides() && std::all_of(c.arguments.begin(), c.arguments.end(), is_integral_or_bool))
    return;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const Operand& operand = c.arguments[i];
    if (operand.tag != Operand::Tag::kTensor || spells_values(operand)) continue;
    if (spec.is_loop_count(c.schema().parameters[i].name)) return;
    if (spec.traps_on_least_integer && is_integral_or_bool(operand)) return;
  }
  c.values = choices.from(kValues.classes);
  c.seed = c.values == ValueClass::kSmall ? 0 : choices.below(std::uint64_t{0x10000});
}

/// If the op steps through its argument, draw_values made its numbers small. Gives it numbers of
/// each kind again, now and then.
void free_numbers(Choices& choices, Case& c) {
  if (!c.op->spec->steps_from_below()) return;
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const Parameter& parameter = c.schema().parameters[i];
    const bool is_any = is_tensor(parameter) || is_scalar(parameter);
    if (is_any && c.arguments[i].tag == Operand::Tag::kNumber && choices.chance(50))
      c.arguments[i] = choices.from(kinds_of_numbers());
  }
}

/// Draws a call whose tensors have one of the shapes of the tuple space (cases/tuple_space.h).
Case draw_shaped(Choices& choices, const FoundOp& callable) {
  CallWish wish = kCalls;
  const auto shape = static_cast<TensorShape>(choices.below(kTensorShapeNames.size()));
  if (shape == TensorShape::kEmpty) wish.sizes = {2, 0};
  if (shape != TensorShape::kEmpty && shape != TensorShape::kZeroDim) wish.sizes = {2, 3};
  if (shape != TensorShape::kBroadcast && choices.chance(70)) wish.zero_dims = 0;
  Case c = draw_call(choices, callable, wish);
  bool is_first = true;
  for (const int position : tensor_arguments(c)) {
    Operand& operand = c.operand(position);
    if (shape == TensorShape::kBroadcast && !is_first)
      operand.sizes = draw_role(choices, operand.sizes);
    if (shape == TensorShape::kStrided && operand.sizes.size() == 2 && choices.chance(60))
      operand.strides = {1, 2};
    const bool is_mask =
        c.op->spec->is_mask(c.schema().parameters[static_cast<std::size_t>(position)].name);
    if (is_mask && choices.chance(30)) operand.dtype = choices.from(kElementwise);
    is_first = false;
  }
  if (shape == TensorShape::kStrided && c.out.sizes == wish.sizes && choices.chance(50))
    c.out.strides = {1, 2};
  // A loss that is reduced to its mean or sum is not elementwise: reduction is 0, "none".
  for (std::size_t i = 0; i < c.arguments.size(); ++i)
    if (c.schema().parameters[i].name == "reduction") c.arguments[i] = number(0);
  draw_values(choices, c, kValues);
  free_values(choices, c);
  free_numbers(choices, c);
  return c;
}

/// Draws calls until each pair of values of two factors, such as a dtype and a layout, occurs in
/// one. Pairs that no call of an op can have are left out.
class PairCover {
 public:
  PairCover() {
    for (const Combination& combination : space_.combinations())
      if (combination.ways == 2) pairs_.push_back(combination);
    covered_.resize(pairs_.back().first + pairs_.back().size);
  }

  void mark(const GridRow& row) {
    Case c = row.prototype;
    for (std::int64_t i = 0; i < row.count; ++i) {
      row.decode(i, c);
      mark(c);
    }
  }

  /// Draws one call of each callable of an op, then more calls while they still add pairs of factor
  /// values.
  std::vector<Case> cover(const Op& op, const std::vector<FoundOp>& callables) {
    Random choices(hash_of(op.spec->name));
    std::vector<Case> cases;
    for (const FoundOp& callable : callables) keep(best(choices, {callable}).first, cases);
    for (int idle = 0; idle < kPatience;) {
      auto [c, gain] = best(choices, callables);
      idle = gain == 0 ? idle + 1 : 0;
      if (gain > 0) keep(std::move(c), cases);
    }
    return cases;
  }

 private:
  static constexpr int kCandidates = 32;
  static constexpr int kPatience = 60;

  static std::uint64_t hash_of(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    return hash;
  }

  template <class F>
  void for_each_pair(const Case& c, F f) {
    const FactorValues values = factor_values(c);
    for (const Combination& pair : pairs_) {
      const std::int64_t number = space_.number_of(pair, values);
      if (number >= 0) f(static_cast<std::size_t>(number));
    }
  }

  void mark(const Case& c) {
    for_each_pair(c, [this](std::size_t number) { covered_[number] = true; });
  }

  void keep(Case c, std::vector<Case>& cases) {
    mark(c);
    cases.push_back(std::move(c));
  }

  std::pair<Case, int> best(Choices& choices, const std::vector<FoundOp>& callables) {
    std::pair<Case, int> found{{}, -1};
    for (int i = 0; i < kCandidates; ++i) {
      Case c = draw_shaped(choices, choices.from(callables));
      int gain = 0;
      for_each_pair(c, [&](std::size_t number) { gain += !covered_[number]; });
      if (gain > found.second) found = {std::move(c), gain};
    }
    return found;
  }

  TupleSpace space_;
  std::vector<Combination> pairs_;
  std::vector<bool> covered_;
};

/// For each op, the cases with those pairs of factor values that the grid's rows of dtype pairs do
/// not have.
std::vector<std::vector<Case>> cover_cases(const std::vector<GridRow>& rows) {
  PairCover cover;
  for (const GridRow& row : plan_of_rows("", rows).rows) cover.mark(row);
  std::map<const Op*, std::vector<FoundOp>> callables;
  for_each_callable([&](const Op& op, int overload, Form form) {
    callables[&op].push_back({&op, overload, form});
  });
  std::vector<std::vector<Case>> cases;
  for (const Op& op : catalogue()) cases.push_back(cover.cover(op, callables[&op]));
  return cases;
}

GridRow row_of(Case c) { return {.prototype = std::move(c)}; }

}  // namespace

std::vector<GridRow> compile_rows() {
  std::vector<GridRow> rows = pair_rows();
  std::vector<std::vector<Case>> cases = cover_cases(rows);
  for (std::vector<Case>& of_op : cases)
    for (Case& c : of_op) rows.push_back(row_of(std::move(c)));
  return rows;
}

std::vector<GridRow> compile_slice_rows() {
  constexpr std::size_t kOfAnOp = 2;
  constexpr std::int64_t kStep = 149;  // a prime, so that the slice has other dtypes for each op
  const std::vector<GridRow> pairs = pair_rows();
  std::vector<std::vector<Case>> cases = cover_cases(pairs);
  std::map<const Op*, std::vector<GridRow>> rows_of;
  for (const GridRow& row : pairs) rows_of[row.prototype.op].push_back(row);
  std::vector<GridRow> rows;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Plan of_op = plan_of_rows("", rows_of[&catalogue()[i]]);
    if (of_op.planned > 0) {
      const std::int64_t index = static_cast<std::int64_t>(i) * kStep % of_op.planned;
      const GridRow& row = of_op.row_of(index);
      Case c = row.prototype;
      row.decode(index - row.first, c);
      rows.push_back(row_of(std::move(c)));
    }
    for (std::size_t n = 0; n < std::min(kOfAnOp, cases[i].size()); ++n)
      rows.push_back(row_of(std::move(cases[i][n])));
  }
  return rows;
}

}  // namespace upcast::internal
