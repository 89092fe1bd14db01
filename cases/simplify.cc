#include "cases/simplify.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>

#include "cases/element.h"
#include "cases/layout.h"
#include "cases/operands.h"
#include "cases/values.h"
#include "impl/core/cast.h"
#include "impl/ops/number_cast.h"

namespace upcast {
namespace {

using Tag = Operand::Tag;

/// Bool, integers, floating and complex dtypes, those that compute in themselves first; a dtype
/// without elementwise kernels is the least simple.
auto complexity(DType dtype) {
  return std::tuple(!kElementwise.contains(dtype), category(dtype), compute_dtype(dtype) != dtype,
                    group(dtype), code(dtype));
}

std::vector<DType> from_the_simplest() {
  std::vector<DType> dtypes = kElementwise.dtypes();
  std::sort(dtypes.begin(), dtypes.end(),
            [](DType a, DType b) { return complexity(a) < complexity(b); });
  return dtypes;
}

/// The limits of a real dtype that has arithmetic: lowest and highest.
std::vector<std::vector<std::byte>> limits(DType dtype) {
  if (!is_integral(dtype) && !is_floating(dtype)) return {};
  if (is_floating(dtype))
    return {element_of(dtype, -largest_finite(dtype)), element_of(dtype, largest_finite(dtype))};
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  std::vector<std::vector<std::byte>> limits(2, std::vector<std::byte>(size));
  std::fill(limits[1].begin(), limits[1].end(), std::byte{0xff});
  if (has_sign(dtype)) limits[0].back() = std::byte{0x80}, limits[1].back() = std::byte{0x7f};
  return limits;
}

/// Elements are converted to this dtype and kept; a limit becomes the same limit of it.
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
  const auto old_limits = limits(operand.dtype);
  const auto new_limits = limits(to);
  if (category(operand.dtype) == category(to))
    for (std::int64_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < old_limits.size(); ++k)
        if (std::equal(old_limits[k].begin(), old_limits[k].end(),
                       operand.values.begin() + i * from_size) &&
            old_limits[k] != std::vector(old_limits[k].size(), std::byte{0}))
          std::copy(new_limits[k].begin(), new_limits[k].end(), values.begin() + i * to_size);
  operand.values = std::move(values);
}

/// Keeps `count` elements from the given one on.
void keep_values(Operand& operand, std::int64_t first, std::int64_t count) {
  if (operand.values.empty()) return;
  const std::int64_t size = itemsize(operand.dtype);
  operand.values = {operand.values.begin() + first * size,
                    operand.values.begin() + (first + count) * size};
}

/// Whether every operand that shares storage names a tensor of its own dtype that has some.
bool shares_rightly(const Case& c) {
  const auto is_right = [&c](const Operand& operand) {
    if (operand.shares == kOwnStorage) return true;
    const Operand& owner = c.operand(operand.shares);
    return owner.tag == Tag::kTensor && owner.shares == kOwnStorage && owner.dtype == operand.dtype;
  };
  return std::all_of(c.arguments.begin(), c.arguments.end(), is_right) && is_right(c.out);
}

/// As the notation has them.
void drop_row_major_strides(Case& c) {
  const auto drop = [](Operand& operand) { set_strides(operand, operand.strides); };
  for (Operand& operand : c.arguments) drop(operand);
  drop(c.out), drop(c.second_out);
}

/// Collects candidates; each step is an edit of a copy.
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
    found_.push_back(std::move(simpler));
  }
  /// Positions of the operands that `wanted` accepts, outputs included.
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

/// An int or a float is written as one.
bool takes_any_number(const Parameter& parameter) {
  return is_tensor(parameter) || is_scalar(parameter);
}

/// Without its imaginary part, without a fraction, True.
void simplify_numbers(Steps& steps) {
  for (int i : steps.positions([](const Operand& o) { return o.tag == Tag::kNumber; })) {
    const Number number = steps.original().operand(i).number;
    const bool any_kind =
        i < 0 ||
        takes_any_number(steps.original().schema().parameters[static_cast<std::size_t>(i)]);
    const auto rank = [](DType dtype) { return static_cast<int>(category(dtype)); };
    for (const Number simple : {Number(true), Number(1), Number(0.5)})
      if (any_kind && rank(simple.dtype()) < rank(number.dtype()))
        steps.try_edit([i, simple](Case& c) { c.operand(i).number = simple; });
    // within the kind of number, the first of these
    for (const auto& kind :
         {std::vector<Number>{true, false}, std::vector<Number>{1, 0, 2, -1},
          std::vector<Number>{0.5, 1.0, 0.0, 2.5}, std::vector<Number>{Complex<double>{1, 1}}}) {
      if (kind.front().dtype() != number.dtype()) continue;
      for (const Number& simple : kind) {
        if (simple == number) break;
        steps.try_edit([i, simple](Case& c) { c.operand(i).number = simple; });
      }
    }
  }
}

void simplify_dtypes(Steps& steps) {
  const auto has_dtype = [](const Operand& o) {
    return o.tag == Tag::kTensor || o.tag == Tag::kDType;
  };
  for (int i : steps.positions(has_dtype)) {
    const Operand& operand = steps.original().operand(i);
    for (const DType dtype : from_the_simplest()) {
      if (complexity(dtype) >= complexity(operand.dtype)) break;
      steps.try_edit([&, dtype](Case& c) { c = with_dtype(c, i, dtype); });
    }
  }
}

/// Drops the dimension `from_right`, counted from the last one, of every tensor that has it.
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

