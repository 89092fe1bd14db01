// The properties of each topic: a file each.
#pragma once

#include <span>

#include "properties/property.h"

namespace upcast::properties {

// What promotion is: of two dtypes, of operands with priorities, of calls with outputs.

/// promote_types and can_cast.
std::span<const Property> promote_types_properties();
/// result_type, default dtypes, wrapped numbers.
std::span<const Property> result_type_properties();
/// The dtypes that calls answer with, in every form.
std::span<const Property> call_dtype_properties();

// What elementwise ops compute, said without computing it: laws that hold for every element.

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
/// An element's value depends on nothing but the elements of the operands at its place.
std::span<const Property> element_properties();
/// How operands and results lie.
std::span<const Property> layout_properties();
/// In-place and out= forms.
std::span<const Property> output_properties();
/// What operands may share.
std::span<const Property> overlap_properties();
/// What a call leaves in memory.
std::span<const Property> memory_properties();
/// Threads, capabilities, engines.
std::span<const Property> engine_properties();
/// The steps of the iterator: plans, pieces, launches.
std::span<const Property> plan_properties();
/// What a call notes of itself.
std::span<const Property> trace_properties();
/// Questions about sizes and strides.
std::span<const Property> stride_properties();

}  // namespace upcast::properties
