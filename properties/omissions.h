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

/// For properties about one result, which is a tensor.
std::span<const Omission> of_one_tensor();
/// For properties that compare a call with one under another name. Leaves out more than
/// of_one_tensor().
std::span<const Omission> of_several_overloads();
/// For properties about a result that can be NaN. Leaves out more than of_one_tensor().
std::span<const Omission> of_floating_results();
/// For properties about one kind of promotion. Each leaves out more than of_one_tensor().
std::span<const Omission> of_promoting_ops();
std::span<const Omission> of_comparisons();
std::span<const Omission> of_int_to_float_ops();
std::span<const Omission> of_same_ops();
/// For properties in which no default dtype may decide. Leaves out more than of_one_tensor().
std::span<const Omission> of_default_free_ops();
/// For properties about layouts.
std::span<const Omission> of_layouts();
/// For properties about operands that share their storage. Leaves out more than of_layouts().
std::span<const Omission> of_shared_storage();
/// For properties about overlap that is refused. Leaves out more than of_shared_storage().
std::span<const Omission> of_checked_overlap();
/// For properties in which two engines must answer bit for bit. Leaves out more than of_layouts().
std::span<const Omission> of_exact_results();

}  // namespace upcast::properties