/// Sizes above one that all operands get at once: a difference may need equal ones.
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
    // A dimension that is dropped may not turn a dim tensor into a zero-dim one.
    const bool keeps_kinds = std::none_of(tensors.begin(), tensors.end(), [&](int i) {
      return d == 0 && steps.original().operand(i).sizes.size() == 1;
    });
    if (keeps_kinds) steps.try_edit([&](Case& c) { drop_dimension(c, tensors, d); });
    std::int64_t largest = 0;
    for (int i : tensors) {
      const Dims& sizes = steps.original().operand(i).sizes;
      if (d < sizes.size()) largest = std::max(largest, sizes[sizes.size() - 1 - d]);
    }
    for (std::int64_t size : {std::int64_t{1}, largest / 2, largest - 1})
      if (size >= 1 && size < largest)
        steps.try_edit([&](Case& c) { set_size(c, tensors, d, size); });
  }
}

/// One element of all vectors of one length, where their values are spelled out.
void pick_elements(Steps& steps) {
  const std::vector<int> vectors = steps.positions([](const Operand& o) {
    return o.tag == Tag::kTensor && o.sizes.size() == 1 && o.sizes[0] > 1 && !o.values.empty();
  });
  if (vectors.empty()) return;
  const std::int64_t length = steps.original().operand(vectors[0]).sizes[0];
  for (int i : vectors)
    if (steps.original().operand(i).sizes[0] != length) return;
  for (std::int64_t at = 0; at < length; ++at)
    steps.try_edit([&](Case& c) {
      for (int i : vectors) {
        keep_values(c.operand(i), at, 1);
        c.operand(i).sizes = {1};
        c.operand(i).strides.clear();
      }
      // A result has the length of the operands.
      for (int i : {kOutPosition, kSecondOutPosition})
        if (c.operand(i).tag == Tag::kTensor && c.operand(i).sizes == Dims{length})
          c.operand(i).sizes = {1}, c.operand(i).strides.clear();
    });
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

/// A number without all but its first significant digits, towards zero.
double cut(double value, int digits) {
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(value))) - digits + 1);
  return std::trunc(value / unit) * unit;
}

/// Simple values of a dtype and its limits, and of a real number its half, its whole part and its
/// first digits.
std::vector<std::vector<std::byte>> simpler_elements(DType dtype, const std::byte* element) {
  const auto size = static_cast<std::size_t>(itemsize(dtype));
  std::vector<std::vector<std::byte>> simpler;
  for (const double value : {1.0, 2.0, 0.0, -1.0, 0.5, -0.0, 3.0, -2.0, 1e9}) {
    std::vector<std::byte> bytes = element_of(dtype, value);
    if (is_integral(dtype) && real_part(dtype, bytes.data()) != value) continue;  // not held
    if (std::memcmp(bytes.data(), element, size) == 0) return simpler;
    simpler.push_back(std::move(bytes));
  }
  if (!is_integral(dtype) && !is_floating(dtype)) return simpler;
  for (std::vector<std::byte>& limit : limits(dtype)) {
    if (std::memcmp(limit.data(), element, size) == 0) return simpler;
    simpler.push_back(std::move(limit));
  }
  const double value = real_part(dtype, element);
  if (!std::isfinite(value) || value == 0) return simpler;
  std::vector<double> smaller_ones;
  for (const int digits : {1, 2, 4}) smaller_ones.push_back(cut(value, digits));
  const double divisor = std::abs(value) < 0x1p20 ? 2 : 0x1p16;  // so that chains stay short
  if (std::abs(value) >= 4)
    for (const double smaller :
         {std::trunc(std::sqrt(std::abs(value))), std::trunc(value / divisor)})
      smaller_ones.push_back(smaller);
  for (const double smaller : smaller_ones) {
    if (!(std::abs(smaller) < std::abs(value))) continue;
    std::vector<std::byte> bytes = element_of(dtype, smaller);
    if (std::memcmp(bytes.data(), element, size) != 0) simpler.push_back(std::move(bytes));
  }
  return simpler;
}

/// Whether all elements are one and the same.
bool is_uniform(const Operand& operand) {
  const auto size = static_cast<std::ptrdiff_t>(itemsize(operand.dtype));
  return std::equal(operand.values.begin() + size, operand.values.end(), operand.values.begin());
}

/// Only of operands of a few elements, one at a time (elements are picked first), and of those
/// whose elements are all alike, all at once.
void simplify_values(Steps& steps, std::int64_t few) {
  for (int i : steps.tensors()) {
    const Operand& operand = steps.original().operand(i);
    if (operand.values.empty() || !kElementwise.contains(operand.dtype)) continue;
    const bool uniform = is_uniform(operand);
    if (element_count(operand) > few && !uniform) continue;
    const auto size = static_cast<std::size_t>(itemsize(operand.dtype));
    for (std::size_t at = 0; at < operand.values.size(); at += size) {
      for (const auto& bytes : simpler_elements(operand.dtype, operand.values.data() + at))
        steps.try_edit([&](Case& c) {
          std::vector<std::byte>& values = c.operand(i).values;
          for (std::size_t to = at; to < (uniform ? values.size() : at + 1); to += size)
            std::copy(bytes.begin(), bytes.end(), values.begin() + static_cast<std::ptrdiff_t>(to));
        });
      if (uniform) break;
    }
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

std::vector<Case> simpler_cases(const Case& c, bool (*admits)(const Case&), std::int64_t few) {
  Steps steps(c, admits);
  simplify_settings(steps);
  drop_operands(steps);
  simplify_numbers(steps);
  pick_elements(steps);
  simplify_shapes(steps);
  simplify_dtypes(steps);
  simplify_layouts(steps);
  simplify_values(steps, few);
  return steps.take();
}

}  // namespace upcast
