// Narrows plans to a part of their calls (cases/selection.h).
#pragma once

#include "cases/grid.h"

namespace upcast {

/// The rows of the plan, and of their axes the operands, that the selection has. The plan stores
/// the selection, so that another process can make the same plan.
Plan select(const Plan& plan, const Selection& selection);

/// Throws UsageError where nothing is left, with the nearest op that the plan has.
Plan select(const Plan& plan, const SelectionWords& words);

/// How much a plan holds.
struct PlanSize {
  std::int64_t cases = 0;
  std::int64_t ops = 0;  // of the catalogue

  bool operator==(const PlanSize&) const = default;
};
PlanSize size_of(const Plan& plan);

}  // namespace upcast
