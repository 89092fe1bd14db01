// Generators of examples: operands, and whole cases. A generator draws in the words of the case
// notation and knows no property.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cases/operands.h"
#include "properties/property.h"

namespace upcast::properties {

/// Callables that a property asks. case_of accepts only those of the catalogue.
template <std::size_t N = 1>
using Callables = std::array<std::string_view, N>;

/// A case of a callable ("add.Tensor", "add_.Tensor", "add.out"), with every argument left to its
/// default. An unknown callable is our own mistake: it aborts.
Case case_of(std::string_view callable);

/// Draws an elementwise dtype; now and then, if `any` is set, one of all 46 that are not Undefined.
DType draw_dtype(Draw& draw, bool any = false);
/// Draws a number; all categories are equally frequent.
Operand draw_number(Draw& draw);

/// The operands of a case as promotion sees them: tensors, numbers and undefined tensors among the
/// arguments.
std::vector<TypedOperand> typed_operands(const Case& c);
TypedOperand typed_operand(const Operand& operand);

// Generators of cases about dtypes. Examples with many operands are clamp.Tensor(a, b, c).

/// promote_types(a, b), all dtypes.
extern const Generator kDTypePairs;
/// promote_types of two integral, or two complex dtypes.
extern const Generator kIntegralPairs;
extern const Generator kComplexPairs;
/// can_cast(from, to).
extern const Generator kCasts;
/// clamp.Tensor of three dim tensors: three dtypes.
extern const Generator kDTypeTriples;
/// clamp.Tensor of one to three operands of any kind.
extern const Generator kOperandLists;
/// clamp.Tensor(tensor, number, None).
extern const Generator kTensorsAndNumbers;
/// clamp.Tensor of two or three tensors, dim ones and zero-dim ones.
extern const Generator kTensorsOfBothKinds;

}  // namespace upcast::properties
