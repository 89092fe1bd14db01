#include "impl/iterator/check_overlap.h"

#include "impl/tensor/overlap.h"

namespace upcast {

std::optional<Rejection> check_overlap(const Iteration& iteration) {
  for (const IteratorOperand& output : iteration.outputs()) {
    if (!output.defined()) continue;
    if (has_internal_overlap(*output.tensor))
      return Rejection{RejectionCode::kMemoryOverlap, "elements of the output share memory"};
    for (const IteratorOperand& input : iteration.inputs()) {
      if (!input.defined() || is_same_tensor(*input.tensor, *output.tensor)) continue;
      if (overlap_of(*output.tensor, *input.tensor) == Overlap::kPartial)
        return Rejection{RejectionCode::kMemoryOverlap, "the output covers an input partially"};
    }
  }
  return std::nullopt;
}

}  // namespace upcast
