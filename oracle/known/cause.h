// A known difference as a cause: the calls that it applies to, beyond the cases that its selector
// names.
#pragma once

#include <memory>

#include "cases/known_differences.h"

namespace upcast {

/// The calls that an entry's cause covers. Selectors name cases of the grids only, so that a stale
/// entry is noticed. Users and campaigns have values, layouts and attributes that no grid has. If
/// the wrong answer is a model, exact to the bit, a trap or a timeout, the entry covers any
/// operands of its callables. If its model also knows every op (a conversion's fault), it covers
/// all callables. Any other entry covers any value class. Other deaths cover what their selector
/// names.
std::shared_ptr<const Selector> calls_of_cause(const KnownDifference& entry);

}  // namespace upcast
