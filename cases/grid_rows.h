// What the makers of grid rows share: operands in short, and rows of one callable.
#pragma once

#include <string>
#include <vector>

#include "cases/grid.h"

namespace upcast::internal {

Operand tensor(DType dtype, Dims sizes);
Operand number(Number value);
Operand text(std::string value);
inline const Operand kNoneOperand{.tag = Operand::Tag::kNone};

/// True, 3, 2.5 and 1+2j: a number of each kind.
std::vector<Operand> kinds_of_numbers();

/// The members of a set, by code.
std::vector<DType> dtypes_of(DTypeSet set);

void append(std::vector<Operand>& axis, const std::vector<Operand>& more);

/// A row of one callable without axes, every argument left to its default.
GridRow start_row(const Op& op, int overload, Form form);

/// What an argument (kOutPosition: out) holds: several operands are an axis, one is fixed, none
/// leaves it to its default.
void set_axis(GridRow& row, int position, std::vector<Operand> axis);

bool is_tensor(const Parameter& parameter);
/// Positions of the Tensor and Tensor? parameters.
std::vector<int> tensor_positions(const Schema& schema);

/// A form of an overload, as the grids of layouts and of devices see it.
struct GridCallable {
  const Op& op;
  int overload;
  Form form;
  std::vector<int> tensors;  // positions of its tensors

  const Parameter& parameter(int position) const {
    return op.schemas[overload].parameters[position];
  }
  /// The dtype of an operand where most are of `dtype`.
  DType dtype_of(int position, DType dtype) const;
  /// The dtype of out= where the operands are of `dtype`.
  DType out_dtype(DType dtype) const;
};

/// A row with one value for each attribute.
GridRow plain_row(const GridCallable& callable);

/// Calls f(op, overload, form) for every callable of the catalogue, in its order.
template <class F>
void for_each_callable(F f) {
  for (const Op& op : catalogue())
    for (int overload = 0; overload < static_cast<int>(op.schemas.size()); ++overload)
      for (Form form : {Form::kFunctional, Form::kInPlace, Form::kOut})
        if (!op.callable(overload, form).empty()) f(op, overload, form);
}

}  // namespace upcast::internal
