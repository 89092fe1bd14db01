// Layouts of a tensor operand: names in case notation, strides in a Case.
//   :contiguous      row-major
//   :permuted        column-major: the dimensions are reversed in memory
//   :expanded        the first dimension has stride 0, the others are row-major
//   :channels_last   four sizes N,C,H,W, stored as N,H,W,C
//   :strides(1,3)    strides in elements; with :strides(1,3)+offset(2) the first element is element
//                    2 of the storage
//   :shares(0)       another view of the storage of argument 0, with its values
//   :device(meta)    the device on which the tensor lies, if it is not that of the case
#pragma once

#include <string>
#include <vector>

#include "cases/case.h"
#include "cases/text_cursor.h"

namespace upcast {

/// Reads the text ":LAYOUT" into the strides and offset of `operand`, whose sizes are known.
/// Row-major strides become empty ones.
void parse_layout(TextCursor& cursor, Operand& operand);

/// An operand's layout as text, ":strides(1,3)+offset(2)". "" for a contiguous operand without
/// offset, sharing or device.
std::string print_layout(const Operand& operand);

/// Reads a whole number, 0 or more. If there is none, the fault says "expected" and `what`.
std::int64_t parse_size(TextCursor& cursor, std::string_view what);

/// Strides of a dense tensor. `order` lists its dimensions, the fastest first. A size of 0 counts
/// as 1.
Dims dense_strides(const Dims& sizes, const std::vector<int>& order);
/// Strides of a dense tensor whose first dimension is the fastest: column-major.
Dims reversed_strides(const Dims& sizes);
Dims times(Dims strides, std::int64_t factor);

/// Sets an operand's strides. Row-major strides are stored as an empty list.
void set_strides(Operand& operand, Dims strides);

}  // namespace upcast
