// The operands of a call as tensors.
#pragma once

#include <array>

#include "impl/iterator/operand.h"
#include "impl/ops/catalogue.h"

namespace upcast {

struct CallOperands {
  std::array<Tensor, kMaxInputs> numbers{};  // the zero-dim tensors that numbers are wrapped in
  std::array<const Tensor*, kMaxInputs> tensors{};  // undefined: left out
  int count = 0;
};

/// Fills in the operands that the spec names, in its order.
void gather_operands(const Op& op, const Call& call, CallOperands& operands);

/// The tensor that the in-place form writes.
const Tensor& written_tensor(const Op& op, const Call& call);

}  // namespace upcast
