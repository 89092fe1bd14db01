// A Case as fuzz bytes. Any bytes decode to a Case; encode_case leaves out zeros at the end.
//
// Version 1, little-endian. Missing bytes count as 0.
//   version                 1
//   callable                2 bytes, an id of callable_ids.txt
//   settings                bits 0-1 default dtype, 2-3 value class
//   seed                    2 bytes; 0 for the value class small
//   rank                    of the master shape, at most kMaxRank
//   sizes                   of the master shape, 4 bits each, indices into kSizes
//   arguments, by schema    an operand each (operand_codec.h)
//   out, second out         if the form has them
// New ids, table entries and bits are only added at the end. A field beyond its range wraps around.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cases/case.h"

namespace upcast::fuzz {

inline constexpr std::uint8_t kCodecVersion = 1;
/// The most bytes that one encoded case takes.
inline constexpr std::size_t kMaxCaseBytes = 64;

/// Decodes bytes to a case. Never fails: bytes beyond kMaxCaseBytes are not read. Parts whose
/// canonical form would exceed kMaxCaseBytes are left out (long numbers, then values, then
/// layouts). The notation knows every such case: parse_case(print_case(c)) == c.
void decode_case(std::span<const std::uint8_t> bytes, Case& c);
inline Case decode_case(std::span<const std::uint8_t> bytes) {
  Case c;
  decode_case(bytes, c);
  return c;
}

/// The bytes of a case: decode_case(*encode_case(c)) == c. Nothing for a case that the format
/// cannot hold. It has no room for other devices, an expectation, or too many elements, dimensions
/// or spelled-out values.
std::optional<std::vector<std::uint8_t>> encode_case(const Case& c);

}  // namespace upcast::fuzz
