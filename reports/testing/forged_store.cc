#include "reports/testing/forged_store.h"

#include <cstdint>

#include "reports/database.h"
#include "reports/plan_tables.h"
#include "reports/store_digest.h"

namespace upcast::reports::testing {

void renew_digests(const std::string& path) {
  const Database file(path, Database::Access::kWrite);
  uint64_t sum = 0;
  Statement blocks = file.prepare("SELECT id, first, count FROM block ORDER BY id");
  Statement update = file.prepare("UPDATE block SET digest = ?2 WHERE id = ?1");
  while (blocks.step()) {
    const int64_t id = blocks.integer(0);
    const int64_t first = blocks.integer(1);
    const uint64_t digest = block_digest(file, {id, id + 1, first, first + blocks.integer(2)});
    update.bind(1, id).bind(2, static_cast<int64_t>(digest)).run();
    sum += digest;
  }
  write_meta(file, "digest", store_digest(file, read_plan(file).digest, sum));
}

}  // namespace upcast::reports::testing
