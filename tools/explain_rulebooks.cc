#include "tools/explain_rulebooks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "cases/counted.h"
#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/rulebook_cells.h"
#include "oracle/rulebook_question.h"
#include "tools/asked_case.h"
#include "tools/explanation_text.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

using rulebooks::Reply;
using rulebooks::RuleBook;

struct BookAnswer {
  const RuleBook* book;
  Reply reply;
  /// Whether the book answers a function call otherwise than an operator. Then `function` is that
  /// answer.
  bool has_function = false;
  Reply function;
};

/// A question to rule books, and the line that is printed for it.
struct Asked {
  std::string line;
  CaseQuestion question;
};

std::string reply_text(const Reply& reply) {
  if (reply.tag == Reply::Tag::kOutside) return "outside";
  if (!reply.ok()) return "refuses";
  std::string text(name(reply.dtype));
  if (reply.weak) text += ", weak";
  if (reply.dims >= 0) text += ", " + counted(reply.dims, "dim");
  return text;
}

bool a_book_answers(const rulebooks::Question& question) {
  return std::any_of(rulebooks::kRuleBooks.begin(), rulebooks::kRuleBooks.end(),
                     [&](const RuleBook* book) {
                       return rulebooks::ask(*book, question).tag != Reply::Tag::kOutside;
                     });
}

/// Reads the user's line: as a case; else as a question that some book answers; else as a call of
/// PyTorch in Python. Throws UsageError if it is none.
Asked parse_asked(const std::string& line) {
  const auto of_case = [](const Case& c) { return Asked{print_case(c), question_of(c)}; };
  try {
    return of_case(parse_case(line));
  } catch (const UsageError&) {
    try {
      Asked asked{line, parse_question(line)};
      if (a_book_answers(asked.question.question())) return asked;
    } catch (const UsageError&) {
    }
    return of_case(asked_case(line).c);
  }
}

std::vector<BookAnswer> ask_books(CaseQuestion asked, const std::string& name) {
  std::vector<BookAnswer> answers;
  for (const RuleBook* book : rulebooks::kRuleBooks) {
    if (name != "all" && book != &find_rulebook(name)) continue;
    BookAnswer answer{book, rulebooks::ask(*book, asked.question()), false, {}};
    if (asked.form == rulebooks::Form::kOperator) {
      asked.form = rulebooks::Form::kFunction;
      answer.function = rulebooks::ask(*book, asked.question());
      answer.has_function = !(answer.function == answer.reply);
      asked.form = rulebooks::Form::kOperator;
    }
    answers.push_back(answer);
  }
  return answers;
}

/// What the book says of each operand; empty if the book gives no dtype.
std::vector<rulebooks::Part> parts_of(const BookAnswer& answer, const CaseQuestion& asked) {
  std::vector<rulebooks::Part> parts;
  if (answer.book->part == nullptr || !answer.reply.ok()) return parts;
  for (std::size_t i = 0; i < asked.operands.size(); ++i) {
    parts.push_back(answer.book->part(asked.question(), i));
    if (parts.back().enters_as == DType::kUndefined) return {};
  }
  return parts;
}

nlohmann::ordered_json reply_json(const Reply& reply) {
  nlohmann::ordered_json json;
  json["answer"] = reply_text(reply);
  if (reply.ok()) json["dtype"] = name(reply.dtype);
  if (reply.weak) json["weak"] = true;
  if (reply.dims >= 0) json["dims"] = reply.dims;
  json["rule"] = reply.rule;
  return json;
}

nlohmann::ordered_json parts_json(const std::vector<rulebooks::Part>& parts,
                                  const CaseQuestion& asked) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    nlohmann::ordered_json row{{"text", asked.texts[i]}};
    if (parts[i].priority != 0) row["priority"] = parts[i].priority;
    if (!parts[i].category.empty()) row["category"] = parts[i].category;
    row["participates"] = parts[i].participates;
    row["enters_as"] = name(parts[i].enters_as);
    json.push_back(row);
  }
  return json;
}

std::string json_text(const Asked& asked, const std::vector<BookAnswer>& answers) {
  nlohmann::ordered_json json;
  json["$schema"] = json_schemas::kRulebooks;
  json["case"] = asked.line;
  json["rulebooks"] = nlohmann::ordered_json::array();
  for (const BookAnswer& answer : answers) {
    nlohmann::ordered_json row = {{"name", answer.book->name},
                                  {"title", answer.book->title},
                                  {"version", answer.book->version},
                                  {"origin", answer.book->origin}};
    row.update(reply_json(answer.reply));
    if (answer.has_function) row["as_function"] = reply_json(answer.function);
    const std::vector<rulebooks::Part> parts = parts_of(answer, asked.question);
    if (!parts.empty()) row["operands"] = parts_json(parts, asked.question);
    json["rulebooks"].push_back(row);
  }
  return dump_json(json, 2) + "\n";
}

void print_parts(std::FILE* to, const std::vector<rulebooks::Part>& parts,
                 const CaseQuestion& asked) {
  Rows rows;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::vector<std::string> row{asked.texts[i]};
    if (parts[i].priority != 0) row.push_back(fmt::format("priority {}", parts[i].priority));
    if (!parts[i].category.empty()) row.emplace_back(parts[i].category);
    row.emplace_back(parts[i].participates ? "participates" : "stays out");
    row.push_back(fmt::format("as {}", name(parts[i].enters_as)));
    rows.push_back(row);
  }
  if (!rows.empty()) fmt::print(to, "\noperands\n{}", table_text(rows));
}

}  // namespace

void explain_rulebooks(const std::string& line, const std::string& name, int opset,
                       const std::string& json) {
  if (name != "all") find_rulebook(name);
  Asked asked = parse_asked(line);
  asked.question.opset = opset;
  const std::vector<BookAnswer> answers = ask_books(asked.question, name);
  if (!json.empty()) write_output(json, json_text(asked, answers));
  std::FILE* const to = people(json);
  Rows rows;
  for (const auto& [book, reply, has_function, function] : answers) {
    rows.push_back({std::string(book->name), reply_text(reply), std::string(reply.rule)});
    if (has_function)
      rows.push_back({"", reply_text(function), fmt::format("as a function: {}", function.rule)});
  }
  fmt::print(to, "{}\n{}", asked.line, table_text(rows));
  if (answers.size() != 1) return;
  print_parts(to, parts_of(answers.front(), asked.question), asked.question);
  const RuleBook& book = *answers.front().book;
  fmt::print(to, "\n  {}, {} ({})\n", book.title, book.version, book.origin);
}

}  // namespace upcast::tools
