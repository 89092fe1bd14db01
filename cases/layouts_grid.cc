#include <algorithm>
#include <array>

#include "cases/grid_rows.h"
#include "cases/grids.h"
#include "cases/layout_variants.h"

namespace upcast::internal {
namespace {

using Operands = std::vector<Operand>;

/// How many layouts the second and the third tensor have in cases of three tensors.
constexpr std::size_t kFewLayouts = 3;

constexpr std::array<std::int64_t, 10> kLengths{1, 7, 15, 16, 17, 31, 33, 64, 257, 1000};

Operands first_of(Operands operands, std::size_t count) {
  if (operands.size() > count) operands.resize(count);
  return operands;
}

/// A tensor in three layouts: dense, reversed and expanded.
Operands few_layouts(DType dtype, const Dims& sizes) {
  const Operands all = layouts_of(dtype, sizes);
  Operands few{all.front()};
  if (all.size() > 3) few.push_back(all[3]);
  if (all.size() > 4) few.push_back(all.back());
  return few;
}

void add_shapes(std::vector<GridRow>& rows, const GridCallable& callable, DType dtype, DType last,
                const Dims& sizes, bool thorough) {
  GridRow row = plain_row(callable);
  const std::size_t count = callable.tensors.size();
  for (std::size_t i = 0; i < count; ++i) {
    const DType own = callable.dtype_of(callable.tensors[i], i + 1 == count ? last : dtype);
    const bool written = callable.form == Form::kInPlace && i == 0;
    const bool all = thorough && (i == 0 || (count == 2 && callable.form != Form::kOut));
    Operands axis = all ? layouts_of(own, sizes) : few_layouts(own, sizes);
    if (thorough && !written) append(axis, first_of(roles_of(own, sizes), all ? 9 : kFewLayouts));
    set_axis(row, callable.tensors[i], std::move(axis));
  }
  if (callable.form == Form::kOut) {
    Operands outs = outs_of(callable.out_dtype(dtype), sizes);
    if (!thorough) outs = {outs.front(), outs[outs.size() > 5 ? 3 : 1], outs.back()};
    set_axis(row, kOutPosition, std::move(outs));
  }
  rows.push_back(std::move(row));
}

/// Adds rows in which the elements of one operand lie between those of another.
void add_interleaved(std::vector<GridRow>& rows, const GridCallable& callable, const Dims& sizes,
                     int owner) {
  constexpr DType kDType = DType::kFloat32;
  GridRow row = plain_row(callable);
  for (const int position : callable.tensors) {
    const DType dtype = callable.dtype_of(position, kDType);
    if (position == owner)
      set_axis(row, position, {with_gaps(dtype, sizes)});
    else if (position > owner && callable.form == Form::kInPlace && dtype == kDType)
      set_axis(row, position, {in_the_gaps(dtype, sizes, owner)});
    else
      set_axis(row, position, {tensor(dtype, sizes)});
  }
  if (callable.form == Form::kOut) set_axis(row, kOutPosition, {in_the_gaps(kDType, sizes, owner)});
  rows.push_back(std::move(row));
}

void add_overlap(std::vector<GridRow>& rows, const GridCallable& callable, const Dims& sizes,
                 bool thorough) {
  if (callable.form == Form::kFunctional) return;
  // an op without overlap checks has no defined answer: it depends on the order of the loop
  if (!callable.op.spec->checks_overlap) return;
  constexpr DType kDType = DType::kFloat32;
  for (const int owner : callable.tensors) {
    if (callable.dtype_of(owner, kDType) != kDType) continue;
    if (callable.form == Form::kInPlace && owner != 0) break;
    const Operands views = first_of(views_of(kDType, sizes, owner), thorough ? 10 : 1);
    GridRow row = plain_row(callable);
    for (const int position : callable.tensors) {
      const DType dtype = callable.dtype_of(position, kDType);
      Operands axis{tensor(dtype, sizes)};
      if (position > owner && dtype == kDType) append(axis, views);
      set_axis(row, position, std::move(axis));
    }
    if (callable.form == Form::kOut) set_axis(row, kOutPosition, views);
    rows.push_back(std::move(row));
    if (thorough) add_interleaved(rows, callable, sizes, owner);
  }
}

/// Adds rows in which the output overlaps itself in a way that LibTorch does not notice. The result
/// shows the order in which its loop reads and writes.
void add_folded(std::vector<GridRow>& rows, const GridCallable& callable) {
  if (callable.form == Form::kFunctional) return;
  constexpr std::array<std::array<DType, 2>, 3> kDTypes{{{DType::kFloat32, DType::kFloat32},
                                                         {DType::kFloat32, DType::kFloat64},
                                                         {DType::kInt32, DType::kInt32}}};
  for (const auto& [dtype, other] : kDTypes) {
    const int last = callable.tensors.back();
    if (other != dtype && (callable.tensors.size() == 1 || callable.dtype_of(last, other) != other))
      continue;
    for (const Operand& folded : folded_layouts(dtype)) {
      GridRow row = plain_row(callable);
      for (const int position : callable.tensors) {
        const DType own = callable.dtype_of(position, position == last ? other : dtype);
        const bool written = callable.form == Form::kInPlace && position == 0;
        set_axis(row, position, {written ? folded : tensor(own, folded.sizes)});
      }
      if (callable.form == Form::kOut) {
        Operand out = folded;
        out.dtype = callable.out_dtype(dtype);
        set_axis(row, kOutPosition, {out});
      }
      rows.push_back(std::move(row));
    }
  }
}

/// One-dimensional tensors with `length` elements in different strides. A written tensor is never
/// expanded.
Operands lines(DType dtype, std::int64_t length, bool written) {
  Operands axis{tensor(dtype, {length})};
  for (const std::int64_t stride : {1, 2, 0}) {
    if (stride == 0 && (written || length == 1)) continue;
    Operand operand = tensor(dtype, {length});
    if (stride != 1 && length > 1) operand.strides = {stride};
    operand.offset = stride == 0 ? 0 : 1;
    if (std::find(axis.begin(), axis.end(), operand) == axis.end()) axis.push_back(operand);
  }
  return axis;
}

void add_lengths(std::vector<GridRow>& rows, const GridCallable& callable) {
  constexpr std::array<DType, 4> kDTypes{DType::kFloat32, DType::kBFloat16, DType::kInt32,
                                         DType::kComplex64};
  for (const DType dtype : kDTypes) {
    for (const std::int64_t length : kLengths) {
      GridRow row = plain_row(callable);
      for (const int position : callable.tensors) {
        const bool written = callable.form == Form::kInPlace && position == 0;
        const DType own = callable.dtype_of(position, dtype);
        Operands axis = lines(own, length, written);
        if (position > 0) axis.push_back(tensor(own, {}));
        set_axis(row, position, std::move(axis));
      }
      if (callable.form == Form::kOut)
        set_axis(row, kOutPosition, lines(callable.out_dtype(dtype), length, true));
      rows.push_back(std::move(row));
    }
  }
}

}  // namespace

std::vector<GridRow> layouts_rows() {
  std::vector<GridRow> rows;
  for_each_callable([&rows](const Op& op, int overload, Form form) {
    const GridCallable callable{op, overload, form, tensor_positions(op.schemas[overload])};
    if (callable.tensors.empty() || op.schemas[overload].returns != "Tensor") return;
    const bool thorough = op.spec->has_layouts_of_interest;
    const std::vector<Dims> two_shapes{{2, 3}, {2, 3, 2, 2}};
    for (const Dims& sizes : thorough ? layout_shapes() : two_shapes) {
      add_shapes(rows, callable, DType::kFloat32, DType::kFloat32, sizes, thorough);
      if (!thorough || callable.tensors.size() != 2) continue;
      add_shapes(rows, callable, DType::kFloat32, DType::kInt32, sizes, thorough);
      // again with the dtypes swapped: the first operand's layout leads, and now that operand is
      // converted
      if (form == Form::kFunctional)
        add_shapes(rows, callable, DType::kInt32, DType::kFloat32, sizes, thorough);
    }
    for (const Dims& sizes : {Dims{4}, Dims{3, 3}, Dims{2, 0}})
      add_overlap(rows, callable, sizes, thorough);
    add_folded(rows, callable);
    add_lengths(rows, callable);
  });
  return rows;
}

}  // namespace upcast::internal
