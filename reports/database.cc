#include "reports/database.h"

#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>

#include "cases/visible.h"
#include "impl/core/error.h"
#include "reports/distrust.h"
#include "reports/xxh64.h"

namespace upcast::reports {
namespace {

/// How many milliseconds to wait while another process holds the file's SQLite lock.
constexpr int kBusyMilliseconds = 5000;

bool is_disk_full(int result, int system_error) {
  return (result & 0xff) == SQLITE_FULL ||
         ((result & 0xff) == SQLITE_IOERR &&
          (system_error == ENOSPC || system_error == EDQUOT || system_error == EFBIG));
}

/// How many steps SQLite takes between two checks whether a statement must end.
constexpr int kStepsATick = 1 << 14;
/// How many checks a statement may take before it must end: a quarter of a billion steps, or
/// seconds. Our own statements take some twenty steps a row.
constexpr int64_t kMaxTicks = 1 << 14;

const char* type_name(int type) {
  switch (type) {
    case SQLITE_INTEGER:
      return "a whole number";
    case SQLITE_FLOAT:
      return "a number";
    case SQLITE_TEXT:
      return "text";
    case SQLITE_BLOB:
      return "bytes";
    default:
      return "nothing";
  }
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

Statement& Statement::bind(int index, int64_t value) {
  check(sqlite3_bind_int64(statement_.get(), index, value) == SQLITE_OK, "a bound parameter");
  return *this;
}

Statement& Statement::bind(int index, std::string_view text) {
  check(sqlite3_bind_text64(statement_.get(), index, text.data(), text.size(), SQLITE_TRANSIENT,
                            SQLITE_UTF8) == SQLITE_OK,
        "a bound parameter");
  return *this;
}

Statement& Statement::bind_blob(int index, std::string_view bytes) {
  check(sqlite3_bind_blob64(statement_.get(), index, bytes.data(), bytes.size(),
                            SQLITE_TRANSIENT) == SQLITE_OK,
        "a bound parameter");
  return *this;
}

bool Statement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result == SQLITE_ROW) return true;
  const int system_error = errno;
  sqlite3_reset(statement_.get());
  errno = system_error;
  if (result != SQLITE_DONE) database_->fail(result);
  return false;
}

void Statement::run() {
  while (step()) {
  }
}

void Statement::expect(int column, int type) const {
  const int found = sqlite3_column_type(statement_.get(), column);
  if (found == type) return;
  database_->fail_damaged(fmt::format("{} is {} instead of {}",
                                      sqlite3_column_name(statement_.get(), column),
                                      type_name(found), type_name(type)));
}

int64_t Statement::integer(int column) const {
  expect(column, SQLITE_INTEGER);
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::text(int column) const {
  expect(column, SQLITE_TEXT);
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (text == nullptr) throw std::bad_alloc();
  return visible({text, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))});
}

