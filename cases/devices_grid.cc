#include <array>

#include "cases/grid_rows.h"
#include "cases/grids.h"

namespace upcast::internal {
namespace {

using Operands = std::vector<Operand>;

/// Pairs of dtypes: the first operands of a call have the first one, its last operand has the
/// second.
constexpr std::array<std::array<DType, 2>, 4> kPairs{{{DType::kFloat32, DType::kFloat32},
                                                      {DType::kInt32, DType::kInt32},
                                                      {DType::kInt64, DType::kFloat32},
                                                      {DType::kComplex64, DType::kFloat64}}};
const Dims kLine{3};

Operand on_cpu(DType dtype, Dims sizes) {
  Operand operand = tensor(dtype, std::move(sizes));
  operand.device = Device::kCpu;
  return operand;
}

/// A number for a call with operands of `dtype`. With it, no integer is divided by zero and no call
/// is refused for its dtypes, which would say nothing about devices.
Operand fitting_number(DType dtype) { return is_integral(dtype) ? number(3) : number(2.5); }

Operands operands_of(DType dtype, bool is_written, bool may_be_number) {
  Operands axis{tensor(dtype, kLine), tensor(dtype, {}), on_cpu(dtype, kLine), on_cpu(dtype, {})};
  if (!is_written) axis.push_back(on_cpu(dtype, {1}));
  if (may_be_number) axis.push_back(fitting_number(dtype));
  return axis;
}

Operands outs_of(DType dtype) {
  return {tensor(dtype, kLine), tensor(dtype, {0}), on_cpu(dtype, kLine), on_cpu(dtype, {}),
          on_cpu(dtype, {0})};
}

GridRow make_row(const GridCallable& callable, DType first, DType last) {
  GridRow row = plain_row(callable);
  const std::size_t count = callable.tensors.size();
  for (std::size_t i = 0; i < count; ++i) {
    const int position = callable.tensors[i];
    const DType dtype = callable.dtype_of(position, i + 1 == count ? last : first);
    const bool is_written = callable.form == Form::kInPlace && i == 0;
    Operands axis = operands_of(dtype, is_written, i > 0);
    if (callable.parameter(position).type == ParameterType::kOptionalTensor)
      axis.push_back(kNoneOperand);
    set_axis(row, position, std::move(axis));
  }
  if (callable.form == Form::kOut) set_axis(row, kOutPosition, outs_of(callable.out_dtype(last)));
  return row;
}

}  // namespace

std::vector<GridRow> devices_rows() {
  std::vector<GridRow> rows;
  for_each_callable([&rows](const Op& op, int overload, Form form) {
    const GridCallable callable{op, overload, form, tensor_positions(op.schemas[overload])};
    if (callable.tensors.empty()) return;
    for (const auto& [first, last] : kPairs) rows.push_back(make_row(callable, first, last));
  });
  return rows;
}

}  // namespace upcast::internal
