// The operands of a call, as tensors.
#pragma once

#include <array>

#include "impl/iterator/operand.h"
#include "impl/ops/catalogue.h"

namespace upcast {

struct CallOperands {
  std::array<Tensor, kMaxInputs> numbers{};  // zero-dim tensors for operands that are numbers
  std::array<const Tensor*, kMaxInputs> tensors{};  // not defined() for an operand that is left out
  int count = 0;
};

/// Fills in the operands in the order in which the spec names them.
void gather_operands(const Op& op, const Call& call, CallOperands& operands);

/// The tensor that the in-place form of the op writes.
const Tensor& written_tensor(const Op& op, const Call& call);

}  // namespace upcast
