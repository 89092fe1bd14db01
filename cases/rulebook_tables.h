// Probed tables of the real libraries (cases/rulebooks/*.json): the dtype that each library gave
// for each pair of operands. A cell of a table is a question to a rule book, with the library's
// answer.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "impl/promotion/rulebooks/rulebook.h"

namespace upcast {

/// The label of a row or column, read as an operand: "i64", "f32*", "2**31", "complex".
struct LabelledOperand {
  std::string text;    // the operand as reports show it: "int64[2]", "int64[]", "2.5"
  bool known = false;  // false: our dtype table lacks the dtype, or it is a Python object
  rulebooks::Operand operand;
};

struct RulebookTable {
  std::string name;  // "operator.add.nd_0d"
  std::vector<std::string> rows, columns;
  std::vector<std::vector<std::string>> cells;
  std::map<std::string, std::string> keys;  // what is asked: op, form, lhs, rhs, ...

  std::string key(std::string_view which) const;
};

/// The tables of one library in one version and mode.
struct RulebookTables {
  std::string name;  // the file's name, as the subject `table:NAME` has it
  std::string framework, version, variant;
  std::map<std::string, std::string> errors, error_kinds;  // by "!k"
  std::vector<RulebookTable> tables;
};

/// The library's answer in a cell of a table.
struct TableAnswer {
  enum class Tag : std::uint8_t {
    kDType,
    kRefused,
    kNoKernel,  // no answer about dtypes: a missing kernel, a shape, a fault of the library
    kOutside    // our dtype table lacks the dtype, or it is a Python object
  };
  Tag tag = Tag::kOutside;
  DType dtype = DType::kUndefined;
  bool weak = false;
  std::string_view why{};  // the message with which the library refused
};

/// A cell as a question to a rule book. It must not be copied, because its spans point into itself.
struct CellQuestion {
  std::string op;  // canonical
  std::vector<LabelledOperand> shown;
  std::vector<rulebooks::Operand> operands;
  rulebooks::Form form = rulebooks::Form::kFunction;
  DType default_dtype = DType::kFloat32;
  DType out = DType::kUndefined;
  int opset = 9;
  bool known = true;  // whether our dtype table knows every operand

  rulebooks::Question question() const { return {op, operands, form, default_dtype, out, opset}; }
};

/// Reads table sets: JSON documents, one after the other. Throws UsageError with the set's name if
/// a document is malformed.
std::vector<RulebookTables> parse_rulebook_tables(std::string_view json);
/// The table sets that are part of the program.
const std::vector<RulebookTables>& rulebook_tables();
/// The table set with the given name. Throws UsageError, which lists the names, if there is none.
const RulebookTables& find_rulebook_tables(std::string_view name);

CellQuestion cell_question(const RulebookTable& table, std::size_t row, std::size_t column);
TableAnswer cell_answer(const RulebookTables& set, const RulebookTable& table, std::size_t row,
                        std::size_t column);

/// A dtype as the tables label it ("f8e4m3fn"); kUndefined where our dtype table lacks it.
DType labelled_dtype(std::string_view label);

}  // namespace upcast
