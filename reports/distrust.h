// Guards against run stores from strangers: checks before SQLite opens a file, and SQLite's
// settings.
#pragma once

#include <string>

struct sqlite3;

namespace upcast::reports {

/// Throws UsageError if `path`, or a file that SQLite keeps next to it (-journal, -wal, -shm), is
/// no regular file, or is larger than any run store. Throws it also if the journal names a further
/// file, which SQLite would delete.
void check_files(const std::string& path);

/// Sets SQLite up as https://www.sqlite.org/security.html advises: no views, triggers, extensions
/// or attached files, no trust in the schema, checked cells, no memory map, limits on all sizes.
/// Returns false if SQLite refuses.
bool distrust(sqlite3* database);

}  // namespace upcast::reports
