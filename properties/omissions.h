// What generators leave out of the catalogue. A callable that no rule names is drawn.
#pragma once

#include <vector>

#include "cases/operands.h"
#include "properties/property.h"

namespace upcast::properties {

bool is_left_out(std::span<const Omission> rules, const Op& op, int overload, Form form);

/// The callables of the form that no rule leaves out, in the catalogue's order.
std::vector<FoundOp> callables_but(std::span<const Omission> rules, Form form);

/// Omissions of laws about one result that is a tensor.
std::span<const Omission> of_one_tensor();
/// Also those of laws that compare a call with one under another name.
std::span<const Omission> of_several_overloads();
/// Also those of laws about a result that can be NaN.
std::span<const Omission> of_floating_results();
/// Also those of laws about one way to promote.
std::span<const Omission> of_promoting_ops();
std::span<const Omission> of_comparisons();
std::span<const Omission> of_int_to_float_ops();
std::span<const Omission> of_same_ops();
/// Also those of laws in which no default dtype decides.
std::span<const Omission> of_default_free_ops();
/// Omissions of laws about layouts.
std::span<const Omission> of_layouts();
/// Also those of laws about operands that share their storage.
std::span<const Omission> of_shared_storage();
/// Also those of laws about refused overlap.
std::span<const Omission> of_checked_overlap();
/// Also those of laws in which two engines answer bit for bit.
std::span<const Omission> of_exact_results();

}  // namespace upcast::properties
