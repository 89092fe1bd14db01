#include "impl/iterator/split_32bit.h"

#include <algorithm>

namespace upcast {
namespace {

/// The dimension to halve: the one with the largest extent in bytes, and of several the slowest.
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

void drop_dimension(IteratorPlan& plan, std::size_t d) {
  const auto at = static_cast<std::ptrdiff_t>(d);
  plan.sizes.erase(plan.sizes.begin() + at);
  for_each_operand(
      plan, [at](PlanOperand& operand) { operand.strides.erase(operand.strides.begin() + at); });
}

void split_into(const IteratorPlan& plan, std::int64_t limit, std::vector<IteratorPlan>& pieces) {
  if (fits_32bit(plan, limit)) {
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
  for (IteratorPlan* const piece : {&first, &second}) {
    if (piece->sizes[d] == 1) drop_dimension(*piece, d);
    split_into(*piece, limit, pieces);
  }
}

}  // namespace

bool fits_32bit(const IteratorPlan& plan, std::int64_t limit) {
  if (plan.sizes.size() > kMaxDeviceDims || numel(plan.sizes) > limit) return false;
  bool fits = true;
  for_each_operand(plan, [&](const PlanOperand& operand) {
    std::int64_t last = 1;
    for (std::size_t d = 0; d < plan.sizes.size(); ++d)
      last += (plan.sizes[d] - 1) * operand.strides[d];
    fits = fits && last <= limit;
  });
  return fits;
}

std::vector<IteratorPlan> split_32bit(const IteratorPlan& plan, std::int64_t limit) {
  std::vector<IteratorPlan> pieces;
  split_into(plan, limit, pieces);
  return pieces;
}

}  // namespace upcast
