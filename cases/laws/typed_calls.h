// Makes the calls that laws are asked with: calls of a catalogue row with a dtype for each operand.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "cases/operands.h"

namespace upcast::internal {

/// A call, and which of its arguments decide the common dtype.
struct TypedCall {
  Case call;
  std::vector<int> deciding;  // positions of the deciding arguments: tensors and numbers, no masks

  /// The dtype that the deciding operands promote to; nothing if they do not promote.
  std::optional<DType> common_dtype() const;
  /// Whether a deciding tensor has a dtype other than `common`.
  bool is_mixed(DType common) const;
  bool has_several_dtypes() const;
  /// The same call with every deciding tensor converted to `dtype`, element by element.
  Case cast_to(DType dtype) const;
  /// Whether cast_to() keeps the value of every element.
  bool casts_exactly(DType dtype) const;
};

using TypedCallVisitor = std::function<void(const TypedCall&)>;

/// Visits every call of an op in a form. Its tensors have one dimension and all dtypes (for several
/// tensors: all pairs of dtypes). In the functional form there are also calls whose last tensor is
/// zero-dim. Scalars and attributes take the values that choose between rules of promotion. The
/// caller must add out=.
void for_each_typed_call(const Op& op, Form form, const TypedCallVisitor& visit);
/// Like for_each_typed_call for an op, but visits the calls of one overload only.
void for_each_typed_call(const Op& op, int overload, Form form, const TypedCallVisitor& visit);

}  // namespace upcast::internal
