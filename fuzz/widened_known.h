// Known differences as a campaign takes them.
#pragma once

#include <vector>

#include "cases/known_differences.h"

namespace upcast::fuzz {

/// Selectors are cut to the grids, so that an entry that has gone stale is noticed; a campaign has
/// values, layouts and attributes that no grid has. Where an entry's wrong answer is a model, exact
/// to the bit, or a trap, it speaks for any operands of its callables, and for all callables where
/// the fault is a conversion's; any other entry for any value class. Other deaths stay as they are.
std::vector<KnownDifference> widened(std::vector<KnownDifference> entries);

}  // namespace upcast::fuzz
