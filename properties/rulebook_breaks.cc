// Reads rulebook_breaks.toml.
#include <toml++/toml.h>

#include "properties/property.h"

namespace upcast::properties {

/// CMake makes this text from properties/rulebook_breaks.toml.
extern const char kRulebookBreaks[];

namespace {

/// The rows of all tables with this name in rulebook_breaks.toml.
std::vector<Break> read(std::string_view name) {
  static const toml::table file = toml::parse(kRulebookBreaks);
  const auto text = [](const toml::node& table, std::string_view key) {
    return (*table.as_table())[key].value<std::string_view>();
  };
  std::vector<Break> all;
  for (const toml::node& group : *file[name].as_array())
    for (const toml::node& row : *(*group.as_table())["rows"].as_array())
      all.push_back({text(row, "property").value(), text(row, "system").value(),
                     text(row, "counterexample").value_or(""), text(group, "reason").value()});
  return all;
}

}  // namespace

std::span<const Break> rulebook_breaks() {
  static const std::vector<Break> breaks = read("break");
  return breaks;
}

std::span<const Break> rulebook_silences() {
  static const std::vector<Break> silences = read("silence");
  return silences;
}

}  // namespace upcast::properties
