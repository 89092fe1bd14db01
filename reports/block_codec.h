// Packs the columns of a block as one compressed blob.
#pragma once

#include <string>
#include <string_view>

#include "reports/run_store.h"

namespace upcast::reports {

/// Packs a block: zstd of verdict[count] known[count] subject[count] oracle[count], with a
/// checksum. A verdict's byte is its code + 32 * the outcome of a ruling.
std::string pack_columns(const BlockResult& block);

/// Fills the columns of `block`, whose count is set. Returns "" on success, else the fault: a
/// flipped bit, a wrong length, a byte without a meaning.
std::string unpack_columns(std::string_view blob, BlockResult& block);

}  // namespace upcast::reports
