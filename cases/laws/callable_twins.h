// Overloads that compute the same: aliases, and those that take a Scalar in a Tensor's place.
#pragma once

#include <functional>
#include <vector>

#include "cases/laws/typed_calls.h"

namespace upcast::internal {

/// Two overloads of a catalogue row, by their places in it.
struct Twins {
  int first = 0, second = 0;
};

/// The overloads of a row whose parameters have the same types: each later one with the first.
std::vector<Twins> aliases(const Op& op);

/// A call with a number in the place of a tensor.
struct NumberCall {
  Case wrapped;               // the number as a wrapped number
  Case zero_dim;              // the number as a zero-dim tensor of its dtype
  std::vector<Case> scalars;  // as a Scalar, in the overloads that have one in the tensor's place
};

/// Every functional and in-place call of an op with one number, of each kind, and all other tensors
/// of one dtype.
void for_each_number_call(const Op& op, const std::function<void(const NumberCall&)>& visit);

}  // namespace upcast::internal
