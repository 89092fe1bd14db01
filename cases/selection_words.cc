#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "cases/glob.h"
#include "cases/operand_pattern.h"
#include "cases/operands.h"
#include "cases/selection.h"
#include "cases/suggest.h"
#include "impl/core/error.h"

namespace upcast {
namespace {

/// Splits a text at its commas, except those within braces.
std::vector<std::string> parts_of(std::string_view text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char letter : text) {
    depth += (letter == '{') - (letter == '}');
    if (letter == ',' && depth == 0)
      parts.emplace_back();
    else
      parts.back() += letter;
  }
  return parts;
}

/// The callables that a name stands for, as overloads and their forms.
using Overloads = std::vector<std::pair<const Schema*, Selection::Bits>>;

/// The names of ops, schemas and callables in their order, and what each stands for.
struct NamesOfOps {
  NamesOfOps() {
    std::map<std::string_view, Overloads> all;
    for_each_callable([&](const Op& op, int overload, Form form) {
      const Schema& schema = op.schemas[overload];
      const std::string_view callable = op.callable(overload, form);
      for (const std::string_view name : {op.spec->name, schema.name, schema.callable, callable})
        all[name].emplace_back(&schema, 1U << static_cast<unsigned>(form));
    });
    for (auto& [name, of_name] : all) {
      names.push_back(name);
      overloads.push_back(std::move(of_name));
    }
  }

  std::vector<std::string_view> names;
  std::vector<Overloads> overloads;
};

void add_ops(const std::string& glob, Selection& selection) {
  static const NamesOfOps ops;
  const auto& names = ops.names;
  bool is_found = false;
  const auto add = [&](std::size_t i) {
    is_found = true;
    for (const auto& [schema, form] : ops.overloads[i]) (*selection.ops)[schema] |= form;
  };
  if (is_glob(glob)) {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (matches_glob(glob, names[i])) add(i);
  } else if (const auto found = std::lower_bound(names.begin(), names.end(), glob);
             found != names.end() && *found == glob) {
    add(static_cast<std::size_t>(found - names.begin()));
  }
  if (is_found) return;
  throw UsageError(
      fmt::format("--ops '{}' names no op{}", beginning(glob), did_you_mean(glob, names)));
}

DTypeSet parse_dtypes(const std::string& text) {
  // "!float8" alone means all dtypes without float8
  const std::string set = text.starts_with("{")   ? text
                          : text.starts_with("!") ? "{*," + text + "}"
                                                  : "{" + text + "}";
  TextCursor cursor(set);
  try {
    const DTypeSet dtypes = parse_dtype_set(cursor);
    if (!cursor.at_end()) cursor.fail("expected the end, found " + cursor.found());
    return dtypes;
  } catch (const SyntaxFault& fault) {
    throw UsageError(
        fmt::format("--dtypes '{}': {}; write names and sets such as float32,integral,!int8",
                    beginning(text), fault.message));
  }
}

Selection::Bits parse_bits(std::string_view option, const std::string& text,
                           std::span<const std::string_view> names) {
  Selection::Bits bits = 0;
  for (const std::string& word : parts_of(text)) {
    const auto found = std::find(names.begin(), names.end(), word);
    if (found == names.end())
      throw UsageError(fmt::format("{} has '{}'; there are {}{}", option, beginning(word),
                                   fmt::join(names, ", "), did_you_mean(word, names)));
    bits |= 1U << (found - names.begin());
  }
  return bits;
}

}  // namespace

std::string SelectionWords::text() const {
  std::string text;
  const auto add = [&text](std::string_view option, std::string_view words) {
    if (!words.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : " ", option, words);
  };
  add("--ops", fmt::format("{}", fmt::join(ops, ",")));
  add("--dtypes", dtypes);
  add("--forms", forms);
  add("--kinds", kinds);
  return text;
}

Selection parse_selection(const SelectionWords& words) {
  Selection selection;
  if (!words.ops.empty()) selection.ops.emplace();
  for (const std::string& option : words.ops)
    for (const std::string& glob : parts_of(option)) add_ops(glob, selection);
  if (!words.dtypes.empty()) selection.dtypes = parse_dtypes(words.dtypes);
  if (!words.forms.empty()) selection.forms = parse_bits("--forms", words.forms, kFormNames);
  if (!words.kinds.empty()) selection.kinds = parse_bits("--kinds", words.kinds, kKindNames);
  return selection;
}

}  // namespace upcast
