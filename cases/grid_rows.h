// Helpers that make grid rows of one callable.
#pragma once

#include <vector>

#include "cases/grid.h"
#include "cases/operands.h"

namespace upcast::internal {

void append(std::vector<Operand>& axis, const std::vector<Operand>& more);

/// A row of one callable without axes, every argument left to its default.
GridRow start_row(const Op& op, int overload, Form form);

/// Sets what an argument (kOutPosition: out) holds: several operands become an axis, one is fixed,
/// none leaves it to its default.
void set_axis(GridRow& row, int position, std::vector<Operand> axis);

/// A form of an overload, as the grids of layouts and of devices see it.
struct GridCallable {
  const Op& op;
  int overload;
  Form form;
  std::vector<int> tensors;  // positions of its tensors

  const Parameter& parameter(int position) const {
    return op.schemas[overload].parameters[position];
  }
  /// The dtype of an operand in a call where most operands have `dtype`.
  DType dtype_of(int position, DType dtype) const;
  /// The dtype of out= in a call whose operands have `dtype`.
  DType out_dtype(DType dtype) const;
};

/// A row with one value for each attribute.
GridRow plain_row(const GridCallable& callable);

}  // namespace upcast::internal
