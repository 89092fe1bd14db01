// Digests of the contents of a run store, so that damage does not become a verdict.
#pragma once

#include <cstdint>
#include <string>

#include "reports/database.h"

namespace upcast::reports {

/// Ids and cases of some blocks: first <= x < end.
struct BlockRange {
  int64_t first_id = 0, end_id = INT64_MAX;
  int64_t first_case = 0, end_case = INT64_MAX;
};

/// The digest of a block: of all that its row and its records hold, as the file has them now. The
/// block's row must be there.
uint64_t block_digest(const Database& database, const BlockRange& block);

/// The digests of all blocks of a file, summed.
struct BlockDigests {
  uint64_t sum = 0;  // modulo 2^64, so that their order does not matter
  int64_t blocks = 0;
};

/// Checks all blocks. Throws UsageError if a block's row or one of its records is not what was
/// written, if a record belongs to no block, or if a tree of the file returns a row twice.
BlockDigests check_blocks(const Database& database);

/// The digest of the whole file: meta without its row `digest`, the plan's, and the blocks'.
std::string store_digest(const Database& database, uint64_t plan, uint64_t blocks);

}  // namespace upcast::reports
