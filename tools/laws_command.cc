#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>

#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/notation.h"
#include "impl/core/error.h"
#include "oracle/host/line_server.h"
#include "oracle/laws/law_checker.h"
#include "oracle/reply_texts.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/known_file.h"
#include "tools/paths.h"
#include "tools/progress.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct LawOptions {
  std::vector<std::string> laws;  // none: all
  std::string side = "libtorch:cpu";
  std::vector<std::string> ops;  // none: all
  std::string json;
  double time_limit = 10;
};

/// What `upcast laws` found when it held a side to the laws.
struct LawOutcome {
  LawReport report;
  /// Declared broken laws that explain nothing; empty unless libtorch:cpu was held to all laws.
  std::vector<std::string> unused;
  std::map<std::string, std::string> versions;
  double seconds = 0;

  int exit_code() const { return report.passes() && unused.empty() ? kAsExpected : kUnexpected; }
};

bool wants(const LawOptions& options, std::string_view op) {
  return options.ops.empty() ||
         std::find(options.ops.begin(), options.ops.end(), op) != options.ops.end();
}

/// Whether the user asked for the op of an identity: that of the outermost call of its left or its
/// right expression. The op of "round.decimals(x, decimals=0)" is "round".
bool wants(const LawOptions& options, const Identity& identity) {
  const auto op = [](const Expression& side) {
    return std::string_view(side.callable).substr(0, side.callable.find('.'));
  };
  return wants(options, op(identity.left)) || wants(options, op(identity.right));
}

LawOutcome check_laws(const LawOptions& options) {
  const auto began = Clock::now();
  const Side side = parse_side(options.side);
  std::vector<Law> laws;
  for (const std::string& law : options.laws) laws.push_back(parse_law(law));
  if (laws.empty())
    for (std::size_t i = 0; i < kLaws.size(); ++i) laws.push_back(static_cast<Law>(i));
  for (const std::string& op : options.ops)
    if (std::none_of(catalogue().begin(), catalogue().end(),
                     [&](const Op& row) { return row.spec->name == op; }))
      throw UsageError("there is no op '" + op + "' (upcast list ops)");

  AskedProcess asked(
      options.side, {.command = {worker_program(), "--lines", options.side}, .talk = Talk::kSocket},
      options.time_limit);
  LawOutcome outcome;
  outcome.versions = asked.versions();
  const auto libtorch = outcome.versions.find("libtorch");
  LawChecker checker([&](const Case& c) { return asked.ask(c); }, side,
                     {broken_laws(), load_known_file("").differences,
                      libtorch == outcome.versions.end() ? "" : libtorch->second});
  Progress progress("check", 0, static_cast<std::int64_t>(laws.size() * catalogue().size()));
  std::int64_t done = 0;
  for (const Law law : laws) {
    for (const Op& op : catalogue()) {
      if (wants(options, op.spec->name)) checker.check(law, op);
      progress.update(++done);
    }
    if (law != Law::kSiblings) continue;
    for (const Identity& identity : identities())
      if (wants(options, identity)) checker.check(identity);
  }
  outcome.report = checker.report();
  if (options.laws.empty() && options.ops.empty() && options.side == "libtorch:cpu")
    outcome.unused = checker.unused();
  outcome.seconds = std::chrono::duration<double>(Clock::now() - began).count();
  return outcome;
}

Json finding_json(const LawFindings& findings) {
  const LawFinding& first = findings.first;
  const auto [answer, contradicts] = reply_texts(first.call.reply, first.witness.reply, 0);
  Json json = {{"law", name(first.law)},
               {"kind", kind_of(first.code)},
               {"pairs", findings.count},
               {"call", print_case(first.call.call)},
               {"answer", answer},
               {"witness", print_case(first.witness.call)},
               {"witness_answer", contradicts}};
  if (!first.identity.empty()) json["identity"] = first.identity;
  return json;
}

std::string json_text(const LawOptions& options, const LawOutcome& outcome) {
  Json json;
  json["$schema"] = json_schemas::kLaws;
  json["side"] = options.side;
  json["laws"] = Json::array();
  for (std::size_t i = 0; i < kLaws.size(); ++i) {
    const LawCounts& counts = outcome.report.counts[i];
    json["laws"].push_back({{"law", kLaws[i].name},
                            {"pairs", counts.pairs},
                            {"binding", counts.binding},
                            {"not_judged", counts.not_judged},
                            {"explained", counts.explained},
                            {"unexplained", counts.unexplained}});
  }
  json["explained"] = Json::array();
  for (const auto& [id, findings] : outcome.report.explained) {
    json["explained"].push_back({{"id", id}});
    json["explained"].back().update(finding_json(findings));
  }
  json["unexplained"] = Json::array();
  for (const auto& [signature, findings] : outcome.report.unexplained) {
    json["unexplained"].push_back({{"signature", signature}});
    json["unexplained"].back().update(finding_json(findings));
  }
  json["unused"] = outcome.unused;
  json["versions"] = outcome.versions;
  json["seconds"] = outcome.seconds;
  json["exit_code"] = outcome.exit_code();
  return dump_json(json, 2) + "\n";
}

void print_findings(std::FILE* to, std::string_view title, const LawFindings& findings) {
  const LawFinding& first = findings.first;
  const auto [answer, contradicts] = reply_texts(first.call.reply, first.witness.reply, 0);
  fmt::print(to, "{:>8}  {}\n", findings.count, title);
  if (!first.identity.empty()) fmt::print(to, "          {}\n", first.identity);
  fmt::print(to, "          call     {}  =  {}\n", print_case(first.call.call), answer);
  fmt::print(to, "          witness  {}  =  {}\n", print_case(first.witness.call), contradicts);
}

void print_outcome(std::FILE* to, const LawOptions& options, const LawOutcome& outcome) {
  fmt::print(to, "{}\n{:<10}{:>10}{:>10}{:>12}{:>11}{:>13}\n", options.side, "law", "pairs",
             "binding", "not judged", "explained", "unexplained");
  for (std::size_t i = 0; i < kLaws.size(); ++i) {
    const LawCounts& counts = outcome.report.counts[i];
    fmt::print(to, "{:<10}{:>10}{:>10}{:>12}{:>11}{:>13}\n", kLaws[i].name, counts.pairs,
               counts.binding, counts.not_judged, counts.explained, counts.unexplained);
  }
  for (const auto& [id, findings] : outcome.report.explained)
    print_findings(to, "explained by " + id, findings);
  for (const auto& [signature, findings] : outcome.report.unexplained)
    print_findings(to, signature, findings);
  for (const std::string& id : outcome.unused)
    fmt::print(to, "stale: {} no longer explains anything; delete it\n", id);
}

int run(LawOptions options) {
  options.side = resolve_side(options.side);
  const LawOutcome outcome = check_laws(options);
  print_outcome(people(options.json), options, outcome);
  write_output(options.json, json_text(options, outcome));
  return outcome.exit_code();
}

}  // namespace

void add_laws_command(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "laws",
      "Check laws between the calls of one side (cast, forms, numbers, widening, siblings)");
  auto options = std::make_shared<LawOptions>();
  command->add_option("LAW", options->laws, "Laws to check (default: all)");
  command->add_option("--side", options->side, "The side to check")->capture_default_str();
  command->add_option("--ops", options->ops, "Only these ops: add,mul")
      ->delimiter(',')
      ->allow_extra_args(false);
  add_memory_limit_option(*command);
  add_json_option(*command, options->json);
  command
      ->add_option("--time-limit", options->time_limit,
                   "Seconds that the side may take for one call")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1e6));
  command->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace upcast::tools
