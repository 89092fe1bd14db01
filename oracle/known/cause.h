// The cause of a known difference: it covers calls beyond the cases that the entry's selector
// names.
#pragma once

#include <memory>

#include "cases/known_differences.h"

namespace upcast {

/// The calls that an entry's cause covers. Selectors name cases of the grids only, so that a stale
/// entry is noticed. Users and campaigns also have values, layouts and attributes that no grid has.
/// So a wrong answer that is a model, exact to the bit, a trap or a timeout covers any operands of
/// the entry's callables. A model that knows every op, because the fault is in a conversion, covers
/// all callables. Any other wrong answer covers any value class. Other deaths cover only what the
/// selector names.
std::shared_ptr<const Selector> calls_of_cause(const KnownDifference& entry);

}  // namespace upcast
