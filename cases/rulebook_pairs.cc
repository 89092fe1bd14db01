#include "cases/rulebook_pairs.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>

#include "cases/glob.h"
#include "cases/read_toml.h"
#include "cases/suggest.h"
#include "cases/text_file.h"
#include "impl/core/error.h"

namespace upcast {

/// The text of cases/rulebooks/{pairs,declared}.toml, which CMake embeds.
extern const char kRulebookPairs[];

namespace {

/// Reads one table of pairs.toml or declared.toml. A fault names the line.
class Reader {
 public:
  Reader(const toml::table& table, std::string_view file, std::span<const std::string_view> keys)
      : table_(table), file_(file) {
    for (const auto& [key, value] : table_)
      if (std::find(keys.begin(), keys.end(), key.str()) == keys.end())
        fail(value, "unknown key '" + std::string(key.str()) + "'" + did_you_mean(key.str(), keys));
  }

  [[noreturn]] void fail(const toml::node& node, const std::string& what) const {
    throw UsageError(file_ + ":" + std::to_string(node.source().begin.line) + ": " + what);
  }
  std::string text(std::string_view key) const {
    const auto value = node(key).value<std::string>();
    if (!value || value->empty()) fail(node(key), "'" + std::string(key) + "' is a text");
    return *value;
  }
  std::int64_t number(std::string_view key) const {
    const auto value = node(key).value<std::int64_t>();
    if (!value || *value < 1) fail(node(key), "'" + std::string(key) + "' is a positive number");
    return *value;
  }
  std::vector<std::string> texts(std::string_view key, bool optional = false) const {
    std::vector<std::string> list;
    if (optional && !table_.contains(key)) return list;
    const toml::array* array = node(key).as_array();
    if (array == nullptr || array->empty())
      fail(node(key), "'" + std::string(key) + "' is a list of texts");
    for (const toml::node& item : *array) {
      const auto value = item.value<std::string>();
      if (!value) fail(item, "'" + std::string(key) + "' is a list of texts");
      list.push_back(*value);
    }
    return list;
  }

 private:
  const toml::node& node(std::string_view key) const {
    const toml::node* found = table_.get(key);
    if (found == nullptr) fail(table_, "'" + std::string(key) + "' is missing");
    return *found;
  }

