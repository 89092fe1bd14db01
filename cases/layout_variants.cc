#include "cases/layout_variants.h"

#include <algorithm>

#include "cases/layout.h"
#include "cases/operands.h"

namespace upcast::internal {
namespace {

Operand strided(DType dtype, const Dims& sizes, Dims strides, std::int64_t offset = 0) {
  Operand operand = tensor(dtype, sizes);
  set_strides(operand, std::move(strides));
  operand.offset = offset;
  return operand;
}

void add_new(std::vector<Operand>& operands, const Operand& operand) {
  if (std::find(operands.begin(), operands.end(), operand) == operands.end())
    operands.push_back(operand);
}

Dims with_size(Dims sizes, std::size_t dim, std::int64_t size) {
  sizes[dim] = size;
  return sizes;
}

}  // namespace

const std::vector<Dims>& layout_shapes() {
  static const std::vector<Dims> shapes{
      {},
      {6},
      {0},
      {1},
      {2, 3},
      {3, 1},
      {2, 0},
      {2, 3, 4},
      {2, 1, 3},
      {3, 0, 2},
      {2, 3, 2, 2},
      {2, 1, 3, 2},
      {1, 3, 2, 2},
      {2, 3, 1, 2, 2},
      {2, 0, 2, 1, 3},
  };
  return shapes;
}

std::vector<Operand> layouts_of(DType dtype, const Dims& sizes) {
  std::vector<Operand> operands{tensor(dtype, sizes)};
  const std::size_t rank = sizes.size();
  add_new(operands, strided(dtype, sizes, contiguous_strides(sizes), 1));
  if (rank == 0) return operands;
  add_new(operands, strided(dtype, sizes, times(contiguous_strides(sizes), 2), 3));
  add_new(operands, strided(dtype, sizes, reversed_strides(sizes)));
  Dims wide = sizes;  // the tensor is a slice of longer rows
  wide.back() += 2;
  add_new(operands, strided(dtype, sizes, contiguous_strides(wide), 1));
  if (rank == 3) add_new(operands, strided(dtype, sizes, dense_strides(sizes, {2, 0, 1})));
  if (rank == 4) add_new(operands, strided(dtype, sizes, dense_strides(sizes, {1, 3, 2, 0})));
  if (rank == 5) add_new(operands, strided(dtype, sizes, dense_strides(sizes, {1, 4, 3, 2, 0})));
  for (const std::size_t dim : {std::size_t{0}, rank - 1}) {
    Dims strides = contiguous_strides(with_size(sizes, dim, 1));
    strides[dim] = 0;
    add_new(operands, strided(dtype, sizes, strides));
  }
  return operands;
}

std::vector<Operand> roles_of(DType dtype, const Dims& sizes) {
  std::vector<Operand> operands{tensor(dtype, {})};
  const std::size_t rank = sizes.size();
  if (rank == 0) {
    add_new(operands, tensor(dtype, {1}));
    add_new(operands, tensor(dtype, {2}));
    return operands;
  }
  for (const std::size_t dim : {std::size_t{0}, rank / 2, rank - 1})
    add_new(operands, tensor(dtype, with_size(sizes, dim, 1)));
  add_new(operands, tensor(dtype, Dims(sizes.begin() + 1, sizes.end())));
  add_new(operands, tensor(dtype, Dims(rank, 1)));
  add_new(operands, tensor(dtype, with_size(sizes, rank - 1, sizes.back() + 2)));
  if (rank < 5) {
    Dims longer{2};
    longer.insert(longer.end(), sizes.begin(), sizes.end());
    add_new(operands, tensor(dtype, longer));
  }
  return operands;
}

std::vector<Operand> outs_of(DType dtype, const Dims& sizes) {
  std::vector<Operand> operands = layouts_of(dtype, sizes);
  add_new(operands, tensor(dtype, {0}));
  add_new(operands, tensor(dtype, {}));
  add_new(operands, tensor(dtype, {7}));
  add_new(operands, strided(dtype, {2, 2}, {1, 2}, 1));
  return operands;
}

Operand with_gaps(DType dtype, const Dims& sizes) {
  return strided(dtype, sizes, times(contiguous_strides(sizes), 2));
}

Operand in_the_gaps(DType dtype, const Dims& sizes, int owner) {
  Operand operand = strided(dtype, sizes, times(contiguous_strides(sizes), 2), 1);
  operand.shares = owner;
  return operand;
}

std::vector<Operand> folded_layouts(DType dtype) {
  return {strided(dtype, {2, 2}, {1, 1}), strided(dtype, {3, 4}, {1, 2}),
          strided(dtype, {2, 19}, {1, 1}), strided(dtype, {3, 2, 3}, {2, 1, 1})};
}

std::vector<Operand> views_of(DType dtype, const Dims& sizes, int owner) {
  const std::int64_t count = numel(sizes);
  std::vector<Operand> operands{
      tensor(dtype, sizes),
      strided(dtype, sizes, reversed_strides(sizes)),
      strided(dtype, sizes, contiguous_strides(sizes), 1),
      strided(dtype, sizes, contiguous_strides(sizes), count),
      tensor(dtype, {}),
      tensor(dtype, {1}),
      tensor(dtype, {count}),
  };
  std::vector<Operand> distinct;
  for (Operand& operand : operands) {
    operand.shares = owner;
    add_new(distinct, operand);
  }
  return distinct;
}

}  // namespace upcast::internal
