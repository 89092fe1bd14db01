// A chain of calls as fuzz bytes. Each call may take the result of the one before it.
// For each call there is a byte, then the call itself (codec.h). In that byte, bits 0-5 say how
// many bytes the call has. Bits 6-7 say which of its tensor operands is the result before it: 0
// none; 1, 2, 3 the first, second, third.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cases/chain.h"

namespace upcast::fuzz {

/// Decodes bytes to a chain of one to kMaxCalls calls. Never fails.
Chain decode_chain(std::span<const std::uint8_t> bytes);
/// Encodes a chain as bytes. Calls that the codec cannot hold are left out.
std::vector<std::uint8_t> encode_chain(const Chain& calls);

}  // namespace upcast::fuzz
