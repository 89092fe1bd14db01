// The catalogue: every op, found by name.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "impl/ops/call.h"
#include "impl/ops/op_spec.h"
#include "impl/ops/schema.h"

namespace upcast {

/// A catalogue row at run time: the spec of an op's struct, and pointers to its functions.
struct Op {
  const OpSpec* spec;
  std::string_view family;
  std::vector<Schema> schemas{};             // one an overload
  CheckFunction check = nullptr;             // refusals before any type is computed
  CheckTypesFunction check_types = nullptr;  // refusals once dtypes are known
  TypesFunction types = nullptr;             // PromotionKind::kOwn
  ComposeFunction compose = nullptr;         // a composition: no kernel runs
  ComposesFunction composes = nullptr;       // null: every call is one, where compose is given
  KernelTable kernels{};                     // by compute dtype

  /// The callable of an overload in a form, "" where it has none.
  std::string_view callable(int overload, Form form) const;

  /// Whether a call is a composition of others.
  bool is_composition(const Call& call) const {
    return compose != nullptr && (composes == nullptr || composes(call));
  }

  /// How many tensors a call yields.
  int output_count() const;
};

/// All ops, in the order of their families.
std::span<const Op> catalogue();

/// An op and one of its overloads by callable ("add.Tensor", "add_.Tensor", "add.out"); op is null
/// where there is none.
struct FoundOp {
  const Op* op = nullptr;
  int overload = 0;
  Form form = Form::kFunctional;
};
FoundOp find_callable(std::string_view callable);

}  // namespace upcast
