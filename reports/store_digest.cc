#include "reports/store_digest.h"

#include <fmt/format.h>

#include <functional>

#include "reports/xxh64.h"

namespace upcast::reports {
namespace {

/// The digests of one block: its id, the digest that its row has, and the digest of its present
/// contents.
struct SeenBlock {
  int64_t id = 0;
  uint64_t stored = 0;
  uint64_t found = 0;
};

/// Visits the blocks of a file with their records, in order of case.
void visit_digests(const Database& database, const BlockRange& range,
                   const std::function<void(const SeenBlock&)>& visit) {
  Statement blocks = database.prepare(
      "SELECT id, first, count, values_judged, matched, columns, digest FROM block "
      "WHERE id >= ?1 AND id < ?2 ORDER BY id");
  Statement records = database.prepare(
      "SELECT case_index, line, verdict, known, subject, oracle, signature FROM record "
      "WHERE case_index >= ?1 AND case_index < ?2 ORDER BY case_index");
  blocks.bind(1, range.first_id).bind(2, range.end_id);
  records.bind(1, range.first_case).bind(2, range.end_case);
  int64_t last_id = -1;
  int64_t last_case = -1;
  bool has_record = records.step();
  while (blocks.step()) {
    const int64_t id = blocks.integer(0);
    const int64_t first = blocks.integer(1);
    const int64_t count = blocks.integer(2);
    if (id <= last_id || first < 0 || count < 0 || first > INT64_MAX - count)
      database.fail_damaged(fmt::format("block {}", id));
    last_id = id;
    Xxh64 digest;
    blocks.feed(digest, 6);
    for (; has_record && records.integer(0) < first + count; has_record = records.step()) {
      const int64_t index = records.integer(0);
      if (index <= last_case || index < first)
        database.fail_damaged(fmt::format("record {}", index));
      last_case = index;
      records.feed(digest, 7);
    }
    visit({.id = id, .stored = static_cast<uint64_t>(blocks.integer(6)), .found = digest.digest()});
  }
  if (has_record)
    database.fail_damaged(fmt::format("record {} belongs to no block", records.integer(0)));
}

}  // namespace

uint64_t block_digest(const Database& database, const BlockRange& block) {
  uint64_t found = 0;
  visit_digests(database, block, [&](const SeenBlock& seen) { found = seen.found; });
  return found;
}

BlockDigests check_blocks(const Database& database) {
  BlockDigests all;
  visit_digests(database, {}, [&](const SeenBlock& seen) {
    if (seen.stored != seen.found)
      database.fail_damaged(fmt::format("block {} or its records have another digest", seen.id));
    all.sum += seen.found;
    ++all.blocks;
  });
  return all;
}

std::string store_digest(const Database& database, uint64_t plan, uint64_t blocks) {
  Xxh64 digest;
  Statement select =
      database.prepare("SELECT key, value FROM meta WHERE key <> 'digest' ORDER BY key");
  while (select.step()) select.feed(digest, 2);
  digest.update(static_cast<int64_t>(plan));
  digest.update(static_cast<int64_t>(blocks));
  return fmt::format("{:016x}", digest.digest());
}

}  // namespace upcast::reports
