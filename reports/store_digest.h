// Digests of the contents of a run store. They keep damage of a file from becoming a verdict.
#pragma once

#include <cstdint>
#include <string>

#include "reports/database.h"

namespace upcast::reports {

/// The ids of some blocks and the numbers of their cases: first <= x < end.
struct BlockRange {
  int64_t first_id = 0, end_id = INT64_MAX;
  int64_t first_case = 0, end_case = INT64_MAX;
};

/// The digest of a block as the file has it now: of its row and its records. The file must have the
/// block's row.
uint64_t block_digest(const Database& database, const BlockRange& block);

/// The sum of the digests of all blocks of a file.
struct BlockDigests {
  uint64_t sum = 0;  // modulo 2^64; the order of the blocks does not matter
  int64_t blocks = 0;
};

/// Checks all blocks of a file. Throws UsageError if a block's row or one of its records is not
/// what was written. Throws it also if a record belongs to no block, or if a tree of the file
/// returns a row twice.
BlockDigests check_blocks(const Database& database);

/// The digest of a whole file. It covers the table meta without its row `digest`, the digest of the
/// plan, and those of the blocks.
std::string store_digest(const Database& database, uint64_t plan, uint64_t blocks);

}  // namespace upcast::reports