  const toml::table& table_;
  std::string file_;
};

constexpr std::array<std::string_view, 6> kClasses{"typo",  "contradiction", "changed",
                                                   "never", "undocumented",  "api"};

LeftOut read_left_out(const toml::table& node, std::string_view file) {
  constexpr std::array<std::string_view, 2> kKeys{"tables", "reason"};
  const Reader reader(node, file, kKeys);
  return {reader.texts("tables"), reader.text("reason")};
}

RulebookPair read_pair(const toml::table& node, std::string_view file) {
  constexpr std::array<std::string_view, 6> kKeys{"book",     "table",  "claims",
                                                  "left_out", "silent", "silence"};
  const Reader reader(node, file, kKeys);
  RulebookPair pair{reader.text("book"), reader.text("table"), reader.texts("claims"), {}, 0, {}};
  if (node.contains("silent") || node.contains("silence")) {
    pair.silent = reader.number("silent");
    pair.silence = reader.text("silence");
  }
  if (const toml::array* list = node["left_out"].as_array())
    for (const toml::node& item : *list)
      pair.left_out.push_back(read_left_out(*item.as_table(), file));
  return pair;
}

std::vector<DeclaredAnswers> read_answers(const Reader& reader, const toml::table& node) {
  std::vector<DeclaredAnswers> answers;
  const toml::array* list = node["answers"].as_array();
  if (list == nullptr || list->empty())
    reader.fail(node, "'answers' is a list of [what the book says, what the library says, cells]");
  for (const toml::node& item : *list) {
    const toml::array* triple = item.as_array();
    const bool sound = triple != nullptr && triple->size() == 3 && (*triple)[0].is_string() &&
                       (*triple)[1].is_string() && (*triple)[2].value_or(std::int64_t{0}) > 0;
    if (!sound)
      reader.fail(item, "an answer is [what the book says, what the library says, cells]");
    answers.push_back({(*triple)[0].value_or(std::string()), (*triple)[1].value_or(std::string()),
                       (*triple)[2].value_or(std::int64_t{0})});
  }
  return answers;
}

DeclaredCells read_declared(const toml::table& node, std::string_view file) {
  constexpr std::array<std::string_view, 12> kKeys{"id",       "book",    "table",  "tables",
                                                   "rows",     "columns", "either", "neither",
                                                   "diagonal", "answers", "class",  "reason"};
  const Reader reader(node, file, kKeys);
  DeclaredCells declared{reader.text("id"),
                         reader.text("book"),
                         reader.text("table"),
                         reader.texts("tables"),
                         reader.texts("rows", true),
                         reader.texts("columns", true),
                         reader.texts("either", true),
                         reader.texts("neither", true),
                         node["diagonal"].value<bool>(),
                         read_answers(reader, node),
                         reader.text("class"),
                         reader.text("reason")};
  if (std::find(kClasses.begin(), kClasses.end(), declared.difference_class) == kClasses.end())
    reader.fail(node, "unknown class '" + declared.difference_class + "'" +
                          did_you_mean(declared.difference_class, kClasses));
  return declared;
}

UnclaimedTables read_unclaimed(const toml::table& node, std::string_view file) {
  constexpr std::array<std::string_view, 4> kKeys{"table", "tables", "cells", "reason"};
  const Reader reader(node, file, kKeys);
  return {reader.text("table"), reader.number("tables"), reader.number("cells"),
          reader.text("reason")};
}

bool holds(const std::vector<std::string>& labels, const std::string& label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

}  // namespace

RulebookPairs parse_rulebook_pairs(std::string_view text, std::string_view file) {
  const toml::table root = read_toml(text, file);
  RulebookPairs pairs;
  std::set<std::string> ids;
  for (const auto& [key, value] : root) {
    const toml::array* list = value.as_array();
    const bool known = key.str() == "pair" || key.str() == "declared" || key.str() == "unclaimed";
    if (list == nullptr || !known)
      throw UsageError(std::string(file) + ":" + std::to_string(value.source().begin.line) +
                       ": unknown key '" + std::string(key.str()) +
                       "'; the file holds [[pair]], [[declared]] and [[unclaimed]]");
    for (const toml::node& item : *list) {
      const toml::table& node = *item.as_table();
      if (key.str() == "pair") {
        pairs.pairs.push_back(read_pair(node, file));
      } else if (key.str() == "unclaimed") {
        pairs.unclaimed.push_back(read_unclaimed(node, file));
      } else {
        pairs.declared.push_back(read_declared(node, file));
        const DeclaredCells& last = pairs.declared.back();
        if (!ids.insert(last.id).second)
          throw UsageError(std::string(file) + ":" + std::to_string(node.source().begin.line) +
                           ": the id '" + last.id + "' is used twice");
      }
    }
  }
  return pairs;
}

RulebookPairs load_rulebook_pairs(const std::string& path) {
  return parse_rulebook_pairs(read_text_file(path), path);
}

const RulebookPairs& rulebook_pairs() {
  static const RulebookPairs pairs = parse_rulebook_pairs(kRulebookPairs, "cases/rulebooks");
  return pairs;
}

bool DeclaredCells::names(const RulebookTable& of, std::size_t row, std::size_t column) const {
  const std::string& left = of.rows[row];
  const std::string& right = of.columns[column];
  return matches_any(tables, of.name) && (rows.empty() || holds(rows, left)) &&
         (columns.empty() || holds(columns, right)) &&
         (either.empty() || holds(either, left) || holds(either, right)) && !holds(neither, left) &&
         !holds(neither, right) && (!diagonal || *diagonal == (left == right));
}

std::string left_out_reason(const RulebookPair& pair, const RulebookTable& table) {
  // A pattern that names the table takes precedence over '*', which stands for all other tables.
  const LeftOut* left_out = nullptr;
  for (const LeftOut& each : pair.left_out)
    if (matches_any(each.tables, table.name)) left_out = &each;
  const bool claimed = matches_any(pair.claims, table.name);
  if (left_out != nullptr && (!claimed || pair.claims.front() == "*")) return left_out->reason;
  if (!claimed)
    throw UsageError("cases/rulebooks/pairs.toml: " + pair.book +
                     " neither claims nor leaves out " + pair.table + "'s table " + table.name);
  return table.cells.empty() ? "the library has no such function" : "";
}

bool DeclaredCells::explains(std::string_view book_says, std::string_view library_says) const {
  return std::any_of(answers.begin(), answers.end(), [&](const DeclaredAnswers& each) {
    return each.book_says == book_says && each.library_says == library_says;
  });
}

}  // namespace upcast
