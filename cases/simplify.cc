#include "cases/simplify.h"

#include <algorithm>
#include <set>
#include <utility>

#include "cases/element.h"
#include "cases/layout.h"
#include "cases/operands.h"
#include "cases/ordinary.h"
#include "cases/values.h"
#include "impl/core/cast.h"

namespace upcast {
namespace {

using Tag = Operand::Tag;

/// Converts an operand's elements to dtype `to`. A limit of the old dtype becomes the same limit of
/// the new one.
void convert_values(Operand& operand, DType to) {
  if (operand.values.empty()) return;
  if (!kElementwise.contains(operand.dtype)) {
    operand.values.clear();
    return;
  }
  const std::int64_t from_size = itemsize(operand.dtype);
  const std::int64_t to_size = itemsize(to);
  const auto count = static_cast<std::int64_t>(operand.values.size()) / from_size;
  std::vector<std::byte> values(static_cast<std::size_t>(count * to_size));
  cast_elements(operand.dtype, operand.values.data(), to, values.data(), count);
  const auto old_limits = limits_of(operand.dtype);
  const auto new_limits = limits_of(to);
  if (category(operand.dtype) == category(to))
    for (std::int64_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < old_limits.size(); ++k)
        if (std::equal(old_limits[k].begin(), old_limits[k].end(),
                       operand.values.begin() + i * from_size) &&
            old_limits[k] != std::vector(old_limits[k].size(), std::byte{0}))
          std::copy(new_limits[k].begin(), new_limits[k].end(), values.begin() + i * to_size);
  operand.values = std::move(values);
}

/// Keeps `count` elements of an operand, from the element `first` on.
void keep_values(Operand& operand, std::int64_t first, std::int64_t count) {
  if (operand.values.empty()) return;
  const std::int64_t size = itemsize(operand.dtype);
  operand.values = {operand.values.begin() + first * size,
                    operand.values.begin() + (first + count) * size};
}

/// Whether every operand that shares storage names a tensor of the same dtype that has a storage of
/// its own.
bool shares_rightly(const Case& c) {
  const auto is_right = [&c](const Operand& operand) {
    if (operand.shares == kOwnStorage) return true;
    const Operand& owner = c.operand(operand.shares);
    return owner.tag == Tag::kTensor && owner.shares == kOwnStorage && owner.dtype == operand.dtype;
  };
  return std::all_of(c.arguments.begin(), c.arguments.end(), is_right) && is_right(c.out);
}

/// Replaces row-major strides of a tensor by empty ones, as the notation writes them.
void drop_row_major_strides(Case& c) {
  const auto drop = [](Operand& operand) { set_strides(operand, operand.strides); };
  for (Operand& operand : c.arguments) drop(operand);
  drop(c.out), drop(c.second_out);
}

/// Collects simpler candidates of a case. Each candidate is one edit of a copy of it.
class Steps {
 public:
  Steps(const Case& c, bool (*admits)(const Case&)) : case_(c), admits_(admits) {}

  template <class Edit>
  void try_edit(Edit edit) {
    Case simpler = case_;
    edit(simpler);
    if (!shares_rightly(simpler)) return;
    drop_row_major_strides(simpler);
    if (simpler == case_ || (admits_ != nullptr && !admits_(simpler))) return;
    if (std::find(found_.begin(), found_.end(), simpler) != found_.end()) return;
    found_.push_back(std::move(simpler));
  }
  /// The positions of operands for which `wanted` is true, outputs included.
  template <class Wanted>
  std::vector<int> positions(Wanted wanted) const {
    std::vector<int> found;
    for (int i = 0; i < static_cast<int>(case_.arguments.size()); ++i)
      if (wanted(case_.arguments[static_cast<std::size_t>(i)])) found.push_back(i);
    for (int i : {kOutPosition, kSecondOutPosition})
      if (wanted(case_.operand(i))) found.push_back(i);
    return found;
  }
  std::vector<int> tensors() const {
    return positions([](const Operand& operand) { return operand.tag == Tag::kTensor; });
  }
  const Case& original() const { return case_; }
  std::vector<Case> take() { return std::move(found_); }

