// Step 11, only for a GPU, splits a plan into plans whose offsets fit into 32 bits.
#pragma once

#include <vector>

#include "impl/iterator/plan.h"

namespace upcast {

inline constexpr std::int64_t kMax32Bit = 2147483647;
inline constexpr std::size_t kMaxDeviceDims = 25;  // the limit that LibTorch has on a GPU

/// Whether a plan needs no split. Its number of elements and its byte offsets must not exceed
/// `limit`, and it must have at most kMaxDeviceDims dimensions.
bool fits_32bit(const IteratorPlan& plan, std::int64_t limit = kMax32Bit);

/// Splits the plan into pieces that need no further split, in order. It halves the dimension with
/// the largest extent in bytes, again and again. `limit` must be at least 16, the size of the
/// largest element.
std::vector<IteratorPlan> split_32bit(const IteratorPlan& plan, std::int64_t limit = kMax32Bit);

}  // namespace upcast
