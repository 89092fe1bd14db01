// Step 1 marks outputs that are inputs too.
#pragma once

#include "impl/iterator/operand.h"
#include "impl/tensor/overlap.h"

namespace upcast {

/// Marks an output that is the very tensor of an input, not only a view of it. Such an output is
/// read and written. It is never resized, and does not count as overlapping that input.
inline void mark_outputs(Iteration& iteration) {
  for (IteratorOperand& output : iteration.outputs()) {
    output.is_output = true;
    for (const IteratorOperand& input : iteration.inputs())
      if (output.defined() && input.defined() && is_same_tensor(*input.tensor, *output.tensor))
        output.read_write = true;
  }
}

}  // namespace upcast
