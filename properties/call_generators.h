// Generators of calls: an op of the catalogue with vectors, attributes, forms.
#pragma once

#include <string_view>

#include "cases/draw/call.h"
#include "properties/generators.h"

namespace upcast::properties {

/// Draws a call whose tensors are vectors of one length, from 1 to `elements`, with elements of
/// their own. It avoids calls that end a system or take it years (ValueWish::safe).
Case draw_call(Draw& draw, std::string_view callable, CallWish wish = {}, int elements = 6);

/// Functional callables of the catalogue with at least one Tensor parameter that yield one tensor
/// of the operands' shape.
const std::vector<std::string_view>& elementwise_callables();

/// Any elementwise callable, with attributes, vectors of up to 40 elements.
extern const Generator kAnyCalls;
/// Any form, mixed dtypes and kinds. Some calls promote, some are refused.
extern const Generator kMixedCalls;

}  // namespace upcast::properties
