// Step 11, for the GPU: plans whose offsets fit 32 bits.
#pragma once

#include <vector>

#include "impl/iterator/plan.h"

namespace upcast {

inline constexpr std::int64_t kMax32Bit = 2147483647;
inline constexpr std::size_t kMaxDeviceDims = 25;  // LibTorch's limit on a GPU

/// Whether the number of elements and every byte offset are at most `limit`, and the dimensions at
/// most kMaxDeviceDims.
bool fits_32bit(const IteratorPlan& plan, std::int64_t limit = kMax32Bit);

/// The plan in pieces that fit, in order: the dimension with the largest extent in bytes is halved,
/// again and again. limit: at least 16, an element.
std::vector<IteratorPlan> split_32bit(const IteratorPlan& plan, std::int64_t limit = kMax32Bit);

}  // namespace upcast
