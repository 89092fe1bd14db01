// A known difference as a cause: which calls it applies to, beyond the cases that its selector
// names.
#pragma once

#include <memory>

#include "cases/known_differences.h"

namespace upcast {

/// Selectors are cut to the grids, so that an entry that has gone stale is noticed; users and
/// campaigns have values, layouts and attributes that no grid has. Where an entry's wrong answer is
/// a model, exact to the bit, a trap or a timeout, it speaks for any operands of its callables, and
/// for all callables where its model knows every op (a conversion's fault); any other entry for any
/// value class. Other deaths speak for what their selector names.
std::shared_ptr<const Selector> calls_of_cause(const KnownDifference& entry);

}  // namespace upcast
