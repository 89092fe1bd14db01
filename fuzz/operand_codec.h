// One argument of a call as fuzz bytes, by the type of its parameter:
//   Tensor    tag (bits 0-3: below 12 a tensor, below 15 a number, else undefined; None with bit 4)
//             tensor: dtype, shape, layout (shape_codec.h); values: bits 0-3 how many, then their
//             bits, repeated over the elements; 0: those of the case's class
//   others    tag (bits 0-1: 0 as the schema has it, 1 a value, 2 None), then the value:
//             a number (number_codec.h), an index into kTexts, a dtype
// What a parameter cannot have becomes what it can: every operand is one that the notation knows.
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
