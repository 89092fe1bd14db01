// A file that SQLite opens may come from anyone: checks before opening it, and SQLite's settings.
#pragma once

#include <string>

struct sqlite3;

namespace upcast::reports {

/// Throws UsageError where `path`, or a file that SQLite keeps next to it (-journal, -wal, -shm),
/// is no regular file, where it is larger than any run store, or where its journal names a further
/// file: SQLite would delete that one.
void check_files(const std::string& path);

/// As https://www.sqlite.org/security.html advises: no views, triggers, extensions or attached
/// files, nothing of the schema is trusted, cells are checked, no memory map, limits on all that
/// has a size. False where SQLite refuses.
bool distrust(sqlite3* database);

}  // namespace upcast::reports
