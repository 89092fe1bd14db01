// Generators of examples about shapes, layouts and memory: calls of ops of the whole catalogue,
// whose operands have many layouts.
#pragma once

#include "properties/layout_draw.h"

namespace upcast::properties {

// Generators of calls of a few ops whose operands broadcast.
extern const Generator kShapePairs;    // op(tensor, tensor); the two shapes fit or do not fit
extern const Generator kShapeTriples;  // op(tensor, tensor, tensor); the shapes fit or do not fit

// Generators of functional calls of the catalogue.
extern const Generator kCallsThatBroadcast;  // operands have several shapes and layouts
extern const Generator kCallsOfVectors;      // operands are dense vectors of one length
extern const Generator kCallsOfOneShape;     // operands are dense and have one shape
// In each kCallsWith...: at least one operand has that layout.
extern const Generator kCallsWithPermuted;
extern const Generator kCallsWithGaps;
extern const Generator kCallsWithExpanded;
extern const Generator kCallsWithChannelsLast;
extern const Generator kCallsWithOverlapping;
extern const Generator kCallsWithOffset;
extern const Generator kCallsThatShare;  // an operand is a view of the first operand's storage
// Operands have one shape and equal strides, and are dense.
extern const Generator kCallsOfOneLayout;
extern const Generator kCallsOfChannelsLast;  // all operands are channels_last
extern const Generator kCallsOfEmpty;         // at least one size is 0

// Generators of calls that write a given tensor.
extern const Generator kInPlaceCalls;
// An out with the result's shape, and any dtype and layout.
extern const Generator kOutCalls;
extern const Generator kResizingCalls;     // an out with another shape than the result
extern const Generator kPartialOverlaps;   // the written operand covers only a part of an input
extern const Generator kInternalOverlaps;  // elements of the output share memory
extern const Generator kInterleaved;       // the output's elements lie between those of an input

extern const Generator kSameViews;  // the output is exactly an input
// Calls that are refused: their result cannot be cast to the output, or shapes do not fit.
extern const Generator kRefusedCalls;
extern const Generator kEmptyOutputs;  // an empty output that begins after the start of its storage

/// Draws calls of all forms and layouts. The case's seed is a number that the property may use.
extern const Generator kPlanCalls;

// Generators of calls of exact ops with long operands, for engines and threads.
extern const Generator kExactCalls;
extern const Generator kLongCalls;

}  // namespace upcast::properties
