// The catalogue holds every op. It is searched by name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "impl/ops/call.h"
#include "impl/ops/op_spec.h"
#include "impl/ops/schema.h"

namespace upcast {

/// A row of the catalogue: the spec of an op's struct, and pointers to the struct's functions.
/// Functions that the struct lacks are null.
struct Op {
  const OpSpec* spec;
  std::string_view family;
  std::vector<Schema> schemas{};             // the schema of each overload
  CheckFunction check = nullptr;             // the op's check before dtypes are computed
  CheckTypesFunction check_types = nullptr;  // the op's check once dtypes are known
  TypesFunction types = nullptr;             // decides the dtypes, for PromotionKind::kOwn
  ComposeFunction compose = nullptr;         // runs the op as a composition, without a kernel
  ComposesFunction composes = nullptr;       // null: if compose is set, every call is a composition
  KernelTable kernels{};                     // indexed by the code of the compute dtype

  /// The callable of an overload in a form; "" if the overload lacks this form.
  std::string_view callable(int overload, Form form) const;

  /// Whether a call runs as a composition of other ops.
  bool is_composition(const Call& call) const {
    return compose != nullptr && (composes == nullptr || composes(call));
  }

  /// How many tensors a call returns.
  int output_count() const;
};

/// All ops of the catalogue, in the order of their families.
std::span<const Op> catalogue();

/// An op and one of its overloads, found by a callable ("add.Tensor", "add_.Tensor", "add.out").
/// `op` is null if there is none.
struct FoundOp {
  const Op* op = nullptr;
  int overload = 0;
  Form form = Form::kFunctional;
};
FoundOp find_callable(std::string_view callable);

}  // namespace upcast
