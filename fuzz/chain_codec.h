// Several calls as fuzz bytes: a call may take the result of the one before it.
//   for each call: a byte (bits 0-5 how many bytes, bits 6-7 which tensor operand the result before
//   it becomes: 0 none, 1, 2, 3 the first, second, third), then the call (codec.h)
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
