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

/// The answer that the judge gets for a rule book's reply; kOutside becomes kNotJudged.
Answer to_answer(const rulebooks::Reply& reply);
/// The answer of the library in a cell; kNotJudged if a missing kernel hides it.
Answer to_answer(const TableAnswer& answer);

/// The answer as declarations and tables write it: "f32", "refused", "outside".
std::string answer_label(const rulebooks::Reply& reply);
std::string answer_label(const TableAnswer& answer);

/// A rule book and a library's table that it claims, with what is declared about the two.
struct ClaimedTable {
  const RulebookPair* pair;
  const rulebooks::RuleBook* book;
  const RulebookTables* set;
  const RulebookTable* table;
  std::vector<int> declared;  // indices of the declarations about the two, in file order

  std::int64_t cells() const {
    return static_cast<std::int64_t>(table->rows.size() * table->columns.size());
  }
};

/// The verdict of a cell.
struct CellVerdict {
  Verdict verdict;
  Answer book, library;
  rulebooks::Reply reply;
  std::string op;
  std::vector<std::string> operands;  // as shown
  std::vector<int> explained_by;      // declarations; more than one overlap
  std::vector<int> named_by;          // declarations that cover the cell, whatever the answers are
  /// Whether the book is silent: the library answers, the book does not, and it knows the dtypes of
  /// all operands.
  bool silent = false;
};

/// Judges one cell. A declared difference has the code kKnown.
CellVerdict judge_cell(const ClaimedTable& claimed, const std::vector<DeclaredCells>& declared,
                       std::int64_t cell);

/// The books and tables of a run of rule books.
struct RulebookSelection {
  std::vector<ClaimedTable> claimed;
  std::vector<std::pair<ClaimedTable, std::string>> left_out;  // with the reason
  std::vector<const rulebooks::RuleBook*> books;  // the books whose answers are compared
};

/// Selects books and tables. `subject` is "rulebook:NAME", `oracle` "table:NAME"; "all" for a name
/// takes all. Throws UsageError for an unknown name, and if no pair of the two is declared.
RulebookSelection select_rulebooks(std::string_view subject, std::string_view oracle,
                                   const RulebookPairs& pairs,
                                   const std::vector<RulebookTables>& tables);

/// Finds the book of that name. Throws UsageError, listing the names, if there is none.
const rulebooks::RuleBook& find_rulebook(std::string_view name);

/// The dtypes on which systems are compared.
inline constexpr std::array<DType, 17> kComparedDTypes{
    DType::kBool,      DType::kUInt8,     DType::kInt8,    DType::kInt16,     DType::kInt32,
    DType::kInt64,     DType::kUInt16,    DType::kUInt32,  DType::kUInt64,    DType::kFloat16,
    DType::kBFloat16,  DType::kFloat32,   DType::kFloat64, DType::kComplex32, DType::kBComplex32,
    DType::kComplex64, DType::kComplex128};

/// The questions that every system is asked, for comparison: an op, and one axis of operands for
/// each side. A unary op has no right side.
struct ComparedQuestion {
  std::string op;
  std::vector<rulebooks::Operand> left, right;

  std::int64_t cells() const {
    return static_cast<std::int64_t>(left.size() * (right.empty() ? 1 : right.size()));
  }
  rulebooks::Reply ask(const rulebooks::RuleBook& book, std::int64_t cell) const;
};
const std::vector<ComparedQuestion>& compared_questions();

/// "int64[2]", "int64[]", "1.5".
std::string shown_operand(const rulebooks::Operand& operand);

}  // namespace upcast
