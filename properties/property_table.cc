#include "properties/property_table.h"

#include <fmt/format.h>

#include "properties/property.h"

namespace upcast::properties {
namespace {

std::string_view asked(Asks asks) {
  switch (asks) {
    case Asks::kPromotion:
      return "promotion";
    case Asks::kCalls:
      return "calls";
    case Asks::kCodecs:
      return "codecs";
  }
  return "";
}

/// A cell may not hold the separator.
std::string cell(std::string_view text) {
  std::string escaped;
  for (char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

}  // namespace

std::string property_table() {
  std::string text;
  std::size_t count = 0;
  std::string exclusions;
  for (const Topic& topic : topics()) {
    count += topic.properties.size();
    text +=
        fmt::format("\n## {}\n\n| property | claim | asks | control |\n| --- | --- | --- | --- |\n",
                    topic.name);
    for (const Property& property : topic.properties) {
      text += fmt::format("| {} | {} | {} | {} |\n", property.name, cell(property.claim),
                          asked(property.asks), cell(property.control.what));
      for (const Exclusion& exclusion : property.exclusions)
        exclusions += fmt::format("| {} | {} | {} | `{}` |\n", property.name, exclusion.system,
                                  cell(exclusion.reason), cell(exclusion.counterexample));
    }
  }
  std::string whole = fmt::format("{} properties.\n", count) + text;
  if (!exclusions.empty())
    whole +=
        "\n## Declared counterexamples\n\n| property | system | reason | counterexample |\n"
        "| --- | --- | --- | --- |\n" +
        exclusions;
  return whole;
}

}  // namespace upcast::properties
