#include "properties/property_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "properties/property.h"

namespace upcast::properties {
namespace {

std::string_view asked(Asks asks) {
  switch (asks) {
    case Asks::kPromotion:
      return "promotion";
    case Asks::kPriorities:
    case Asks::kUndefined:
      return "result_type";
    case Asks::kCasts:
      return "can_cast";
    case Asks::kCalls:
      return "calls";
    case Asks::kCodecs:
      return "codecs";
    case Asks::kIterator:
      return "iterator";
  }
  return "";
}

/// A text as a cell of a Markdown table: the separator | is escaped.
std::string cell(std::string_view text) {
  std::string escaped;
  for (char c : text) escaped += c == '|' ? "\\|" : std::string(1, c);
  return escaped;
}

std::string code(std::string_view line) {
  return line.empty() ? "not asked" : "`" + cell(line) + "`";
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
        exclusions += fmt::format(
            "| {} | {} | {} | {} | {} |\n", property.name,
            exclusion.system == kEverySystem ? "every system" : code(exclusion.system),
            cell(exclusion.reason), code(exclusion.counterexample), cell(exclusion.grounds));
    }
  }
  for (const Break& broken : rulebook_breaks())
    exclusions +=
        fmt::format("| {} | {} | {} | {} | witness: the library's table |\n", broken.property,
                    code(broken.system), cell(broken.reason), code(broken.counterexample));
  std::string whole =
      fmt::format(
          "# Properties\n\nMade by `properties.impl --list`; a test compares this page with its "
          "output. How to run the properties, and how to add one: [add a "
          "property](how_to/add_a_property.md).\n\n- *asks*: promotion (promote_types of two or "
          "three dtypes), result_type (of a list of operands) or can_cast, all three also asked of "
          "the rule books that have them; calls, codecs (the case notation), or the iterator (its "
          "steps, one by one).\n- *control*: the broken implementation that the property must "
          "catch.\n\n{} properties.\n",
          count) +
      text;
  if (!exclusions.empty())
    whole +=
        "\n## Declared counterexamples\n\nCases that break a property, by design or by a bug. A "
        "test checks that each still breaks it. *grounds* is the justification: an entry of "
        "cases/known_differences.toml, or a law of cases/laws/broken_laws.toml. *ambiguous* means "
        "that no source says who is right.\n\n| property | system | reason | counterexample | "
        "grounds |\n| --- | --- | --- | --- | --- |\n" +
        exclusions;
  whole +=
      "\n## Rule books that say nothing\n\nThese rule books do not answer any example of the "
      "property. A test checks it.\n\n| property | rule book | reason |\n| --- | --- | --- |\n";
  for (const Break& silence : rulebook_silences())
    whole += fmt::format("| {} | {} | {} |\n", silence.property, code(silence.system),
                         cell(silence.reason));
  whole +=
      "\n## Left out of the catalogue\n\nCallables that the generators over the whole catalogue do "
      "not draw. A test checks that they draw every other op. Generators that are not named here "
      "draw from lists of ops, and their properties are about these lists.\n\n| left out | by the "
      "generators | grounds |\n| --- | --- | --- |\n";
  std::vector<std::pair<const Omission*, std::string>> omissions;
  for (const Generator* generator : generators())
    for (const Omission& each : generator->left_out) {
      const auto known = std::find_if(omissions.begin(), omissions.end(), [&each](const auto& row) {
        return row.first->reason == each.reason;
      });
      if (known == omissions.end())
        omissions.emplace_back(&each, generator->name);
      else
        known->second += ", " + std::string(generator->name);
    }
  for (const auto& [omission, names] : omissions)
    whole +=
        fmt::format("| {} | {} | {} |\n", cell(omission->reason), names, cell(omission->grounds));
  whole += "\n## Not asked\n\n| system | reason | grounds |\n| --- | --- | --- |\n";
  for (const Exclusion& exclusion : deadly_cases())
    whole += fmt::format("| {} | {} | {} |\n", code(exclusion.system), cell(exclusion.reason),
                         cell(exclusion.grounds));
  return whole;
}

}  // namespace upcast::properties
