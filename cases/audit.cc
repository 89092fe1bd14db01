#include "cases/audit.h"

#include <algorithm>

#include "cases/read_toml.h"
#include "cases/text_file.h"
#include "impl/core/error.h"
#include "impl/ops/catalogue.h"

namespace upcast {
namespace {

[[noreturn]] void fail(const toml::node& node, const std::string& what) {
  throw UsageError("audit_excuses.toml:" + std::to_string(node.source().begin.line) + ": " + what);
}

Excuse read_excuse(const toml::table& table) {
  Excuse excuse;
  for (const auto& [key, value] : table) {
    const auto text = value.value<std::string>();
    if (!text || text->empty()) fail(value, std::string(key.str()) + " is a text");
    if (key.str() == "overload")
      excuse.overload = *text;
    else if (key.str() == "reason")
      excuse.reason = *text;
    else
      fail(value, "unknown key '" + std::string(key.str()) + "'; there are overload and reason");
  }
  if (excuse.overload.empty() || excuse.reason.empty())
    fail(table, "an excuse has an overload and a reason");
  return excuse;
}

std::vector<Excuse> read_excuses(std::string_view text) {
  std::vector<Excuse> excuses;
  const toml::table root = read_toml(text, "audit_excuses.toml");
  for (const auto& [key, value] : root) {
    const toml::array* tables = value.as_array();
    if (key.str() != "excuse" || tables == nullptr) fail(value, "the file holds [[excuse]] tables");
    for (const toml::node& node : *tables) {
      if (!node.is_table()) fail(node, "an excuse is a table");
      excuses.push_back(read_excuse(*node.as_table()));
    }
  }
  return excuses;
}

}  // namespace

Audit audit_catalogue(std::string_view overloads, std::string_view excuses) {
  const std::vector<std::string_view> lines = data_lines(overloads);
  Audit audit{.tagged = {lines.begin(), lines.end()}};
  const std::vector<Excuse> given = read_excuses(excuses);
  for (const std::string& overload : audit.tagged) {
    const auto excuse = std::find_if(given.begin(), given.end(), [&overload](const Excuse& row) {
      return row.overload == overload;
    });
    if (find_callable(overload).op != nullptr)
      audit.implemented.push_back(overload);
    else if (excuse != given.end())
      audit.excused.push_back(*excuse);
    else
      audit.missing.push_back(overload);
  }
  for (const Excuse& excuse : given) {
    const auto& tagged = audit.tagged;
    if (find_callable(excuse.overload).op != nullptr ||
        std::find(tagged.begin(), tagged.end(), excuse.overload) == tagged.end())
      audit.stale.push_back(excuse);
  }
  return audit;
}

}  // namespace upcast
