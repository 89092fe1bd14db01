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

/// How many values of one operand are spelled out at most.
inline constexpr int kMaxValues = 8;
inline constexpr int kMaxValueBytes = 16;
int value_limit(DType dtype);

/// Where an operand stands: its case as far as it is known, its position (or kOutPosition), and the
/// master shape.
struct OperandPlace {
  Case& c;
  int position;
  const Dims& master;
};

void read_operand(ByteReader& reader, const OperandPlace& place);

/// Writes an operand. Returns false if the format cannot hold it.
bool write_operand(ByteWriter& writer, const Case& c, int position, const Dims& master);

/// Whether an operand of a case is a tensor whose storage another one (position, or kOutPosition)
/// may share.
bool may_own(const Case& c, int owner, int position, DType dtype);

}  // namespace upcast::fuzz
