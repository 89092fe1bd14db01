// Wraps SQLite, as far as the run store needs it: prepared statements, and errors that a user can
// act on.
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

  /// Goes to the statement's next row. Returns false if there is none. A finished statement may be
  /// bound and stepped again.
  bool step();
  /// Runs the statement to its end. Rows that it gives are dropped.
  void run();

  /// The value in a column of the current row. Throws UsageError for a value of another type, since
  /// the file is then damaged.
  int64_t integer(int column) const;
  /// The text in a column, with unprintable bytes shown by visible(): the file may be foreign, and
  /// hold any text.
  std::string text(int column) const;
  /// The bytes in a column of the current row. They are valid until the next step().
  std::string_view blob(int column) const;

  /// Feeds the first `columns` values of the current row to a digest. A whole number becomes "i"
  /// and the number. A text or a blob becomes "t" or "b", its length and its bytes.
  void feed(Xxh64& digest, int columns) const;

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(const class Database* database, sqlite3_stmt* statement)
      : database_(database), statement_(statement) {}
  /// Throws UsageError unless the value in a column has the given SQLite type.
  void expect(int column, int type) const;

  const Database* database_;
  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

/// One open file, which may come from anyone. Only one thread may use it at a time. Every failure
/// throws a UsageError that names the file and the remedy. SQLite has the settings that it advises
/// for such files (reports/distrust.h). A statement that takes more steps than any of ours means
/// that the file is damaged.
class Database {
 public:
  enum class Access { kRead, kWrite };

  Database(std::string path, Access access);

  /// Sets the function that decides whether a running statement must stop. It is asked from time to
  /// time. If it returns true, the statement ends with a UsageError. The function stays until
  /// another one is set.
  void stop_when(std::function<bool()> stop) const;

  Statement prepare(std::string_view sql) const;
  void execute(const char* sql) const;
  /// Runs `body` in one transaction: all that it writes is stored, or nothing if it throws.
  void transaction(const std::function<void()>& body) const;
  /// Runs `body` so that all its statements see one state of the file, whatever another process
  /// writes meanwhile.
  void snapshot(const std::function<void()>& body) const;
  /// Throws UsageError if SQLite's own structure check fails. Call it only after every table was
  /// read: the check recurses as deep as a tree of the file is, and only reading limits that.
  void check_structure() const;
  const std::string& path() const { return path_; }

  /// Throws UsageError for an SQLite result code.
  [[noreturn]] void fail(int result) const;
  /// Throws UsageError with the message "<path>: damaged (<what>); ...".
  [[noreturn]] void fail_damaged(std::string_view what) const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  /// The state with which the running statement is watched.
  struct Watch {
    int64_t ticks = 0;
    std::function<bool()> stop{};
    bool stopped = false;
  };
  /// SQLite calls this function every so many steps of a statement. A result other than 0 ends the
  /// statement.
  static int tick(void* watch);

  std::string path_;
  std::unique_ptr<Watch> watch_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace upcast::reports
