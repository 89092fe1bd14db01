// Generators of calls of any op of the catalogue, with vectors, attributes and forms.
#pragma once

#include <string_view>

#include "cases/draw/call.h"
#include "properties/generators.h"

namespace upcast::properties {

/// Draws a call whose tensors are vectors of one length, from 1 to `elements`, with elements of
/// their own. It avoids calls that end a system's process or take it years (ValueWish::safe).
Case draw_call(Draw& draw, std::string_view callable, CallWish wish = {}, int elements = 6);

/// The catalogue's functional callables that have a Tensor parameter and return one tensor of the
/// operands' shape.
const std::vector<std::string_view>& elementwise_callables();

/// Draws calls of any elementwise callable, with attributes and with vectors of up to 40 elements.
extern const Generator kAnyCalls;
/// Draws calls in any form, with mixed dtypes and kinds. Some of them promote, some are refused.
extern const Generator kMixedCalls;

}  // namespace upcast::properties
