// What elementwise ops compute, said without computing it: laws that hold for every element.
#pragma once

#include <span>

#include "properties/property.h"

namespace upcast::properties {

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

}  // namespace upcast::properties
