// Tables of the real libraries, probed (cases/rulebooks/*.json): the dtype that each gave for each
// pair of operands. A cell holds a question to a rule book, and the library's answer.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "impl/promotion/rulebooks/rulebook.h"

namespace upcast {

/// One axis label read as an operand: "i64", "f32*", "2**31", "complex".
struct LabelledOperand {
  std::string text;    // as in the report: "int64[2]", "int64[]", "2.5"
  bool known = false;  // false: a dtype that our dtype table lacks, or a Python object
  rulebooks::Operand operand;
};

struct RulebookTable {
  std::string name;  // "operator.add.nd_0d"
  std::vector<std::string> rows, columns;
  std::vector<std::vector<std::string>> cells;
  std::map<std::string, std::string> keys;  // op, form, lhs, rhs, operands, tensor_rank, ...

  std::string key(std::string_view which) const;
};

/// The tables of one library in one version and mode.
struct RulebookTables {
  std::string name;  // of `table:NAME`, the file's
  std::string framework, version, variant;
  std::map<std::string, std::string> errors, error_kinds;  // by "!k"
  std::vector<RulebookTable> tables;
};

/// What a cell of a table says.
struct TableAnswer {
  enum class Tag : std::uint8_t {
    kDType,
    kRefused,
    kNoKernel,  // not a matter of the rule: a missing kernel, a shape, a fault of the library
    kOutside    // a dtype that our dtype table lacks, or a Python object
  };
  Tag tag = Tag::kOutside;
  DType dtype = DType::kUndefined;
  bool weak = false;
  std::string_view why{};  // of a refusal: the library's message
};

/// A cell as a question. It must not be copied, because its spans point into itself.
struct CellQuestion {
  std::string op;  // canonical
  std::vector<LabelledOperand> shown;
  std::vector<rulebooks::Operand> operands;
  rulebooks::Form form = rulebooks::Form::kFunction;
  DType default_dtype = DType::kFloat32;
  DType out = DType::kUndefined;
  int opset = 9;
  bool known = true;  // whether every operand is known

  rulebooks::Question question() const { return {op, operands, form, default_dtype, out, opset}; }
};

/// Reads table sets: JSON documents, one after the other. Throws UsageError with the set's name if
/// one is malformed.
std::vector<RulebookTables> parse_rulebook_tables(std::string_view json);
/// The table sets that are built in.
const std::vector<RulebookTables>& rulebook_tables();
/// The set of that name. Throws UsageError, listing the names, if there is none.
const RulebookTables& find_rulebook_tables(std::string_view name);

CellQuestion cell_question(const RulebookTable& table, std::size_t row, std::size_t column);
TableAnswer cell_answer(const RulebookTables& set, const RulebookTable& table, std::size_t row,
                        std::size_t column);

/// A dtype as the tables label it ("f8e4m3fn"); kUndefined where our dtype table lacks it.
DType labelled_dtype(std::string_view label);

}  // namespace upcast
