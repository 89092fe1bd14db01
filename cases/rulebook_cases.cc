#include "cases/rulebook_cases.h"

#include <fmt/format.h>

#include <set>
#include <string_view>

#include "cases/glob.h"
#include "cases/notation.h"
#include "cases/rulebook_pairs.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

using rulebooks::Rank;

/// Thrown for a cell that cannot be asked as a case; `why` says the reason.
struct NoCase {
  std::string why;
};

std::string number_text(const rulebooks::Operand& operand) {
  if (is_bool(operand.dtype)) return operand.value != 0 ? "True" : "False";
  if (is_integral(operand.dtype)) return fmt::format("{:.0f}", operand.value);
  const std::string text = fmt::format("{}", static_cast<double>(operand.value));
  const bool whole = text.find_first_of(".enf") == std::string::npos;
  if (is_complex(operand.dtype)) return text + "j";
  return whole ? text + ".0" : text;
}

/// The element of an operand as text. NumPy 1 needs it: its rules depend on the value of a zero-dim
/// array.
std::string element_text(const rulebooks::Operand& operand) {
  if (is_bool(operand.dtype)) return "True";
  if (is_integral(operand.dtype)) return fmt::format("{:.0f}", operand.value);
  return fmt::format("{}{}", static_cast<double>(operand.value),
                     is_complex(operand.dtype) ? "+0j" : "");
}

std::string operand_text(const rulebooks::Operand& operand) {
  const std::string_view one = is_bool(operand.dtype) ? "True" : "1";
  switch (operand.rank) {
    case Rank::kDim:
      return fmt::format("{}[2]{{{},{}}}", name(operand.dtype), one, one);
    case Rank::kZeroDim:
      return fmt::format("{}[]{{{}}}", name(operand.dtype), element_text(operand));
    case Rank::kNumber:
      return number_text(operand);
    case Rank::kLibraryScalar:
      throw NoCase{"a NumPy scalar"};
    case Rank::kWeak:
      break;
  }
  throw NoCase{"a weakly typed array"};
}

std::string expectation(const TableAnswer& answer) {
  using Tag = TableAnswer::Tag;
  if (answer.tag == Tag::kNoKernel) throw NoCase{"no kernel"};
  if (answer.tag == Tag::kOutside) throw NoCase{"a result dtype that upcast does not have"};
  return answer.tag == Tag::kRefused ? "refuses" : std::string(name(answer.dtype));
}

std::string line_of(const RulebookTables& set, const RulebookTable& table, std::size_t row,
                    std::size_t column) {
  const CellQuestion asked = cell_question(table, row, column);
  if (!asked.known) throw NoCase{"an operand dtype that upcast does not have"};
  const bool functional =
      asked.form == rulebooks::Form::kFunction || asked.form == rulebooks::Form::kOperator;
  if (!functional) throw NoCase{"in place or out="};
  if (asked.op == "can_cast") throw NoCase{"whether a cast is allowed"};
  if (asked.op == "clamp" && asked.operands.size() == 1)
    throw NoCase{"clip: the table does not hold its bounds"};
  const std::string expected = expectation(cell_answer(set, table, row, column));
  std::vector<std::string> operands;
  if (asked.op == "where") operands.emplace_back("bool[2]{True,False}");
  for (const rulebooks::Operand& operand : asked.operands)
    operands.push_back(asked.op == "promote_types" ? std::string(name(operand.dtype))
                                                   : operand_text(operand));
  std::string line = fmt::format("{}({})", asked.op, fmt::join(operands, ", "));
  if (asked.default_dtype != DType::kFloat32)
    line += fmt::format(" @default={}", name(asked.default_dtype));
  try {
    return print_case(parse_case(line + " -> " + expected));
  } catch (const UsageError&) {
    throw NoCase{"no such op, or not with these operands"};
  }
}

}  // namespace

CellCases cases_of_cells(const RulebookTables& set, std::string_view glob) {
  CellCases found;
  std::set<std::string> lines;
  for (const RulebookTable& table : set.tables) {
    if (!matches_glob(glob, table.name)) continue;
    for (std::size_t row = 0; row < table.cells.size(); ++row) {
      for (std::size_t column = 0; column < table.columns.size(); ++column) {
        try {
          std::string line = line_of(set, table, row, column);
          if (!lines.insert(line).second) throw NoCase{"the same case as another cell"};
          found.lines.push_back(std::move(line));
        } catch (const NoCase& reason) {
          ++found.left_out[reason.why];
        }
      }
    }
  }
  return found;
}

}  // namespace upcast
