// Overloads that compute the same function: aliases, and those that take a Scalar in a Tensor's
// place.
#pragma once

#include <functional>
#include <vector>

#include "cases/laws/typed_calls.h"

namespace upcast::internal {

/// Two overloads of a catalogue row, by their indices in it.
struct Twins {
  int first = 0, second = 0;
};

/// The pairs of a row's overloads whose parameters have the same types: the first such overload
/// with each later one.
std::vector<Twins> aliases(const Op& op);

/// A call with a number in the place of a tensor, written in three ways.
struct NumberCall {
  Case wrapped;               // the call with a wrapped number
  Case zero_dim;              // the call with a zero-dim tensor of the number's dtype
  std::vector<Case> scalars;  // the calls of overloads that take a Scalar there
};

/// Visits every functional and in-place call of an op in which one tensor is replaced by a number
/// of each kind, and all other tensors have one dtype.
void for_each_number_call(const Op& op, const std::function<void(const NumberCall&)>& visit);

}  // namespace upcast::internal
