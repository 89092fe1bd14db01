// A number as fuzz bytes: a tag, then 0, 1, 2, 8 or 16 bytes. The tag is the shortest one that
// holds the number's bits.
#pragma once

#include "fuzz/byte_stream.h"
#include "impl/core/number.h"
#include "impl/ops/schema.h"

namespace upcast::fuzz {

/// Reads a number. It is one that the notation allows for a parameter of the given type.
Number read_number(ByteReader& reader, ParameterType type);
bool write_number(ByteWriter& writer, const Number& number, ParameterType type);

}  // namespace upcast::fuzz
