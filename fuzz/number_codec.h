// A number as fuzz bytes: a tag, and 0, 1, 2, 8 or 16 bytes; the shortest tag that holds its bits.
#pragma once

#include "fuzz/byte_stream.h"
#include "impl/core/number.h"
#include "impl/ops/schema.h"

namespace upcast::fuzz {

/// A number that the notation lets a parameter of this type have.
Number read_number(ByteReader& reader, ParameterType type);
bool write_number(ByteWriter& writer, const Number& number, ParameterType type);

}  // namespace upcast::fuzz
