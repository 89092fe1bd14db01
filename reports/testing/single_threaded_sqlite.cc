#include "reports/testing/single_threaded_sqlite.h"

#include <sqlite3.h>

namespace upcast::reports::testing {

void use_single_threaded_sqlite() {
  sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
  sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

}  // namespace upcast::reports::testing
