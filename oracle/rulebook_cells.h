// Judges rule books: by the cells of the libraries' tables, and by the questions on which systems
// are compared with each other.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cases/rulebook_pairs.h"
#include "impl/promotion/rulebooks/rulebooks.h"
#include "oracle/answer.h"
#include "oracle/verdict.h"

namespace upcast {

/// A rule book's reply as an Answer for the judge; kOutside becomes kNotJudged.
Answer to_answer(const rulebooks::Reply& reply);
/// A library's answer in a cell of its table, as an Answer for the judge; kNotJudged if a missing
/// kernel hides the answer.
Answer to_answer(const TableAnswer& answer);

/// An answer as declarations and tables write it: "f32", "refused", "outside".
std::string answer_label(const rulebooks::Reply& reply);
std::string answer_label(const TableAnswer& answer);

/// A rule book and a library's table that it claims to answer for, with the declared differences of
/// the two.
struct ClaimedTable {
  const RulebookPair* pair;
  const rulebooks::RuleBook* book;
  const RulebookTables* set;
  const RulebookTable* table;
  std::vector<int> declared;  // numbers of differences declared for book and table, in file order

  std::int64_t cells() const {
    return static_cast<std::int64_t>(table->rows.size() * table->columns.size());
  }
};

/// How a rule book and a library's table compare in one cell.
struct CellVerdict {
  Verdict verdict;
  Answer book, library;
  rulebooks::Reply reply;
  std::string op;
  std::vector<std::string> operands;  // the operands, as the report shows them
  // Numbers of declared differences that explain the cell; several: they overlap.
  std::vector<int> explained_by;
  // Numbers of declared differences that cover the cell, whatever the answers are.
  std::vector<int> named_by;
  /// Whether the book is silent: the library answers, the book does not, and it knows the dtypes of
  /// all operands.
  bool silent = false;
};

/// Judges one cell. If a declared difference explains the cell, the verdict's code is kKnown.
CellVerdict judge_cell(const ClaimedTable& claimed, const std::vector<DeclaredCells>& declared,
                       std::int64_t cell);

/// The rule books and tables that a run compares.
struct RulebookSelection {
  std::vector<ClaimedTable> claimed;
  // Pairs that are not compared, each with the reason.
  std::vector<std::pair<ClaimedTable, std::string>> left_out;
  std::vector<const rulebooks::RuleBook*> books;  // all rule books of the run
};

/// Selects rule books and tables. `subject` is "rulebook:NAME", `oracle` "table:NAME". The name
/// "all" selects all. Throws UsageError for an unknown name, and if no declared pair is selected.
RulebookSelection select_rulebooks(std::string_view subject, std::string_view oracle,
                                   const RulebookPairs& pairs,
                                   const std::vector<RulebookTables>& tables);

/// Finds the rule book with this name. Throws UsageError if there is none; the message lists the
/// names.
const rulebooks::RuleBook& find_rulebook(std::string_view name);

/// The dtypes of the questions on which rule books are compared with each other.
inline constexpr std::array<DType, 17> kComparedDTypes{
    DType::kBool,      DType::kUInt8,     DType::kInt8,    DType::kInt16,     DType::kInt32,
    DType::kInt64,     DType::kUInt16,    DType::kUInt32,  DType::kUInt64,    DType::kFloat16,
    DType::kBFloat16,  DType::kFloat32,   DType::kFloat64, DType::kComplex32, DType::kBComplex32,
    DType::kComplex64, DType::kComplex128};

/// A set of questions that every rule book is asked, for comparison: an op with each pair of a left
/// and a right operand. A unary op has no right operands.
struct ComparedQuestion {
  std::string op;
  std::vector<rulebooks::Operand> left, right;

  std::int64_t cells() const {
    return static_cast<std::int64_t>(left.size() * (right.empty() ? 1 : right.size()));
  }
  rulebooks::Reply ask(const rulebooks::RuleBook& book, std::int64_t cell) const;
};
const std::vector<ComparedQuestion>& compared_questions();

/// An operand as reports show it: "int64[2]", "int64[]", "1.5".
std::string shown_operand(const rulebooks::Operand& operand);

}  // namespace upcast
