#include "impl/iterator/check_overlap.h"

#include "impl/tensor/overlap.h"

namespace upcast {

namespace {

std::optional<Rejection> check_output(const Tensor& output) {
  if (!has_internal_overlap(output)) return std::nullopt;
  return Rejection{RejectionCode::kMemoryOverlap, "elements of the output share memory"};
}

}  // namespace

std::optional<Rejection> check_pair(const Tensor& output, const Tensor& input) {
  if (is_same_tensor(input, output) || overlap_of(output, input) != Overlap::kPartial)
    return std::nullopt;
  return Rejection{RejectionCode::kMemoryOverlap, "the output covers an input partially"};
}

std::optional<Rejection> check_overlap(const Iteration& iteration) {
  for (const IteratorOperand& output : iteration.outputs()) {
    if (!output.defined()) continue;
    if (auto refused = check_output(*output.tensor)) return refused;
    for (const IteratorOperand& input : iteration.inputs())
      if (input.defined())
        if (auto refused = check_pair(*output.tensor, *input.tensor)) return refused;
  }
  return std::nullopt;
}

std::optional<Rejection> check_copy(const Tensor& to, const Tensor& from) {
  if (auto refused = check_output(to)) return refused;
  return check_pair(to, from);
}

}  // namespace upcast
