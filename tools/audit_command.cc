#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "cases/audit.h"
#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "impl/core/error.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/write_file.h"

namespace upcast::tools {

/// The texts of cases/pointwise_overloads.txt and cases/audit_excuses.toml, which CMake embeds.
extern const char kBuiltInPointwiseOverloads[];
extern const char kBuiltInAuditExcuses[];

namespace {

nlohmann::ordered_json as_json(const std::vector<Excuse>& excuses) {
  auto rows = nlohmann::ordered_json::array();
  for (const Excuse& excuse : excuses)
    rows.push_back({{"overload", excuse.overload}, {"reason", excuse.reason}});
  return rows;
}

std::string json_text(const Audit& audit) {
  nlohmann::ordered_json json;
  json["$schema"] = json_schemas::kAudit;
  json["tagged"] = audit.tagged.size();
  json["implemented"] = audit.implemented.size();
  json["excused"] = audit.excused.size();
  json["missing"] = audit.missing.size();
  json["stale"] = audit.stale.size();
  json["implemented_overloads"] = audit.implemented;
  json["excused_overloads"] = as_json(audit.excused);
  json["missing_overloads"] = audit.missing;
  json["stale_excuses"] = as_json(audit.stale);
  return dump_json(json, 2) + "\n";
}

void print_text(std::FILE* to, const Audit& audit) {
  fmt::print(to, "tagged pointwise  {:4}\nimplemented       {:4}\nexcused           {:4}\n",
             audit.tagged.size(), audit.implemented.size(), audit.excused.size());
  for (const Excuse& excuse : audit.excused)
    fmt::print(to, "  {}: {}\n", excuse.overload, excuse.reason);
  fmt::print(to, "missing           {:4}\n", audit.missing.size());
  for (const std::string& overload : audit.missing) fmt::print(to, "  {}\n", overload);
  for (const Excuse& excuse : audit.stale)
    fmt::print(to,
               "stale excuse: {} is implemented or no longer tagged pointwise; delete it from "
               "cases/audit_excuses.toml\n",
               excuse.overload);
  if (audit.excused.size() > kMaxExcuses)
    fmt::print(to, "too many excuses: more than {} overloads are excused\n", kMaxExcuses);
}

}  // namespace

void add_audit_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "audit", "Compare the catalogue with the overloads that LibTorch tags pointwise");
  auto json = std::make_shared<std::string>();
  add_json_option(*command, *json);
  command->callback([json, &action] {
    action = [json] {
      const Audit audit = audit_catalogue(kBuiltInPointwiseOverloads, kBuiltInAuditExcuses);
      print_text(people(*json), audit);
      write_output(*json, json_text(audit));
      return audit.passes() ? kAsExpected : kUnexpected;
    };
  });
}

}  // namespace upcast::tools
