// Changes of a decoded case, each of which means something.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cases/case.h"
#include "cases/draw/choices.h"

namespace upcast::fuzz {

/// One to three changes: another op with operands kept, another form; operands swapped; a dtype, a
/// kind, a shape, a layout, values, an attribute, the default dtype, sharing of storage. The result
/// may be a case that the codec cannot hold.
void mutate(Random& random, Case& c);

/// What a campaign tries next: a mutation of the case, or of a fresh one, as bytes. Most of those
/// that our side would refuse are left out: refusals cost LibTorch an exception each, and say less
/// than answers. Nothing where the codec holds none of several tries.
std::optional<std::vector<std::uint8_t>> mutated_bytes(Random& random, const Case& before);

/// A case of the op of `a` with operands of both.
Case cross(Random& random, const Case& a, const Case& b);

}  // namespace upcast::fuzz
