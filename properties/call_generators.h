// Generators of calls: an op of the catalogue with vectors, attributes, forms.
#pragma once

#include <string_view>

#include "properties/generators.h"

namespace upcast::properties {

/// What the operands of a call are to be.
struct CallWish {
  DTypeSet dtypes{};           // of the tensors; empty: those of the op's kernels
  bool mixed = false;          // a dtype for each tensor, else one for all
  bool kinds = false;          // zero-dim tensors and wrapped numbers behind the first operand
  bool attributes = false;     // values for attributes, else their defaults
  std::int64_t elements = 6;   // at most; at least one
  bool spelled_values = true;  // the line holds them, so that they shrink; else class and seed
};

/// A call whose tensors are vectors of one length. An out operand has the first tensor's dtype.
/// Degrees of polynomials are small, integral divisors neither 0 nor -1 where all operands are
/// integral (some systems end there), and ops that step through their arguments get small ones.
Case draw_call(Draw& draw, std::string_view callable, const CallWish& wish);

/// Functional callables of the catalogue with at least one Tensor parameter that yield one tensor
/// of the operands' shape.
const std::vector<std::string_view>& elementwise_callables();
/// Their in-place and out= forms.
const std::vector<std::string_view>& writing_callables();

/// Any elementwise callable, with attributes, vectors of up to 40 elements.
extern const Generator kAnyCalls;
/// Any form, mixed dtypes and kinds: what promotes, what is refused.
extern const Generator kMixedCalls;

}  // namespace upcast::properties
