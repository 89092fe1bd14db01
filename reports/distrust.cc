#include "reports/distrust.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string_view>

#include "impl/core/error.h"

namespace upcast::reports {
namespace {

/// The largest file that is opened, in bytes. A store of the grid full has 50 MB.
constexpr int64_t kMaxFileBytes = int64_t{64} << 30;

/// The bytes at the end of a journal that names a further file
/// (https://www.sqlite.org/fileformat.html, section 3). We never attach a second file, so our own
/// journals never end with them.
constexpr std::string_view kNamesAFurtherFile = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";

struct Limit {
  int id;
  int most;
};
/// SQLite's limits on sizes. Our longest value is a block's columns or the axes of a row. Our
/// longest statement has ten columns. The verdict of a record is JSON, which SQLite does not parse.
constexpr Limit kLimits[] = {
    {SQLITE_LIMIT_LENGTH, 64 << 20},
    {SQLITE_LIMIT_SQL_LENGTH, 100'000},
    {SQLITE_LIMIT_COLUMN, 32},
    {SQLITE_LIMIT_EXPR_DEPTH, 16},
    {SQLITE_LIMIT_COMPOUND_SELECT, 4},
    {SQLITE_LIMIT_VDBE_OP, 25'000},
    {SQLITE_LIMIT_FUNCTION_ARG, 8},
    {SQLITE_LIMIT_ATTACHED, 0},
    {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 8},
    {SQLITE_LIMIT_VARIABLE_NUMBER, 32},
    {SQLITE_LIMIT_TRIGGER_DEPTH, 1},
    {SQLITE_LIMIT_WORKER_THREADS, 0},
};

struct Switch {
  int id;
  int on;
};
constexpr Switch kSwitches[] = {
    {SQLITE_DBCONFIG_DEFENSIVE, 1},   {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_VIEW, 0}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},     {SQLITE_DBCONFIG_DQS_DML, 0},
    {SQLITE_DBCONFIG_ENABLE_FKEY, 0},
};

bool names_a_further_file(const std::string& journal) {
  std::ifstream file(journal, std::ios::binary | std::ios::ate);
  const auto tail = static_cast<std::streamoff>(kNamesAFurtherFile.size());
  if (!file || file.tellg() < tail) return false;
  file.seekg(-tail, std::ios::end);
  std::string bytes(kNamesAFurtherFile.size(), '\0');
  return file.read(bytes.data(), tail) && bytes == kNamesAFurtherFile;
}

}  // namespace

void check_files(const std::string& path) {
  for (const std::string suffix : {"", "-journal", "-wal", "-shm"}) {
    const std::string file = path + suffix;
    struct stat status;
    if (stat(file.c_str(), &status) != 0) continue;
    if (!S_ISREG(status.st_mode)) {
      throw UsageError(file + (suffix.empty() ? ": not a file; give the path of a run store"
                                              : ": not a file; remove it"));
    }
    if (status.st_size > kMaxFileBytes) {
      throw UsageError(
          fmt::format("{}: larger than {} GiB, too large for a run store; name another file", file,
                      kMaxFileBytes >> 30));
    }
    if (suffix == "-journal" && names_a_further_file(file)) {
      throw UsageError(fmt::format(
          "{}: belongs to several databases, so it is not the journal of a run store; remove it",
          file));
    }
  }
}

bool distrust(sqlite3* database) {
  for (const Limit& limit : kLimits) sqlite3_limit(database, limit.id, limit.most);
  const bool switched = std::all_of(std::begin(kSwitches), std::end(kSwitches), [&](Switch each) {
    return sqlite3_db_config(database, each.id, each.on, nullptr) == SQLITE_OK;
  });
  return switched && sqlite3_exec(database, "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0",
                                  nullptr, nullptr, nullptr) == SQLITE_OK;
}

}  // namespace upcast::reports
