// Helpers that make grid rows of one callable.
#pragma once

#include <vector>

#include "cases/grid.h"
#include "cases/operands.h"

namespace upcast::internal {

void append(std::vector<Operand>& axis, const std::vector<Operand>& more);

/// A row of one callable without axes, every argument left to its default.
GridRow start_row(const Op& op, int overload, Form form);

/// Sets the values of an argument (kOutPosition: out=) in a row. Several operands become an axis, a
/// single one is fixed, and none leaves the argument to its default.
void set_axis(GridRow& row, int position, std::vector<Operand> axis);

/// One form of an overload, with what the grids ask of it.
struct GridCallable {
  const Op& op;
  int overload;
  Form form;
  std::vector<int> tensors;  // positions of the Tensor and Tensor? parameters

  const Parameter& parameter(int position) const {
    return op.schemas[overload].parameters[position];
  }
  /// The dtype of the operand at `position`: bool for a mask, else `dtype`.
  DType dtype_of(int position, DType dtype) const;
  /// The dtype of out=: bool if the op always returns bool, else `dtype`.
  DType out_dtype(DType dtype) const;
};

/// A row in which each attribute has its first plain value (plain_values), and tensors are not set
/// yet.
GridRow plain_row(const GridCallable& callable);

}  // namespace upcast::internal
