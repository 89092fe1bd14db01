#include "cases/read_toml.h"

#include <algorithm>
#include <string>

#include "cases/limits.h"
#include "cases/text_cursor.h"
#include "cases/visible.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

/// The position after the quoted text that starts at `start`; the end of the file if it is not
/// closed.
std::size_t end_of_quoted(std::string_view text, std::size_t start) {
  const std::string_view quote = text.substr(start, 1);
  const std::string thrice = std::string(3, quote[0]);
  const std::string_view end = text.substr(start).starts_with(thrice) ? thrice : quote;
  for (std::size_t i = start + end.size(); i < text.size(); ++i) {
    if (text[i] == '\\' && quote == "\"")
      ++i;
    else if (text.substr(i).starts_with(end))
      return i + end.size();
    else if (end.size() == 1 && text[i] == '\n')
      return i;
  }
  return text.size();
}

/// Limits the dots in a key. Each dot is a table in a table, which toml++ reads and frees by
/// recursion.
void check_dotted_keys(std::string_view text, std::string_view file) {
  std::size_t line = 1, dots = 0, key = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '"' || c == '\'') {
      const std::size_t end = end_of_quoted(text, i);
      line += static_cast<std::size_t>(std::count(text.begin() + i, text.begin() + end, '\n'));
      i = end;
      continue;
    }
    if (c == '#') {
      i = std::min(text.find('\n', i), text.size());
      continue;
    }
    if (c == '.' && ++dots > kMaxDottedKey)
      throw UsageError(std::string(file) + ":" + std::to_string(line) + ": a key has at most " +
                       std::to_string(kMaxDottedKey) + " dots: '" + beginning(text.substr(key)) +
                       "'");
    line += c == '\n';
    ++i;
    if (std::string_view("\n=,[]{}").find(c) == std::string_view::npos) continue;
    dots = 0;
    key = i;
  }
}

void make_visible(toml::node& node) {
  if (auto* text = node.as_string()) text->get() = visible(text->get());
  if (auto* list = node.as_array())
    for (toml::node& element : *list) make_visible(element);
  if (auto* table = node.as_table())
    for (auto&& [key, value] : *table) make_visible(value);
}

}  // namespace

toml::table read_toml(std::string_view text, std::string_view file) try {
  if (text.size() > kMaxTomlFile)
    throw UsageError(std::string(file) + ":1: a file of TOML has at most 16 MiB: '" +
                     beginning(text) + "'");
  check_dotted_keys(text, file);
  toml::table root = toml::parse(text, file);
  make_visible(root);
  return root;
} catch (const toml::parse_error& error) {
  throw UsageError(std::string(file) + ":" + std::to_string(error.source().begin.line) +
                   ": not TOML: " + std::string(error.description()));
}

}  // namespace upcast
