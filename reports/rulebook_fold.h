// Folds a run of rule books: counts for each pair of a book and a library's tables, and which
// promotion systems answer alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reports/run_store.h"

namespace upcast::reports {

/// The value of GridRow::family for rows with the answers of one system. Their GridRow::op is the
/// system's name.
inline constexpr std::string_view kComparedFamily = "systems";
/// The value of GridRow::family for rows of a table that a book claims.
std::string pair_family(std::string_view book, std::string_view table);

/// How the cells of a pair came out: cells = agree + declared + outside + silent + no_kernel +
/// unexplained.
struct PairCounts {
  std::string book, table;
  int64_t tables = 0;
  int64_t cells = 0;
  int64_t agree = 0;
  int64_t declared = 0;
  int64_t outside = 0;    // cells with a dtype that our dtype table or the book lacks
  int64_t silent = 0;     // cells that the library answers, and the book does not
  int64_t no_kernel = 0;  // cells in which the library had no kernel to answer with
  int64_t unexplained = 0;

  void add(const PairCounts& other);
};

/// A question that all systems were asked. Its axes are operands as texts ("int64[2]").
struct ComparedAxes {
  std::string op, text;  // "add(a[2], b[])"
  std::vector<std::string> rows, columns;
};

struct SystemAnswers {
  std::string name;
  /// For each question, the system's answer in each cell. kNotRunByte if the system says nothing.
  std::vector<std::vector<AnswerByte>> answers;
};

struct RulebookFold {
  std::vector<PairCounts> pairs;
  std::vector<ComparedAxes> questions;
  std::vector<SystemAnswers> systems;

  bool empty() const { return pairs.empty() && systems.empty(); }
  PairCounts total() const;
};

/// How often two systems answer one question, or all questions, alike.
struct Agreement {
  int64_t both = 0;   // cells in which both answer
  int64_t alike = 0;  // cells with the same dtype, or refused by both
};

/// Whether two answers are alike: both are refusals, or both are the same dtype.
bool answer_alike(AnswerByte a, AnswerByte b);
Agreement compare_systems(const SystemAnswers& a, const SystemAnswers& b, size_t question);
Agreement compare_systems(const SystemAnswers& a, const SystemAnswers& b);

/// Folds the shards of one run of rule books. The result is empty for a run of another grid.
RulebookFold fold_rulebooks(const std::vector<const RunStore*>& stores);

/// The counts of all pairs and the matrix of systems as lines of plain text.
std::vector<std::string> rulebook_text(const RulebookFold& fold);
/// The counts of all pairs and the matrix of systems as Markdown tables.
std::string rulebook_markdown(const RulebookFold& fold);

}  // namespace upcast::reports
