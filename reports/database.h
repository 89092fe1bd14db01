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

class Xxh64;

/// A prepared statement. Parameters are numbered from 1, columns from 0.
class Statement {
 public:
  Statement& bind(int index, int64_t value);
  Statement& bind(int index, std::string_view text);
  Statement& bind_blob(int index, std::string_view bytes);

  /// Goes to the next row; false if there is none. A finished statement may be bound and stepped
  /// again.
  bool step();
  /// Runs the statement to its end; rows that it gives are dropped.
  void run();

  /// The value in a column of the current row. Throws UsageError for a value of another type: the
  /// file is then damaged.
  int64_t integer(int column) const;
  /// The text in a column, with unprintable bytes shown by visible(): the file may be foreign, and
  /// hold any text.
  std::string text(int column) const;
  /// The bytes in a column; valid until the next step().
  std::string_view blob(int column) const;

  /// Feeds the row's first `columns` values to a digest: i and a whole number, t or b, a length and
  /// that text or those bytes.
  void feed(Xxh64& digest, int columns) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(const class Database* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}
  /// Throws unless the row's value has SQLite's type.
  void expect(int column, int type) const;

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// One open file, which may come from anyone. Every failure throws UsageError that names the file
/// and the remedy. SQLite runs as it advises for such files (reports/distrust.h), and a statement
/// that takes more steps than any of ours is one of a damaged file.
class Database {
 public:
  enum class Access { kRead, kWrite };

  Database(std::string path, Access access);

  /// Until it is set anew, `stop` is asked from time to time, and ends the statement under way with
  /// a UsageError where it is true.
  void stop_when(std::function<bool()> stop) const;

  Statement prepare(std::string_view sql) const;
  void execute(const char* sql) const;
  /// Runs `body` in one transaction: all of it is stored, or (when it throws) nothing.
  void transaction(const std::function<void()>& body) const;
  /// Runs `body` on one state of the file, whatever another process writes meanwhile.
  void snapshot(const std::function<void()>& body) const;
  /// Throws unless SQLite's own structure check passes. Call it after every table was read: its
  /// recursion is as deep as a tree of the file, which only reading limits.
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
  /// Watches the running statement.
  struct Watch {
    int64_t ticks = 0;
    std::function<bool()> stop{};
    bool stopped = false;
  };
  /// SQLite calls it every so many steps of a statement; it ends unless the answer is 0.
  static int tick(void* watch);

  std::string path_;
  std::unique_ptr<Watch> watch_;
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
