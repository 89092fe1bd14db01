#include "reports/testing/solitary_sqlite.h"

#include <sqlite3.h>

#include "impl/core/error.h"

namespace upcast::reports::testing {

void use_solitary_sqlite() {
  sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
  const sqlite3_vfs* const without_locks = sqlite3_vfs_find("unix-none");
  check(without_locks != nullptr, "SQLite can do without locks on files");
  static sqlite3_vfs files = *without_locks;
  files.zName = "upcast-solitary";
  files.xAccess = [](sqlite3_vfs*, const char*, int, int* answer) {
    *answer = 0;  // it is only asked about journals
    return SQLITE_OK;
  };
  check(sqlite3_vfs_register(&files, /*makeDflt=*/1) == SQLITE_OK, "SQLite takes our files");
}

}  // namespace upcast::reports::testing
