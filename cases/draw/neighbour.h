// Cases near another one: a cause must explain them as well as its own case.
#pragma once

#include "cases/case.h"
#include "cases/draw/choices.h"

namespace upcast {

/// A case of the same callable, dtypes and attributes. Its elements are those of `c`, in other
/// positions, some of them one to three codes away (zeros, infinities and NaN stay; an integer is
/// off by as much). Where all tensors with dimensions are contiguous and of one shape of one
/// dimension, their length is another: 1 to 67, so that elements fall into a vector's body and into
/// its tail. Real numbers among the arguments are nudged as float64 elements are.
Case draw_neighbour(Choices& choices, const Case& c);

}  // namespace upcast
