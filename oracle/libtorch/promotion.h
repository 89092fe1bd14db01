// LibTorch's promotion, asked without calling an op. A result of nullopt: LibTorch refuses, lacks
// the dtype, or answers Undefined.
#pragma once

#include <optional>
#include <span>

#include "impl/promotion/result_type.h"

namespace upcast::libtorch {

std::optional<DType> promote_types(DType a, DType b);
std::optional<bool> can_cast(DType from, DType to);
/// LibTorch's result_type of any number of operands; some may be wrapped numbers.
std::optional<DType> result_type(std::span<const TypedOperand> operands, Defaults defaults);

}  // namespace upcast::libtorch
