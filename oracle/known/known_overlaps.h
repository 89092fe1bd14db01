// Cases that two known differences of one kind claim: then it is unknown which of them is stale.
#pragma once

#include <string>
#include <vector>

#include "cases/grid.h"
#include "cases/known_differences.h"

namespace upcast {

struct KnownOverlap {
  int first = 0;  // positions in the list
  int second = 0;
  std::string line;  // a case that both name
};

/// Each pair of entries of one kind and subject, neither of them general, whose selectors both name
/// a case of the plan, once, with the first such case.
std::vector<KnownOverlap> find_overlaps(const Plan& plan,
                                        const std::vector<KnownDifference>& known);

}  // namespace upcast
