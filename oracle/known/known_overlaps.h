// Finds cases that two known differences of the same kind select. For such a case it is unknown
// which of them is stale.
#pragma once

#include <string>
#include <vector>

#include "cases/grid.h"
#include "cases/known_differences.h"

namespace upcast {

struct KnownOverlap {
  int first = 0;  // the places of both entries in the list of known differences
  int second = 0;
  std::string line;  // a case that both entries select
};

/// Each pair of entries of one kind and subject whose selectors both select a case of the plan,
/// with the first such case. General entries are left out.
std::vector<KnownOverlap> find_overlaps(const Plan& plan,
                                        const std::vector<KnownDifference>& known);

}  // namespace upcast
