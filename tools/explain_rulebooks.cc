#include "tools/explain_rulebooks.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "cases/json_schemas.h"
#include "cases/notation.h"
#include "oracle/rulebook_cells.h"
#include "oracle/rulebook_question.h"
#include "tools/explanation_text.h"

namespace upcast::tools {
namespace {

using rulebooks::Reply;
using rulebooks::RuleBook;

struct BookAnswer {
  const RuleBook* book;
  Reply reply;
  bool has_function = false;  // the function form answers otherwise
  Reply function;
};

std::string reply_text(const Reply& reply) {
  if (reply.tag == Reply::Tag::kOutside) return "outside";
  if (!reply.ok()) return "refuses";
  return std::string(name(reply.dtype)) + (reply.weak ? ", weak" : "");
}

std::vector<BookAnswer> ask_books(const Case& c, const std::string& name, int opset) {
  CaseQuestion asked = question_of(c);
  asked.opset = opset;
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

nlohmann::ordered_json reply_json(const Reply& reply) {
  nlohmann::ordered_json json;
  json["answer"] = reply_text(reply);
  if (reply.ok()) json["dtype"] = name(reply.dtype);
  if (reply.weak) json["weak"] = true;
  json["rule"] = reply.rule;
  return json;
}

void print_json(const Case& c, const std::vector<BookAnswer>& answers) {
  nlohmann::ordered_json json;
  json["$schema"] = json_schemas::kRulebooks;
  json["case"] = print_case(c);
  json["rulebooks"] = nlohmann::ordered_json::array();
  for (const BookAnswer& answer : answers) {
    nlohmann::ordered_json row = {{"name", answer.book->name},
                                  {"title", answer.book->title},
                                  {"version", answer.book->version},
                                  {"origin", answer.book->origin}};
    row.update(reply_json(answer.reply));
    if (answer.has_function) row["as_function"] = reply_json(answer.function);
    json["rulebooks"].push_back(row);
  }
  fmt::print("{}\n", json.dump(2));
}

}  // namespace

void explain_rulebooks(const Case& c, const std::string& name, int opset, bool json) {
  if (name != "all") find_rulebook(name);
  const std::vector<BookAnswer> answers = ask_books(c, name, opset);
  if (json) {
    print_json(c, answers);
    return;
  }
  Rows rows;
  for (const auto& [book, reply, has_function, function] : answers) {
    rows.push_back({std::string(book->name), reply_text(reply), std::string(reply.rule)});
    if (has_function)
      rows.push_back({"", reply_text(function), fmt::format("as a function: {}", function.rule)});
  }
  fmt::print("{}\n{}", print_case(c), table_text(rows));
  if (answers.size() != 1) return;
  const RuleBook& book = *answers.front().book;
  fmt::print("\n  {}, {} ({})\n", book.title, book.version, book.origin);
}

}  // namespace upcast::tools
