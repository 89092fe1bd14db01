// One argument of a call as fuzz bytes, by the type of its parameter:
//   Tensor    A tag. Bits 0-3: below 12 a tensor, below 15 a number, 15 undefined. Bit 4: None.
//             After a tensor's tag: dtype, shape and layout (shape_codec.h), then values. Bits 0-3
//             of the first values byte say how many elements follow as bits; they are repeated over
//             the tensor. 0: the elements come from the case's value class.
//   others    A tag. Bits 0-1: 0 the schema's default, 1 a value, 2 None. After the tag of a value:
//             a number (number_codec.h), an index into kTexts, or a dtype.
// An operand that its parameter cannot have becomes one that it can have. So the notation knows
// every operand.
#pragma once

#include "cases/case.h"
#include "fuzz/byte_stream.h"

namespace upcast::fuzz {

/// The most elements of one operand that are spelled out.
inline constexpr int kMaxValues = 8;
inline constexpr int kMaxValueBytes = 16;
int value_limit(DType dtype);

/// Where an operand stands: the part of its case that is known so far, its position (or
/// kOutPosition), and the master shape.
struct OperandPlace {
  Case& c;
  int position;
  const Dims& master;
};

void read_operand(ByteReader& reader, const OperandPlace& place);

/// Writes an operand. Returns false if the format cannot hold it.
bool write_operand(ByteWriter& writer, const Case& c, int position, const Dims& master);

/// Whether the operand `owner` of a case is a tensor of `dtype` whose storage the operand at
/// `position` (or kOutPosition) may share.
bool may_own(const Case& c, int owner, int position, DType dtype);

}  // namespace upcast::fuzz
