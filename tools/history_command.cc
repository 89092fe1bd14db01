#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/notation.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/history.h"
#include "tools/paths.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

struct HistoryOptions {
  std::string line;
  std::string side = "cpu";
  std::string json;
  double time_limit = 10;
};

std::string json_text(const Case& c, const Side& side, const std::vector<VersionReply>& asked) {
  nlohmann::ordered_json json;
  json["$schema"] = json_schemas::kHistory;
  json["case"] = print_case(c);
  json["side"] = to_string(side);
  json["versions"] = nlohmann::ordered_json::array();
  for (const VersionReply& of : asked)
    json["versions"].push_back({{"version", of.version},
                                {"side", to_string(of.side)},
                                {"answer", of.reply.text()},
                                {"changed", of.changed}});
  json["changes"] =
      std::count_if(asked.begin(), asked.end(), [](const VersionReply& of) { return of.changed; });
  return dump_json(json, 2) + "\n";
}

int history(const HistoryOptions& options) {
  const Case c = parse_case(options.line);
  worker_program();  // throws UsageError if the worker is missing
  const Side side = parse_side("libtorch:" + options.side);
  const std::vector<VersionReply> asked = ask_versions(c, side, options.time_limit);
  write_output(options.json, json_text(c, side, asked));
  for (const VersionReply& of : asked)
    fmt::print(people(options.json), "{} {:<9} {}{}\n", of.changed ? '*' : ' ', of.version,
               of.reply.text(),
               of.side.vendor == Vendor::kPython ? "  (" + to_string(of.side) + ")" : "");
  if (asked.size() == 1)
    fmt::print(people(options.json),
               "no other LibTorch is on this machine; add one with ci/libtorch_version.sh or "
               "ci/frameworks.sh torch==VERSION\n");
  return kAsExpected;
}

}  // namespace

void add_history_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "history", "What each LibTorch on this machine answers to a case; * marks a change");
  auto options = std::make_shared<HistoryOptions>();
  command->add_option("CASE", options->line, "A case line")->required();
  command
      ->add_option("--side", options->side,
                   "Which side of LibTorch: cpu, cpu?capability=native, meta")
      ->capture_default_str();
  add_json_option(*command, options->json);
  command->add_option("--time-limit", options->time_limit, "Seconds that a version may take")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1e6));
  command->callback([options, &action] { action = [options] { return history(*options); }; });
}

}  // namespace upcast::tools
