// Changes of a decoded case, each of which means something.
#pragma once

#include "cases/case.h"
#include "fuzz/random.h"

namespace upcast::fuzz {

/// One to three changes: another op with operands kept, another form; operands swapped; a dtype, a
/// kind, a shape, a layout, values, an attribute, the default dtype, sharing of storage. The result
/// may be a case that the codec cannot hold.
void mutate(Random& random, Case& c);

/// A case of the op of `a` with operands of both.
Case cross(Random& random, const Case& a, const Case& b);

}  // namespace upcast::fuzz
