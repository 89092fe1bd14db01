// Step 11, for the GPU: plans whose offsets fit 32 bits.
#pragma once

#include <vector>

#include "impl/iterator/plan.h"

namespace upcast {

/// Whether the number of elements and every byte offset stay below 2^31.
bool fits_32bit(const IteratorPlan& plan);

/// The plan in pieces that fit: the dimension with the largest extent in bytes is halved, again and
/// again.
std::vector<IteratorPlan> split_32bit(const IteratorPlan& plan);

}  // namespace upcast
