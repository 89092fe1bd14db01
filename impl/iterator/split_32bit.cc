#include "impl/iterator/split_32bit.h"

#include <algorithm>
#include <limits>

namespace upcast {
namespace {

constexpr std::int64_t kLimit = std::numeric_limits<std::int32_t>::max();

/// The dimension to halve; of equal ones the slowest.
std::size_t largest_dimension(const IteratorPlan& plan) {
  std::size_t largest = 0;
  std::int64_t extent = -1;
  for (std::size_t d = 0; d < plan.sizes.size(); ++d) {
    for_each_operand(plan, [&](const PlanOperand& operand) {
      const std::int64_t bytes = (plan.sizes[d] - 1) * operand.strides[d];
      if (bytes > extent) {
        extent = bytes;
        largest = d;
      }
    });
  }
  return largest;
}

void split_into(const IteratorPlan& plan, std::vector<IteratorPlan>& pieces) {
  if (fits_32bit(plan)) {
    pieces.push_back(plan);
    return;
  }
  const std::size_t d = largest_dimension(plan);
  IteratorPlan first = plan;
  IteratorPlan second = plan;
  first.sizes[d] = plan.sizes[d] / 2;
  second.sizes[d] = plan.sizes[d] - first.sizes[d];
  for_each_operand(
      second, [&](PlanOperand& operand) { operand.data += first.sizes[d] * operand.strides[d]; });
  split_into(first, pieces);
  split_into(second, pieces);
}

}  // namespace

bool fits_32bit(const IteratorPlan& plan) {
  if (numel(plan.sizes) > kLimit) return false;
  bool fits = true;
  for_each_operand(plan, [&](const PlanOperand& operand) {
    std::int64_t last = 1;
    for (std::size_t d = 0; d < plan.sizes.size(); ++d)
      last += (plan.sizes[d] - 1) * operand.strides[d];
    fits = fits && last <= kLimit;
  });
  return fits;
}

std::vector<IteratorPlan> split_32bit(const IteratorPlan& plan) {
  std::vector<IteratorPlan> pieces;
  split_into(plan, pieces);
  return pieces;
}

}  // namespace upcast
