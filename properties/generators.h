// Generators of examples: operands and whole cases. A generator draws whatever the case notation
// can say, and knows no property.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "cases/operands.h"
#include "properties/property.h"

namespace upcast::properties {

/// A list of callables that a property asks. case_of() takes only callables of the catalogue.
template <std::size_t N = 1>
using Callables = std::array<std::string_view, N>;

/// A case of a callable ("add.Tensor", "add_.Tensor", "add.out"), with every argument left to its
/// default. It aborts for an unknown callable, because that is a mistake of ours.
Case case_of(std::string_view callable);

/// Draws an elementwise dtype. If `any` is set, one draw in four is any of the 46 dtypes other than
/// Undefined.
DType draw_dtype(Draw& draw, bool any = false);
/// Draws a number of any category, each equally often.
Operand draw_number(Draw& draw);

/// A case's arguments as promotion sees them: those that are tensors, numbers or undefined tensors.
std::vector<TypedOperand> typed_operands(const Case& c);
TypedOperand typed_operand(const Operand& operand);

// Generators of cases about dtypes. Cases with several operands are calls clamp.Tensor(a, b, c).

/// Draws promote_types(a, b) of any two dtypes.
extern const Generator kDTypePairs;
/// Draws promote_types of two integral dtypes, or of two complex dtypes.
extern const Generator kIntegralPairs;
extern const Generator kComplexPairs;
/// can_cast(from, to).
extern const Generator kCasts;
/// Draws clamp.Tensor of three dim tensors, with three dtypes.
extern const Generator kDTypeTriples;
/// Draws clamp.Tensor of one to three operands of any kind.
extern const Generator kOperandLists;
/// Draws clamp.Tensor(tensor, number, None).
extern const Generator kTensorsAndNumbers;
/// Draws clamp.Tensor of two or three tensors, some dim and some zero-dim.
extern const Generator kTensorsOfBothKinds;

}  // namespace upcast::properties
