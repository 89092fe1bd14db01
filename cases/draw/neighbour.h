// Draws cases near another case. A cause that explains a case must explain its neighbours too.
#pragma once

#include "cases/case.h"
#include "cases/draw/choices.h"

namespace upcast {

/// Draws a case of the same callable, dtypes and attributes. Its elements are those of `c` in other
/// positions. Some are one to three codes away; zeros, infinities and NaN stay, and an integer is
/// off by as much. If all tensors with dimensions are contiguous and have one shape of one
/// dimension, they get another length, 1 to 67. Then elements fall into a vector's body and into
/// its tail. Real numbers among the arguments are moved as float64 elements are.
Case draw_neighbour(Choices& choices, const Case& c);

}  // namespace upcast
