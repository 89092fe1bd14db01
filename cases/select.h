// Narrows plans to a part of their calls (cases/selection.h).
#pragma once

#include "cases/grid.h"

namespace upcast {

/// The part of a plan that a selection keeps: rows, and operands in their axes. The plan stores the
/// selection, so that another process can make the same plan.
Plan select(Plan plan, const Selection& selection);

/// Selects by the words of the command line. Throws UsageError if nothing is left; its message
/// names the nearest op that the plan has.
Plan select(Plan plan, const SelectionWords& words);

/// How many ops, rows and cases a plan holds.
struct PlanSize {
  std::int64_t cases = 0;
  std::int64_t ops = 0;  // how many ops of the catalogue occur

  bool operator==(const PlanSize&) const = default;
};
PlanSize size_of(const Plan& plan);

}  // namespace upcast
