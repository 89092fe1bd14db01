// Step 11, for the GPU: splits a plan into plans whose offsets fit 32 bits.
#pragma once

#include <vector>

#include "impl/iterator/plan.h"

namespace upcast {

inline constexpr std::int64_t kMax32Bit = 2147483647;
inline constexpr std::size_t kMaxDeviceDims = 25;  // LibTorch's limit on a GPU

/// Whether a plan is small enough: its number of elements and every byte offset are at most
/// `limit`, and it has at most kMaxDeviceDims dimensions.
bool fits_32bit(const IteratorPlan& plan, std::int64_t limit = kMax32Bit);

/// The plan in pieces that are small enough, in order. The dimension with the largest extent in
/// bytes is halved, again and again. `limit` is at least 16, the size of an element.
std::vector<IteratorPlan> split_32bit(const IteratorPlan& plan, std::int64_t limit = kMax32Bit);

}  // namespace upcast
