// Which tables a rule book claims, and where it and a library are known to differ
// (cases/rulebooks/pairs.toml, declared.toml).
//
//   [[pair]]
//   book = "paddle"
//   table = "paddle_3.3.1_dygraph"
//   claims = ["operator.*", "api.*"]
//   silent = 12                  # how many cells the library answers and the book does not,
//                                # although the book knows their dtypes; absent: none
//   silence = "..."              # why the book does not answer these cells
//   [[pair.left_out]]
//   tables = ["*.default_f64"]   # "*" alone, here or in claims: all other tables
//   reason = "..."
//
//   [[declared]]
//   id = "P3"
//   book = "paddle-document"
//   table = "paddle_3.3.1_dygraph"
//   tables = ["operator.add.nd_nd"]
//   rows = ["bool", "u8"]        # labels of rows; absent: all
//   columns = ["bool", "u8"]     # labels of columns; absent: all
//   either = ["c64", "c128"]     # the row or the column is one of these
//   neither = ["c64", "c128"]    # neither the row nor the column is one of these
//   diagonal = true              # the row equals the column; false: it does not
//   answers = [["refused", "u8", 1], ["refused", "bool", 1]]   # book, library, number of cells
//   class = "contradiction"      # typo, contradiction, changed, never, undocumented, api
//   reason = "..."
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cases/rulebook_tables.h"

namespace upcast {

struct LeftOut {
  std::vector<std::string> tables;
  std::string reason;
};

struct RulebookPair {
  std::string book, table;
  std::vector<std::string> claims;
  std::vector<LeftOut> left_out;
  std::int64_t silent = 0;
  std::string silence;
};

/// A declared pair of answers, as labels ("f32", "refused"), and the number of cells in which the
/// rule book and the library give them.
struct DeclaredAnswers {
  std::string book_says, library_says;
  std::int64_t cells = 0;
};

struct DeclaredCells {
  std::string id, book, table;
  std::vector<std::string> tables, rows, columns, either, neither;
  std::optional<bool> diagonal;
  std::vector<DeclaredAnswers> answers;
  std::string difference_class, reason;

  /// Whether the two answers are among the declared pairs of answers.
  bool explains(std::string_view book_says, std::string_view library_says) const;

  /// Whether the declaration covers a cell, whatever the two answers there are.
  bool names(const RulebookTable& table, std::size_t row, std::size_t column) const;
};

/// Probed tables that no rule book claims. The file with these tables is not part of this
/// repository.
struct UnclaimedTables {
  std::string table;
  std::int64_t tables = 0;
  std::int64_t cells = 0;
  std::string reason;
};

struct RulebookPairs {
  std::vector<RulebookPair> pairs;
  std::vector<DeclaredCells> declared;
  std::vector<UnclaimedTables> unclaimed;
};

/// Reads the texts of pairs.toml and declared.toml. Throws UsageError with the line for a text that
/// is not TOML, an unknown or missing key, and an id that is used twice.
RulebookPairs parse_rulebook_pairs(std::string_view toml, std::string_view file_name);
/// Like parse_rulebook_pairs, for a file. A file that cannot be read is a UsageError too.
RulebookPairs load_rulebook_pairs(const std::string& path);
/// The pairs and declarations that are part of the program.
const RulebookPairs& rulebook_pairs();

/// Why the pair leaves a table out; "" if it claims the table. Throws UsageError if the pair does
/// neither, so that every table is accounted for.
std::string left_out_reason(const RulebookPair& pair, const RulebookTable& table);

}  // namespace upcast