std::string_view Statement::blob(int column) const {
  expect(column, SQLITE_BLOB);
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  if (bytes == nullptr) return {};
  return {bytes, static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void Statement::feed(Xxh64& digest, int columns) const {
  sqlite3_stmt* const row = statement_.get();
  for (int column = 0; column < columns; ++column) {
    const int type = sqlite3_column_type(row, column);
    if (type == SQLITE_INTEGER) {
      digest.update("i");
      digest.update(sqlite3_column_int64(row, column));
      continue;
    }
    const bool is_blob = type == SQLITE_BLOB;
    if (!is_blob) expect(column, SQLITE_TEXT);
    const void* const bytes =
        is_blob ? sqlite3_column_blob(row, column) : sqlite3_column_text(row, column);
    const int size = sqlite3_column_bytes(row, column);
    digest.update(is_blob ? "b" : "t");
    digest.update(int64_t{size});
    if (size > 0) digest.update({static_cast<const char*>(bytes), static_cast<size_t>(size)});
  }
}

Database::Database(std::string path, Access access)
    : path_(std::move(path)), watch_(std::make_unique<Watch>()) {
  struct stat status;
  if (access == Access::kRead && stat(path_.c_str(), &status) != 0) {
    throw UsageError(fmt::format("{}: {}; give the path of a run store (upcast run --out FILE)",
                                 path_, std::strerror(errno)));
  }
  check_files(path_);
  sqlite3* opened = nullptr;
  const int flags = (access == Access::kRead ? SQLITE_OPEN_READONLY
                                             : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) |
                    SQLITE_OPEN_NOMUTEX;  // one thread uses a database at a time
  // "./" before the name, because SQLite reads ":memory:" and "file:x" as no plain file names
  const std::string file = path_.starts_with('/') ? path_ : "./" + path_;
  const int result = sqlite3_open_v2(file.c_str(), &opened, flags, nullptr);
  database_.reset(opened);
  if (opened == nullptr) throw std::bad_alloc();
  sqlite3_extended_result_codes(opened, 1);
  if (result != SQLITE_OK) fail(result);
  sqlite3_busy_timeout(opened, kBusyMilliseconds);
  sqlite3_progress_handler(opened, kStepsATick, &Database::tick, watch_.get());
  if (!distrust(opened)) fail(sqlite3_extended_errcode(opened));
}

int Database::tick(void* watch) {
  auto& watched = *static_cast<Watch*>(watch);
  watched.stopped = watched.stop && watched.stop();
  return static_cast<int>(watched.stopped || ++watched.ticks > kMaxTicks);
}

void Database::stop_when(std::function<bool()> stop) const { watch_->stop = std::move(stop); }

Statement Database::prepare(std::string_view sql) const {
  watch_->ticks = 0;
  sqlite3_stmt* statement = nullptr;
  const int result = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                        &statement, nullptr);
  if (result != SQLITE_OK) fail(result);
  return Statement(this, statement);
}

void Database::execute(const char* sql) const {
  watch_->ticks = 0;
  const int result = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (result != SQLITE_OK) fail(result);
}

void Database::transaction(const std::function<void()>& body) const {
  execute("BEGIN IMMEDIATE");
  try {
    body();
    execute("COMMIT");
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
}

void Database::snapshot(const std::function<void()>& body) const {
  execute("BEGIN");
  try {
    body();
  } catch (...) {
    sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    throw;
  }
  execute("COMMIT");
}

void Database::check_structure() const {
  Statement statement = prepare("PRAGMA quick_check(1)");
  if (!statement.step()) fail_damaged("no answer from quick_check");
  const std::string answer = statement.text(0);
  if (answer != "ok") fail_damaged(answer);
}

void Database::fail_damaged(std::string_view what) const {
  throw UsageError(fmt::format(
      "{}: the run store is damaged ({}); remove the file and run again, or name another --out",
      path_, visible(what)));
}

void Database::fail(int result) const {
  const int last_error = errno;
  int system_error = sqlite3_system_errno(database_.get());
  // SQLite 3.40 forgets the system's error if a COMMIT could not write.
  if (system_error == 0 && (result & 0xff) == SQLITE_IOERR) system_error = last_error;
  if (is_disk_full(result, system_error)) {
    throw UsageError(fmt::format(
        "{}: the disk is full; free some space and run the same command again to resume", path_));
  }
  switch (result & 0xff) {
    case SQLITE_NOMEM:
      throw std::bad_alloc();
    case SQLITE_NOTADB:
      throw UsageError(fmt::format(
          "{}: not a run store (not an SQLite file); name another file, or remove this one",
          path_));
    case SQLITE_CORRUPT:
    case SQLITE_TOOBIG:
      fail_damaged(sqlite3_errmsg(database_.get()));
    case SQLITE_INTERRUPT:
      if (!watch_->stopped) fail_damaged("reading it takes too long");
      throw UsageError(fmt::format("{}: stopped by a signal while the run store was read", path_));
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw UsageError(fmt::format(
          "{}: in use by another process; wait until it ends, or name another file", path_));
    case SQLITE_READONLY:
      if (result == SQLITE_READONLY_ROLLBACK) {
        throw UsageError(
            fmt::format("{0}: the command that wrote it was killed and left {0}-journal; run that "
                        "command again to resume",
                        path_));
      }
      [[fallthrough]];
    case SQLITE_PERM:
    case SQLITE_AUTH:
      throw UsageError(
          fmt::format("{}: no permission to write; name a file in a writable folder", path_));
    case SQLITE_CANTOPEN:
      throw UsageError(fmt::format("{}: cannot be opened ({}); check the path and its permissions",
                                   path_,
                                   system_error != 0 ? std::strerror(system_error) : "SQLite"));
    default:
      throw UsageError(fmt::format("{}: {}{}{}; check the disk, or name another file", path_,
                                   visible(sqlite3_errmsg(database_.get())),
                                   system_error != 0 ? ": " : "",
                                   system_error != 0 ? std::strerror(system_error) : ""));
  }
}

}  // namespace upcast::reports
