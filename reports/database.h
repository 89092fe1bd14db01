// SQLite, as far as the run store needs it: prepared statements, and errors that a user can act on.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace upcast::reports {

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement& bind(int index, int64_t value);
  Statement& bind(int index, double value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_blob(int index, std::string_view bytes);

  /// True while there is a row. A finished statement may be bound and stepped again.
  bool step();
  /// Steps to the end.
  void run();

  int64_t integer(int column) const;
  double real(int column) const;
  /// visible(): whoever wrote the file may have written anything.
  std::string text(int column) const;
  /// Valid until the next step.
  std::string_view blob(int column) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(const class Database* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// One open file. Every failure throws UsageError that names the file and the remedy.
class Database {
 public:
  enum class Access { kRead, kWrite };

  Database(std::string path, Access access);

  Statement prepare(std::string_view sql) const;
  void execute(const char* sql) const;
  /// Runs `body` in one transaction: all of it is stored, or (when it throws) nothing.
  void transaction(const std::function<void()>& body) const;
  /// Throws unless SQLite's own structure check passes.
  void check_structure() const;
  const std::string& path() const { return path_; }

  /// Throws UsageError for an SQLite result code.
  [[noreturn]] void fail(int result) const;
  /// Throws UsageError: "<path>: damaged (<what>); ...".
  [[noreturn]] void fail_damaged(std::string_view what) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::string path_;
  std::unique_ptr<sqlite3, Close> database_;
};

/// Holds the file for one writer until destroyed; creates it where it is missing. A second process
/// that wants it gets a UsageError. The lock dies with the process.
class WriterLock {
 public:
  explicit WriterLock(const std::string& path);
  ~WriterLock();
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace upcast::reports
