// The properties of each topic: a file each.
#pragma once

#include <span>

#include "properties/property.h"

namespace upcast::properties {

// Properties of promotion: of two dtypes, of operands with priorities, of calls with outputs.

/// promote_types and can_cast.
std::span<const Property> promote_types_properties();
/// Properties of result_type, default dtypes and wrapped numbers.
std::span<const Property> result_type_properties();
/// Properties of the dtypes that calls answer with, in every form.
std::span<const Property> call_dtype_properties();

// Properties of what elementwise ops compute, without computing it: laws that hold for every
// element.

/// Commutative ops, involutions, symmetry, identity elements, one op said by others.
std::span<const Property> algebra_properties();
/// Comparisons, NaN, rounding, parts of numbers, conversions.
std::span<const Property> exactness_properties();
/// Wrapping, division, shifts.
std::span<const Property> integer_properties();
/// Elements alone and in vectors, aliases, repetition: for every op.
std::span<const Property> catalogue_properties();
/// Monotone functions, bounds, inverse pairs, conjugates.
std::span<const Property> function_properties();
/// Ends of domains, and NaN.
std::span<const Property> end_properties();

/// Texts and codecs: what is written is read again, and what is not a case is refused in one line.
std::span<const Property> notation_properties();

// Shapes, layouts and memory: what an answer may depend on, and what a call may touch.

std::span<const Property> broadcast_properties();
/// An element's value depends only on the elements of the operands at its place.
std::span<const Property> element_properties();
/// The layouts of operands and results.
std::span<const Property> layout_properties();
/// In-place and out= forms.
std::span<const Property> output_properties();
/// The memory that operands may share.
std::span<const Property> overlap_properties();
/// What a call leaves in memory.
std::span<const Property> memory_properties();
/// Threads, capabilities, engines.
std::span<const Property> engine_properties();
/// The steps of the iterator: plans, pieces, launches.
std::span<const Property> plan_properties();
/// What a call notes in its trace.
std::span<const Property> trace_properties();
/// Questions about sizes and strides.
std::span<const Property> stride_properties();

}  // namespace upcast::properties
