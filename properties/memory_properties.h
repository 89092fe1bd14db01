// Shapes, layouts and memory: what an answer may depend on, and what a call may touch.
#pragma once

#include <span>

#include "properties/property.h"

namespace upcast::properties {

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
/// What is asked of sizes and strides.
std::span<const Property> stride_properties();

}  // namespace upcast::properties
