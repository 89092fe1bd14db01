// What generators leave out of the catalogue. A callable that no rule names is drawn.
#pragma once

#include <vector>

#include "cases/operands.h"
#include "properties/property.h"

namespace upcast::properties {

bool is_left_out(std::span<const Omission> rules, const Op& op, int overload, Form form);

/// Those of the form that no rule leaves out, in the catalogue's order.
std::vector<FoundOp> callables_but(std::span<const Omission> rules, Form form);

/// What is left out of laws about one result that is a tensor.
std::span<const Omission> of_one_tensor();
/// The same, where a call is compared with one under another name.
std::span<const Omission> of_several_overloads();
/// The same, where a result can be NaN.
std::span<const Omission> of_floating_results();
/// The same, of one way to promote.
std::span<const Omission> of_promoting_ops();
std::span<const Omission> of_comparisons();
std::span<const Omission> of_int_to_float_ops();
std::span<const Omission> of_same_ops();
/// The same, where no default dtype decides.
std::span<const Omission> of_default_free_ops();
/// What is left out of laws about layouts.
std::span<const Omission> of_layouts();
/// The same, where operands share their storage.
std::span<const Omission> of_shared_storage();
/// The same, where what overlaps is refused.
std::span<const Omission> of_checked_overlap();
/// The same, where two engines answer bit for bit.
std::span<const Omission> of_exact_results();

}  // namespace upcast::properties
