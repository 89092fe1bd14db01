#include "tools/book_shelf.h"

#include <algorithm>
#include <optional>

#include "cases/notation.h"
#include "oracle/rulebook_question.h"
#include "reports/columns.h"
#include "reports/token.h"

namespace upcast::tools {
namespace {

using reports::GridRow;

char answer_byte(const rulebooks::Reply& reply) {
  if (reply.tag == rulebooks::Reply::Tag::kOutside) return static_cast<char>(kNotRunByte);
  if (!reply.ok()) return static_cast<char>(reports::kRefusalByte);
  return static_cast<char>(code(reply.dtype) | (reply.weak ? reports::kWeakBit : 0));
}

/// A grid row of two operands as a question to rule books. `rows` and `columns` are the operands
/// that the tokens of the row's two axes stand for.
struct PairQuestion {
  CaseQuestion asked;
  std::vector<rulebooks::Operand> rows, columns;
};

/// Whether operands have the dtypes of an axis' tokens. If they do not, the axis is not an operand
/// that promotes: where()'s condition, for example.
bool are_tokens(const std::vector<rulebooks::Operand>& operands,
                const std::vector<std::string>& tokens) {
  return std::equal(operands.begin(), operands.end(), tokens.begin(), tokens.end(),
                    [](const rulebooks::Operand& operand, const std::string& text) {
                      return operand.dtype == reports::parse_token(text).dtype;
                    });
}

/// The question of a row with two axes; nothing if it has no such question. Parses a line for each
/// token, not for each pair, to save time.
std::optional<PairQuestion> pair_question(const GridRow& row) {
  const auto row_size = static_cast<int64_t>(row.axes[1].size());
  const std::size_t first = row.line_template.find("{0}");
  if (first == std::string::npos || row.line_template.find("{1}", first) == std::string::npos)
    return std::nullopt;
  const auto question = [&row](int64_t at) { return question_of(parse_case(case_line(row, at))); };
  PairQuestion pair{.asked = question(0), .rows = {}, .columns = {}};
  if (pair.asked.operands.size() != 2) return std::nullopt;
  for (int64_t at = 0; at < row.count; at += row_size)
    pair.rows.push_back(question(at).operands[0]);
  for (int64_t at = 0; at < row_size; ++at) pair.columns.push_back(question(at).operands[1]);
  if (!are_tokens(pair.rows, row.axes[0]) || !are_tokens(pair.columns, row.axes[1]))
    return std::nullopt;
  return pair;
}

std::vector<std::string> ask_all(const GridRow& row) {
  std::optional<PairQuestion> pair = pair_question(row);
  if (!pair) return {};
  std::vector<std::string> planes(rulebooks::kRuleBooks.size());
  for (std::size_t i = 0; i < planes.size(); ++i) {
    planes[i].reserve(static_cast<std::size_t>(row.count));
    for (const rulebooks::Operand& a : pair->rows) {
      for (const rulebooks::Operand& b : pair->columns) {
        pair->asked.operands = {a, b};
        planes[i] += answer_byte(rulebooks::ask(*rulebooks::kRuleBooks[i], pair->asked.question()));
      }
    }
  }
  return planes;
}

}  // namespace

reports::BookShelf book_shelf() {
  reports::BookShelf shelf;
  for (const rulebooks::RuleBook* book : rulebooks::kRuleBooks)
    shelf.books.push_back(
        {std::string(book->name), std::string(book->title), std::string(book->version)});
  shelf.ask = ask_all;
  return shelf;
}

}  // namespace upcast::tools
