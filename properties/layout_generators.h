// Generators of examples about shapes, layouts and memory: calls of ops of the whole catalogue
// whose operands have many layouts.
#pragma once

#include "properties/layout_draw.h"

namespace upcast::properties {

// Shapes: a few ops whose operands broadcast.
extern const Generator kShapePairs;    // op(tensor, tensor), of shapes that fit or do not
extern const Generator kShapeTriples;  // op(tensor, tensor, tensor)

// Functional calls of the catalogue.
extern const Generator kCallsThatBroadcast;  // operands of several shapes and layouts
extern const Generator kCallsOfVectors;      // dense operands of one dimension, of one length
extern const Generator kCallsOfOneShape;     // dense operands of one shape
extern const Generator kCallsWithPermuted;   // each layout: at least one operand has it
extern const Generator kCallsWithGaps;
extern const Generator kCallsWithExpanded;
extern const Generator kCallsWithChannelsLast;
extern const Generator kCallsWithOverlapping;
extern const Generator kCallsWithOffset;
extern const Generator kCallsThatShare;       // an operand is a view of the first one's storage
extern const Generator kCallsOfOneLayout;     // operands of one shape, all dense with equal strides
extern const Generator kCallsOfChannelsLast;  // all operands channels_last
extern const Generator kCallsOfEmpty;         // a size is 0

// Calls that write a given tensor.
extern const Generator kInPlaceCalls;
extern const Generator kOutCalls;          // an out of the result's shape, of any dtype and layout
extern const Generator kResizingCalls;     // an out of another shape
extern const Generator kPartialOverlaps;   // out, or the written operand, covers a part of an input
extern const Generator kInternalOverlaps;  // elements of the output share memory
extern const Generator kInterleaved;       // the output lies between the elements of an input

extern const Generator kSameViews;     // the output is an input
extern const Generator kRefusedCalls;  // a result that cannot be cast, shapes that do not fit
extern const Generator kEmptyOutputs;  // empty outputs after the start of a storage

/// Calls of all forms and layouts; the seed is a number for the property to use.
extern const Generator kPlanCalls;

// Long operands of exact ops, for engines and threads.
extern const Generator kExactCalls;
extern const Generator kLongCalls;

}  // namespace upcast::properties
