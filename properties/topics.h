// The properties that are tested, by topic. Each function is defined in a source file of its own.
#pragma once

#include <span>

#include "properties/property.h"

namespace upcast::properties {

// Properties of promotion: of two dtypes, of operands with priorities, of calls with outputs.

/// Properties of promote_types and can_cast.
std::span<const Property> promote_types_properties();
/// Properties of result_type, default dtypes and wrapped numbers.
std::span<const Property> result_type_properties();
/// Properties of the dtypes that calls answer with, in every form.
std::span<const Property> call_dtype_properties();

// Properties of what elementwise ops compute, without computing it: laws that hold for every
// element.

/// Laws of algebra: commutative ops, involutions, symmetry, identity elements, one op said by
/// others.
std::span<const Property> algebra_properties();
/// Ops whose results are exact: comparisons, NaN, rounding, parts of numbers, conversions.
std::span<const Property> exactness_properties();
/// Properties of integer arithmetic: wrapping, division, shifts.
std::span<const Property> integer_properties();
/// Properties of every op: elements alone and in vectors, aliases, repetition.
std::span<const Property> catalogue_properties();
/// Properties of mathematical functions: monotone ones, bounds, inverse pairs, conjugates.
std::span<const Property> function_properties();
/// Values at the ends of a function's domain, and NaN.
std::span<const Property> end_properties();

/// Texts and codecs: what is written is read again, and what is not a case is refused in one line.
std::span<const Property> notation_properties();

// Shapes, layouts and memory: what an answer may depend on, and what a call may touch.

std::span<const Property> broadcast_properties();
/// An element's value depends only on the elements of the operands at its place.
std::span<const Property> element_properties();
/// Properties of the layouts of operands and results.
std::span<const Property> layout_properties();
/// Properties of in-place and out= forms.
std::span<const Property> output_properties();
/// Properties of calls whose operands share memory.
std::span<const Property> overlap_properties();
/// Properties of what a call leaves in memory.
std::span<const Property> memory_properties();
/// Threads, CPU capabilities and engines do not change an answer.
std::span<const Property> engine_properties();
/// The steps of the iterator: plans, pieces, launches.
std::span<const Property> plan_properties();
/// Properties of what a call notes in its trace.
std::span<const Property> trace_properties();
/// Properties of the functions that answer questions about sizes and strides.
std::span<const Property> stride_properties();

}  // namespace upcast::properties
