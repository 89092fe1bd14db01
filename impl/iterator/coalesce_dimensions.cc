#include "impl/iterator/coalesce_dimensions.h"

namespace upcast {
namespace {

/// Whether every operand steps from the end of dimension `inner` straight to the next index of
/// `outer`, so that both can be one dimension.
bool can_merge(const IteratorPlan& plan, std::size_t outer, std::size_t inner) {
  if (plan.sizes[outer] == 1 || plan.sizes[inner] == 1) return true;
  bool merges = true;
  for_each_operand(plan, [&](const PlanOperand& operand) {
    merges = merges && plan.sizes[inner] * operand.strides[inner] == operand.strides[outer];
  });
  return merges;
}

}  // namespace

void coalesce_dimensions(IteratorPlan& plan) {
  if (plan.sizes.size() < 2) return;
  std::size_t kept = plan.sizes.size() - 1;  // the dimension that later ones merge into
  for (std::size_t d = plan.sizes.size() - 1; d-- > 0;) {
    const bool merges = can_merge(plan, d, kept);
    if (!merges) --kept;
    const bool takes_stride = !merges || plan.sizes[kept] == 1;
    for_each_operand(plan, [&](PlanOperand& operand) {
      if (takes_stride) operand.strides[kept] = operand.strides[d];
    });
    plan.sizes[kept] = merges ? plan.sizes[kept] * plan.sizes[d] : plan.sizes[d];
  }
  plan.sizes.erase(plan.sizes.begin(), plan.sizes.begin() + kept);
  for_each_operand(plan, [&](PlanOperand& operand) {
    operand.strides.erase(operand.strides.begin(), operand.strides.begin() + kept);
  });
}

}  // namespace upcast
