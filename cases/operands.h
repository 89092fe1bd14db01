// Helpers that make operands, and that tell what a call of the catalogue is made of.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/case.h"

namespace upcast {

/// Makes a contiguous tensor operand, whose elements come from the case's value class.
Operand tensor(DType dtype, Dims sizes);
Operand number(Number value);
Operand text(std::string value);
inline const Operand kNoneOperand{.tag = Operand::Tag::kNone};

/// Whether a parameter is a Tensor or a Tensor?.
bool is_tensor(const Parameter& parameter);
/// Whether a parameter is a Scalar or a Scalar?.
bool is_scalar(const Parameter& parameter);
/// Positions of a schema's Tensor and Tensor? parameters.
std::vector<int> tensor_positions(const Schema& schema);

/// Positions of a case's arguments that are tensors.
std::vector<int> tensor_arguments(const Case& c);

/// The position of the argument that the in-place form writes.
int written_position(const Case& c);

/// A case of a callable without out=, with every argument left to its default.
Case case_of(const FoundOp& callable);
/// The shape that the tensors among the arguments broadcast to; nothing if they do not broadcast.
std::optional<Dims> broadcast_shape(const Case& c);
/// Gives the case an out=, and a second one of its shape where the op has two outputs.
void set_out(Case& c, Operand out);

/// Calls f(op, overload, form) for every callable of the catalogue, in its order.
template <class F>
void for_each_callable(F f) {
  for (const Op& op : catalogue())
    for (int overload = 0; overload < static_cast<int>(op.schemas.size()); ++overload)
      for (Form form : {Form::kFunctional, Form::kInPlace, Form::kOut})
        if (!op.callable(overload, form).empty()) f(op, overload, form);
}

}  // namespace upcast
