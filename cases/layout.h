// Layouts of a tensor operand: names on input, strides in a Case.
//   :contiguous      row-major
//   :permuted        column-major: the dimensions reversed in memory
//   :expanded        the first dimension has stride 0, the others are row-major
//   :channels_last   four sizes N,C,H,W, stored N,H,W,C
//   :strides(1,3)    elements; :offset(2) elements before the first one; joined by '+'
//   :shares(0)       another view of the storage of argument 0, with its values
//   :device(meta)    where it lies, if not on the device of the case
#pragma once

#include <string>
#include <vector>

#include "cases/case.h"
#include "cases/text_cursor.h"

namespace upcast {

/// Reads ":LAYOUT" into the strides and offset of `operand`, whose sizes are known. Row-major
/// strides become empty ones.
void parse_layout(TextCursor& cursor, Operand& operand);

/// The layout as text, ":strides(1,3)+offset(2)"; "" for a contiguous operand with nothing else to
/// say.
std::string print_layout(const Operand& operand);

/// Reads a number from 0 up. A fault says "expected WHAT".
std::int64_t parse_size(TextCursor& cursor, std::string_view what);

/// Strides of a dense tensor whose dimensions have an order, fastest first. A size of 0 counts as
/// 1.
Dims dense_strides(const Dims& sizes, const std::vector<int>& order);
/// Strides of a dense tensor with the first dimension fastest: column-major.
Dims reversed_strides(const Dims& sizes);
Dims times(Dims strides, std::int64_t factor);

/// Sets the strides. Row-major strides are stored as empty ones.
void set_strides(Operand& operand, Dims strides);

}  // namespace upcast
