// Which callables of the catalogue generators leave out, and why. A callable that no rule leaves
// out is drawn.
#pragma once

#include <vector>

#include "cases/operands.h"
#include "properties/property.h"

namespace upcast::properties {

bool is_left_out(std::span<const Omission> rules, const Op& op, int overload, Form form);

/// The callables of a form that no rule leaves out, in the catalogue's order.
std::vector<FoundOp> callables_but(std::span<const Omission> rules, Form form);

/// What properties about one result, which is a tensor, leave out.
std::span<const Omission> of_one_tensor();
/// What properties leave out that compare a call with one under another name. It contains
/// of_one_tensor().
std::span<const Omission> of_several_overloads();
/// What properties about a result that can be NaN leave out. It contains of_one_tensor().
std::span<const Omission> of_floating_results();
/// What properties about one kind of promotion leave out. Each contains of_one_tensor().
std::span<const Omission> of_promoting_ops();
std::span<const Omission> of_comparisons();
std::span<const Omission> of_int_to_float_ops();
std::span<const Omission> of_same_ops();
/// What properties leave out in which no default dtype may decide. It contains of_one_tensor().
std::span<const Omission> of_default_free_ops();
/// What properties about layouts leave out.
std::span<const Omission> of_layouts();
/// What properties about operands that share their storage leave out. It contains of_layouts().
std::span<const Omission> of_shared_storage();
/// What properties about overlap that is refused leave out. It contains of_shared_storage().
std::span<const Omission> of_checked_overlap();
/// What properties leave out in which two engines must answer bit for bit. It contains
/// of_layouts().
std::span<const Omission> of_exact_results();

}  // namespace upcast::properties
