#include "fuzz/callable_ids.h"

#include <charconv>
#include <unordered_map>
#include <vector>

#include "cases/text_file.h"
#include "impl/core/error.h"

namespace upcast::fuzz {

extern const char kCallableIds[];

namespace {

struct Table {
  std::vector<std::string_view> names;
  std::vector<FoundOp> callables;
  std::unordered_map<std::string_view, std::uint16_t> ids;
};

Table read_table() {
  Table table;
  for (const std::string_view line : data_lines(kCallableIds)) {
    std::size_t id = 0;
    const std::size_t blank = line.find(' ');
    std::from_chars(line.data(), line.data() + blank, id);
    check(blank != line.npos && id == table.names.size(), "callable_ids.txt: 0, 1, 2, ...");
    table.names.push_back(line.substr(blank + 1));
  }
  const FoundOp first = find_callable(table.names.front());
  for (std::size_t id = 0; id < table.names.size(); ++id) {
    const FoundOp found = find_callable(table.names[id]);
    table.callables.push_back(found.op == nullptr ? first : found);
    table.ids.emplace(table.names[id], static_cast<std::uint16_t>(id));
  }
  return table;
}

const Table& table() {
  static const Table made = read_table();
  return made;
}

}  // namespace

std::span<const std::string_view> callable_names() { return table().names; }

const FoundOp& callable_of(std::uint16_t id) {
  const std::vector<FoundOp>& callables = table().callables;
  return callables[id < callables.size() ? id : id % kFrozenIds];
}

std::optional<std::uint16_t> id_of(std::string_view callable) {
  const auto found = table().ids.find(callable);
  if (found == table().ids.end()) return std::nullopt;
  return found->second;
}

}  // namespace upcast::fuzz
