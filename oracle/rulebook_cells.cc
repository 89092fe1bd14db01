#include "oracle/rulebook_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cases/suggest.h"
#include "impl/core/error.h"
#include "oracle/judge.h"

namespace upcast {
namespace {

using rulebooks::Rank;

Answer not_judged(std::string why) {
  return {.tag = Answer::Tag::kNotJudged, .detail = std::move(why)};
}

Answer refusal(std::string_view why) {
  return {.tag = Answer::Tag::kRefusal,
          .rejection = RejectionCode::kPromotion,
          .detail = std::string(why)};
}

Answer dtype_answer(DType dtype, bool weak) {
  return {.tag = Answer::Tag::kDType, .dtype = dtype, .weakly_typed = weak};
}

/// A dtype's name in the tables of libraries: its short name, with "f8" before it for float8. It is
/// "bool" for bool, and the full name for a quantized dtype. A weak dtype's name ends with "*".
std::string label_of(DType dtype, bool weak) {
  std::string label = dtype == DType::kBool ? "bool" : std::string(info(dtype).short_name);
  if (group(dtype) == Group::kFloat8) label = "f8" + label;
  if (group(dtype) == Group::kQuantized) label = name(dtype);
  return weak ? label + "*" : label;
}

bool knows_all(const rulebooks::RuleBook& book, const std::vector<rulebooks::Operand>& operands) {
  return std::all_of(operands.begin(), operands.end(), [&](const rulebooks::Operand& operand) {
    return operand.rank == Rank::kNumber || operand.rank == Rank::kWeak ||
           book.dtypes.contains(operand.dtype);
  });
}

std::string name_of(std::string_view text, Vendor vendor) {
  Side side = parse_side(text);
  if (side.vendor == vendor) return std::move(side.target);
  throw UsageError("--grid rulebooks takes --subject rulebook:NAME and --oracle table:NAME, not '" +
                   std::string(text) + "'");
}

}  // namespace

Answer to_answer(const rulebooks::Reply& reply) {
  if (reply.tag == rulebooks::Reply::Tag::kOutside) return not_judged(std::string(reply.rule));
  if (!reply.ok()) return refusal(reply.rule);
  return dtype_answer(reply.dtype, reply.weak);
}

Answer to_answer(const TableAnswer& answer) {
  using Tag = TableAnswer::Tag;
  if (answer.tag == Tag::kOutside) return not_judged("a dtype outside the dtype table");
  if (answer.tag == Tag::kNoKernel) return not_judged("no kernel: " + std::string(answer.why));
  if (answer.tag == Tag::kRefused) return refusal(answer.why);
  return dtype_answer(answer.dtype, answer.weak);
}

std::string answer_label(const rulebooks::Reply& reply) {
  if (reply.tag == rulebooks::Reply::Tag::kOutside) return "outside";
  return reply.ok() ? label_of(reply.dtype, reply.weak) : "refused";
}

std::string answer_label(const TableAnswer& answer) {
  using Tag = TableAnswer::Tag;
  if (answer.tag == Tag::kDType) return label_of(answer.dtype, answer.weak);
  return answer.tag == Tag::kRefused ? "refused" : "outside";
}

CellVerdict judge_cell(const ClaimedTable& claimed, const std::vector<DeclaredCells>& declared,
                       std::int64_t cell) {
  const RulebookTable& table = *claimed.table;
  const std::size_t row = static_cast<std::size_t>(cell) / table.columns.size();
  const std::size_t column = static_cast<std::size_t>(cell) % table.columns.size();
  const CellQuestion question = cell_question(table, row, column);
  const TableAnswer library = cell_answer(*claimed.set, table, row, column);
  CellVerdict result;
  result.op = question.op;
  for (const LabelledOperand& operand : question.shown) result.operands.push_back(operand.text);
  result.reply = question.known ? rulebooks::ask(*claimed.book, question.question())
                                : rulebooks::outside("an operand outside the dtype table");
  result.silent =
      question.known && result.reply.tag == rulebooks::Reply::Tag::kOutside &&
      knows_all(*claimed.book, question.operands) &&
      (library.tag == TableAnswer::Tag::kDType || library.tag == TableAnswer::Tag::kRefused);
  result.book = to_answer(result.reply);
  result.library = to_answer(library);
  result.verdict = judge(Case{}, result.book, result.library);
  for (const int index : claimed.declared) {
    const DeclaredCells& entry = declared[static_cast<std::size_t>(index)];
    if (!entry.names(table, row, column)) continue;
    result.named_by.push_back(index);
    if (result.verdict.code < VerdictCode::kDifferDType) continue;
    if (entry.explains(answer_label(result.reply), answer_label(library)))
      result.explained_by.push_back(index);
  }
  if (!result.explained_by.empty()) result.verdict.code = VerdictCode::kKnown;
  return result;
}

const rulebooks::RuleBook& find_rulebook(std::string_view name) {
  std::vector<std::string_view> names;
  for (const rulebooks::RuleBook* book : rulebooks::kRuleBooks) {
    if (book->name == name) return *book;
    names.push_back(book->name);
  }
  throw UsageError(fmt::format("unknown rule book '{}'{}; there are {}, and all", name,
                               did_you_mean(name, names), fmt::join(names, ", ")));
}

RulebookSelection select_rulebooks(std::string_view subject, std::string_view oracle,
                                   const RulebookPairs& pairs,
                                   const std::vector<RulebookTables>& sets) {
  const std::string book = name_of(subject, Vendor::kRuleBook);
  const std::string table = name_of(oracle, Vendor::kTable);
  if (book != "all") find_rulebook(book);
  if (table != "all") find_rulebook_tables(table);
  RulebookSelection selection;
  for (const RulebookPair& pair : pairs.pairs) {
    if ((book != "all" && pair.book != book) || (table != "all" && pair.table != table)) continue;
    const auto set = std::find_if(sets.begin(), sets.end(), [&](const RulebookTables& each) {
      return each.name == pair.table;
    });
    if (set == sets.end()) throw UsageError("cases/rulebooks/pairs.toml: no table " + pair.table);
    ClaimedTable claimed{&pair, &find_rulebook(pair.book), &*set, nullptr, {}};
    for (std::size_t i = 0; i < pairs.declared.size(); ++i)
      if (pairs.declared[i].book == pair.book && pairs.declared[i].table == pair.table)
        claimed.declared.push_back(static_cast<int>(i));
    for (const RulebookTable& each : set->tables) {
      claimed.table = &each;
      const std::string reason = left_out_reason(pair, each);
      if (reason.empty())
        selection.claimed.push_back(claimed);
      else
        selection.left_out.emplace_back(claimed, reason);
    }
  }
  for (const rulebooks::RuleBook* each : rulebooks::kRuleBooks)
    if (book == "all" || each->name == book) selection.books.push_back(each);
  if (selection.claimed.empty() && table != "all") {
    std::vector<std::string> claimed_by;
    for (const RulebookPair& pair : pairs.pairs)
      if (book == "all" || pair.book == book) claimed_by.push_back(pair.table);
    if (claimed_by.empty()) claimed_by.push_back("none");
    throw UsageError(fmt::format("rule book '{}' claims no cell of table '{}'; it claims {}", book,
                                 table, fmt::join(claimed_by, ", ")));
  }
  return selection;
}

rulebooks::Reply ComparedQuestion::ask(const rulebooks::RuleBook& book, std::int64_t cell) const {
  const auto index = static_cast<std::size_t>(cell);
  if (right.empty())
    return rulebooks::ask(book, {op, {&left[index], 1}, rulebooks::Form::kOperator});
  const std::array<rulebooks::Operand, 2> operands{left[index / right.size()],
                                                   right[index % right.size()]};
  return rulebooks::ask(book, {op, operands, rulebooks::Form::kOperator});
}

const std::vector<ComparedQuestion>& compared_questions() {
  static const std::vector<ComparedQuestion> questions = [] {
    const auto axis = [](Rank rank) {
      std::vector<rulebooks::Operand> operands;
      for (const DType dtype : kComparedDTypes) operands.push_back({dtype, rank, 1});
      return operands;
    };
    const std::vector<rulebooks::Operand> arrays = axis(Rank::kDim);
    const std::vector<rulebooks::Operand> numbers{{DType::kBool, Rank::kNumber, 1},
                                                  {DType::kInt64, Rank::kNumber, 1},
                                                  {DType::kFloat64, Rank::kNumber, 1.5},
                                                  {DType::kComplex128, Rank::kNumber, 1}};
    return std::vector<ComparedQuestion>{
        {"add", arrays, arrays},  {"add", arrays, axis(Rank::kZeroDim)},
        {"add", arrays, numbers}, {"div", arrays, arrays},
        {"eq", arrays, arrays},   {"sin", arrays, {}},
        {"floor", arrays, {}}};
  }();
  return questions;
}

std::string shown_operand(const rulebooks::Operand& operand) {
  if (operand.rank == Rank::kNumber) {
    return is_bool(operand.dtype)       ? "True"
           : is_integral(operand.dtype) ? "1"
           : is_floating(operand.dtype) ? "1.5"
                                        : "1j";
  }
  const std::string dtype(name(operand.dtype));
  return operand.rank == Rank::kDim       ? dtype + "[2]"
         : operand.rank == Rank::kZeroDim ? dtype + "[]"
         : operand.rank == Rank::kWeak    ? dtype + "*[2]"
                                          : dtype + "()";
}

}  // namespace upcast
