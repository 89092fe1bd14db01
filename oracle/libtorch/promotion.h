// LibTorch's promotion, asked without a call of an op. nullopt: it refuses, has no such dtype, or
// answers Undefined.
#pragma once

#include <optional>
#include <span>

#include "impl/promotion/result_type.h"

namespace upcast::libtorch {

std::optional<DType> promote_types(DType a, DType b);
std::optional<bool> can_cast(DType from, DType to);
/// torch.result_type of any number of operands, wrapped numbers among them.
std::optional<DType> result_type(std::span<const TypedOperand> operands, Defaults defaults);

}  // namespace upcast::libtorch