 private:
  const Case& case_;
  bool (*admits_)(const Case&);
  std::vector<Case> found_;
};

void simplify_settings(Steps& steps) {
  steps.try_edit([](Case& c) { c.defaults.floating = DType::kFloat32; });
  steps.try_edit([](Case& c) { c.values = ValueClass::kSmall, c.seed = 0; });
  for (const std::uint64_t seed : {0, 1})
    if (steps.original().seed > seed) steps.try_edit([seed](Case& c) { c.seed = seed; });
}

void drop_operands(Steps& steps) {
  const Case& c = steps.original();
  for (std::size_t i = 0; i < c.arguments.size(); ++i) {
    const Parameter& parameter = c.schema().parameters[i];
    const bool left_out = c.arguments[i].tag == Tag::kAbsent || c.arguments[i].tag == Tag::kNone;
    if (left_out) continue;
    if (parameter.type == ParameterType::kOptionalTensor)
      steps.try_edit([i](Case& d) { d.arguments[i] = kNoneOperand; });
    else if (!parameter.default_text.empty())
      steps.try_edit([i](Case& d) { d.arguments[i] = {}; });
  }
  if (c.form != Form::kFunctional && !c.op->callable(c.overload, Form::kFunctional).empty())
    steps.try_edit([](Case& d) {
      d.form = Form::kFunctional;
      d.out = {}, d.second_out = {};
    });
}

/// Whether a parameter takes numbers of any kind. A parameter of type int or float takes its own
/// kind only.
bool takes_any_number(const Parameter& parameter) {
  return is_tensor(parameter) || is_scalar(parameter);
}

/// For a number of the case, tries another kind of number, then a more ordinary number of the same
/// kind.
void simplify_numbers(Steps& steps) {
  for (int i : steps.positions([](const Operand& o) { return o.tag == Tag::kNumber; })) {
    const Number number = steps.original().operand(i).number;
    const bool any_kind =
        i < 0 ||
        takes_any_number(steps.original().schema().parameters[static_cast<std::size_t>(i)]);
    std::vector<Number> simpler = any_kind ? of_commoner_kinds(number) : std::vector<Number>{};
    for (const Number& each : more_ordinary(number)) simpler.push_back(each);
    for (const Number& each : simpler)
      steps.try_edit([i, each](Case& c) { c.operand(i).number = each; });
  }
}

/// How mixed the dtypes of a case are, then how rare. Each accepted step makes this pair smaller,
/// so that a chain of steps ends. bool does not count as mixed with another dtype: conditions and
/// masks are bools.
std::pair<std::size_t, int> mixture(const Case& c, const std::vector<int>& typed) {
  std::set<DType> dtypes;
  int sum = 0;
  for (const int i : typed) {
    if (c.operand(i).dtype != DType::kBool) dtypes.insert(c.operand(i).dtype);
    sum += rarity(c.operand(i).dtype);
  }
  return {std::max<std::size_t>(1, dtypes.size()), sum};
}

/// Tries a commoner dtype for all operands, then for all that have one dtype, then for one operand.
/// Several dtypes are no simpler than one rare dtype.
void simplify_dtypes(Steps& steps) {
  const std::vector<int> typed = steps.positions(
      [](const Operand& o) { return o.tag == Tag::kTensor || o.tag == Tag::kDType; });
  const Case& c = steps.original();
  const auto own = mixture(c, typed);
  const auto offer = [&](const std::vector<int>& positions) {
    for (const DType dtype : from_the_most_common()) {
      // Bool for some of the operands makes no masks of them: it would only mix dtypes.
      if (is_bool(dtype) && positions.size() < typed.size()) continue;
      Case changed = c;
      for (const int i : positions) changed = with_dtype(std::move(changed), i, dtype);
      if (mixture(changed, typed) < own) steps.try_edit([&](Case& d) { d = std::move(changed); });
    }
  };
  offer(typed);
  std::set<DType> seen;
  for (const int i : typed) {
    const DType dtype = c.operand(i).dtype;
    if (!seen.insert(dtype).second) continue;
    std::vector<int> of_one_dtype;
    for (const int k : typed)
      if (c.operand(k).dtype == dtype) of_one_dtype.push_back(k);
    offer(of_one_dtype);
  }
  for (const int i : typed) offer({i});
}

/// Drops one dimension of every tensor that has it. `from_right` counts from the last dimension.
void drop_dimension(Case& c, const std::vector<int>& tensors, std::size_t from_right) {
  for (int i : tensors) {
    Operand& operand = c.operand(i);
    if (from_right >= operand.sizes.size()) continue;
    const auto at = static_cast<std::ptrdiff_t>(operand.sizes.size() - 1 - from_right);
    const std::int64_t before = element_count(operand);
    operand.sizes.erase(operand.sizes.begin() + at);
    if (!operand.strides.empty()) operand.strides.erase(operand.strides.begin() + at);
    if (before < element_count(operand))
      operand.values.clear();
    else
      keep_values(operand, 0, element_count(operand));
  }
}

void set_size(Case& c, const std::vector<int>& tensors, std::size_t from_right, std::int64_t size) {
  for (int i : tensors) {
    Operand& operand = c.operand(i);
    if (from_right >= operand.sizes.size()) continue;
    std::int64_t& mine = operand.sizes[operand.sizes.size() - 1 - from_right];
    if (mine <= size) continue;
    mine = size;
    keep_values(operand, 0, element_count(operand));
  }
}

/// Limits the sizes above one of all operands at once, because a difference may need equal sizes.
void limit_sizes(Steps& steps, const std::vector<int>& tensors) {
  for (const std::int64_t limit : {1, 2, 3, 5})
    steps.try_edit([&](Case& c) {
      for (int i : tensors) {
        for (std::int64_t& size : c.operand(i).sizes) size = std::min(size, limit);
        keep_values(c.operand(i), 0, element_count(c.operand(i)));
      }
    });
}

void simplify_shapes(Steps& steps) {
  const std::vector<int> tensors = steps.tensors();
  limit_sizes(steps, tensors);
  std::size_t rank = 0;
  for (int i : tensors) rank = std::max(rank, steps.original().operand(i).sizes.size());
  for (std::size_t d = 0; d < rank; ++d) {
    // Dropping a dimension must not make a zero-dim tensor of one with dimensions: that would be
    // another kind.
    const bool keeps_kinds = std::none_of(tensors.begin(), tensors.end(), [&](int i) {
      return d == 0 && steps.original().operand(i).sizes.size() == 1;
    });
    if (keeps_kinds) steps.try_edit([&](Case& c) { drop_dimension(c, tensors, d); });
    std::int64_t largest = 0;
    for (int i : tensors) {
      const Dims& sizes = steps.original().operand(i).sizes;
      if (d < sizes.size()) largest = std::max(largest, sizes[sizes.size() - 1 - d]);
    }
    std::int64_t before = 0;
    // sizes that vectors of 16 and of 32 elements need, with one more element for a tail
    for (const std::int64_t size : {std::int64_t{1}, std::int64_t{16}, std::int64_t{17},
                                    std::int64_t{33}, largest / 2, largest - 1})
      if (size > before && size < largest) {
        steps.try_edit([&](Case& c) { set_size(c, tensors, d, size); });
        before = size;
      }
  }
}

/// Keeps each element of a vector alone if the vector is short, else each half of it.
void pick_elements(Steps& steps) {
  constexpr std::int64_t kFew = 8;
  std::int64_t length = 0;
  for (const int i : steps.tensors())
    length = std::max(length, element_count(steps.original().operand(i)));
  const std::int64_t count = length <= kFew ? 1 : (length + 1) / 2;
  for (std::int64_t at = 0; at < length; at += count)
    if (auto part = with_elements(steps.original(), at, std::min(count, length - at)))
      steps.try_edit([&](Case& c) { c = *std::move(part); });
}

void simplify_layouts(Steps& steps) {
  for (int i : steps.tensors()) {
    steps.try_edit([i](Case& c) { c.operand(i).strides.clear(), c.operand(i).offset = 0; });
    steps.try_edit([i](Case& c) { c.operand(i).strides.clear(); });
    steps.try_edit([i](Case& c) { c.operand(i).offset = 0; });
    if (!steps.original().operand(i).strides.empty())
      steps.try_edit([i](Case& c) { c.operand(i).strides = reversed_strides(c.operand(i).sizes); });
  }
}

/// Whether all elements of an operand are equal, bit for bit.
bool is_uniform(const Operand& operand) {
  const auto size = static_cast<std::ptrdiff_t>(itemsize(operand.dtype));
  return std::equal(operand.values.begin() + size, operand.values.end(), operand.values.begin());
}

std::vector<std::byte> repeated(const std::vector<std::byte>& element, std::int64_t count) {
  std::vector<std::byte> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.insert(values.end(), element.begin(), element.end());
  return values;
}

/// The elements 1, 2, 3, ... of a dtype; nothing if the dtype cannot hold all of them.
std::vector<std::byte> counting(DType dtype, std::int64_t count) {
  std::vector<std::byte> values;
  for (std::int64_t i = 1; i <= count; ++i) {
    const std::vector<std::byte> element = element_of(dtype, i);
    if (real_part(dtype, element.data()) != static_cast<double>(i)) return {};
    values.insert(values.end(), element.begin(), element.end());
  }
  return values;
}

/// Tries elements that are all equal, or 1, 2, 3, ..., for an operand whose elements differ.
void simplify_all_elements(Steps& steps, int position, const std::vector<std::byte>& in_order) {
  const Operand& operand = steps.original().operand(position);
  for (const double alike : {0.5, 1.0, 2.0}) {
    const std::vector<std::byte> element = element_of(operand.dtype, alike);
    if (real_part(operand.dtype, element.data()) == alike)
      steps.try_edit(
          [&](Case& c) { c.operand(position).values = repeated(element, element_count(operand)); });
  }
  if (!in_order.empty()) steps.try_edit([&](Case& c) { c.operand(position).values = in_order; });
}

/// Simplifies a real or imaginary part of one element: the part at byte `at` of the operand. If
/// `uniform`, the same part of all elements changes with it.
void simplify_part(Steps& steps, int position, std::size_t at, bool uniform, std::size_t most) {
  const Operand& operand = steps.original().operand(position);
  const DType real = to_real(operand.dtype);
  const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
  const Part part = at % size == 0 ? Part::kReal : Part::kImaginary;
  std::vector<std::vector<std::byte>> simpler =
      more_ordinary(real, operand.values.data() + at, part);
  simpler.resize(std::min(simpler.size(), most));
  for (const std::vector<std::byte>& bytes : simpler)
    steps.try_edit([&](Case& c) {
      std::vector<std::byte>& values = c.operand(position).values;
      for (std::size_t to = at; to < (uniform ? values.size() : at + 1); to += size)
        std::copy(bytes.begin(), bytes.end(), values.begin() + static_cast<std::ptrdiff_t>(to));
    });
}

/// Simplifies the elements of an operand: one at a time if they are few, and all at once if they
/// are equal. Few elements are left because candidates with fewer elements come first.
void simplify_values(Steps& steps, std::int64_t few) {
  constexpr std::size_t kMostSteps = 96;  // for one operand with differing elements
  for (int i : steps.tensors()) {
    const Operand& operand = steps.original().operand(i);
    if (operand.values.empty() || !kElementwise.contains(operand.dtype)) continue;
    const auto part_size = static_cast<std::size_t>(itemsize(to_real(operand.dtype)));
    const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
    const std::int64_t count = element_count(operand);
    const bool uniform = is_uniform(operand);
    const std::size_t parts = (uniform ? size : operand.values.size()) / part_size;
    std::size_t most = kMostSteps;
    if (!uniform) {
      const std::vector<std::byte> in_order = counting(operand.dtype, count);
      if (operand.values == in_order) continue;
      simplify_all_elements(steps, i, in_order);
      if (count > few) continue;
      most = std::max<std::size_t>(2, kMostSteps / parts);
    }
    for (std::size_t part = 0; part < parts; ++part)
      simplify_part(steps, i, part * part_size, uniform, most);
  }
}

}  // namespace

Case with_dtype(Case c, int position, DType dtype) {
  const auto change = [&](int i) {
    Operand& operand = c.operand(i);
    if (operand.tag != Tag::kTensor && operand.tag != Tag::kDType) return;
    if (i != position && operand.shares != position) return;
    convert_values(operand, dtype);
    operand.dtype = dtype;
  };
  for (int i = 0; i < static_cast<int>(c.arguments.size()); ++i) change(i);
  change(kOutPosition);
  change(kSecondOutPosition);
  return c;
}

std::optional<Case> with_elements(const Case& c, std::int64_t first, std::int64_t kept) {
  Case part = c;
  std::int64_t length = 0;
  const auto keep = [&](Operand& operand) {
    if (operand.tag != Tag::kTensor || operand.sizes.empty() || element_count(operand) == 1)
      return true;
    const std::int64_t count = element_count(operand);
    if (operand.sizes.size() != 1 || first + kept > count || (length != 0 && length != count))
      return false;
    length = count;
    keep_values(operand, first, kept);
    operand.sizes = {kept};
    operand.strides.clear();
    return true;
  };
  for (Operand& operand : part.arguments) {
    const bool is_spelled = operand.tag != Tag::kTensor || element_count(operand) == 1 ||
                            !operand.values.empty() || operand.shares != kOwnStorage;
    if (!is_spelled || !keep(operand)) return std::nullopt;
  }
  if (length == 0 || !keep(part.out) || !keep(part.second_out)) return std::nullopt;
  return part;
}

std::vector<Case> simpler_cases(const Case& c, Simplification how, bool (*admits)(const Case&),
                                std::int64_t few) {
  Steps steps(c, admits);
  switch (how) {
    case Simplification::kSettings:
      simplify_settings(steps);
      break;
    case Simplification::kArguments:
      drop_operands(steps);
      break;
    case Simplification::kNumbers:
      simplify_numbers(steps);
      break;
    case Simplification::kElements:
      pick_elements(steps);
      break;
    case Simplification::kShapes:
      simplify_shapes(steps);
      break;
    case Simplification::kDTypes:
      simplify_dtypes(steps);
      break;
    case Simplification::kLayouts:
      simplify_layouts(steps);
      break;
    case Simplification::kValues:
      simplify_values(steps, few);
      break;
  }
  return steps.take();
}

std::vector<Case> simpler_cases(const Case& c, bool (*admits)(const Case&), std::int64_t few) {
  std::vector<Case> all;
  for (std::size_t how = 0; how < kSimplificationNames.size(); ++how)
    for (Case& simpler : simpler_cases(c, static_cast<Simplification>(how), admits, few))
      all.push_back(std::move(simpler));
  return all;
}

}  // namespace upcast
