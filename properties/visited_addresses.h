// The addresses of operands that a plan, or a thread of a launch, visits together.
#pragma once

#include <vector>

#include "impl/cuda/make_launches.h"

namespace upcast::properties {

/// The addresses that one step of a plan visits: one element of each present operand, outputs
/// first.
using Visit = std::vector<std::int64_t>;
using Visits = std::vector<Visit>;

inline std::int64_t address_of(const std::byte* data) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(data));
}

/// All visits of a plan, in its order.
Visits visits_of(const IteratorPlan& plan);

/// Adds the visits of a launch of a plan, or of a piece of it, thread by thread.
void add_visits(const Launch& launch, const IteratorPlan& plan, Visits& visits);

}  // namespace upcast::properties
