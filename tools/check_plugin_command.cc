// upcast check-plugin: says step by step what is wrong with a plug-in or a process.
#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "cases/counted.h"
#include "cases/json_schemas.h"
#include "cases/json_text.h"
#include "cases/shell_word.h"
#include "cases/visible.h"
#include "impl/core/error.h"
#include "oracle/plugin/remote_plugin.h"
#include "oracle/protocol/python_subject.h"
#include "tools/check_steps.h"
#include "tools/colour.h"
#include "tools/command.h"
#include "tools/command_line.h"
#include "tools/paths.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

/// The name of a plug-in as a side with the setting device=meta, which asks its infer() instead of
/// run().
std::string inferring_name(const std::string& side) {
  Side inferring = parse_side(side);
  inferring.settings.push_back({"device", "meta"});
  return to_string(inferring);
}

/// The side that the user's argument means: a plug-in if it is a file, the side if it is named as
/// in `upcast run`, else a process with this command.
std::string side_of(const std::string& given) {
  const Vendor vendor = parse_side(given).vendor;
  if (vendor == Vendor::kPlugin || vendor == Vendor::kProcess || vendor == Vendor::kPython)
    return resolve_side(given);
  const std::string file = given.substr(0, given.find('?'));  // without settings
  std::error_code error;
  const bool is_file = file.ends_with(".so") || std::filesystem::is_regular_file(file, error);
  return is_file ? resolve_side("plugin:" + given) : "process:" + given;
}

/// A second subject for the plug-in `subject`, which asks its infer() instead of run(); null if it
/// cannot infer.
std::unique_ptr<Subject> make_inferring(const std::string& side, const Subject& subject) {
  const auto* plugin = dynamic_cast<const RemotePlugin*>(&subject);
  return plugin != nullptr && plugin->infers() ? make_subject(inferring_name(side)) : nullptr;
}

/// The ops that a plug-in's manifest names but that no case asks, in words.
std::string asked_in_vain(const Subject& subject) {
  std::vector<std::string> names = subject.manifest()->unknown_ops();
  const bool is_plugin = dynamic_cast<const RemotePlugin*>(&subject) != nullptr;
  if (is_plugin && subject.manifest()->has(Device::kCuda))
    names.emplace_back("cuda (a plug-in gets tensors of the CPU, and copies them)");
  return names.empty() ? "" : fmt::format("; never asked for: {}", fmt::join(names, ", "));
}

void print_step(std::FILE* to, std::string_view outcome, std::string_view name,
                const std::string& about) {
  const Tone tone = outcome == "ok" ? Tone::kGood : outcome == "wrong" ? Tone::kBad : Tone::kFaint;
  fmt::print(to, "{} {:<14} {}\n", painted(to, tone, fmt::format("{:<6}", outcome)), name,
             visible(about));
}

void print_result(std::FILE* to, const StepResult& result, const std::string& side) {
  std::string about =
      fmt::format("{} of {} {}", grouped(result.agree), counted(result.cases, "case"),
                  noun(static_cast<std::uint64_t>(result.agree), "agrees", "agree"));
  if (result.not_judged > 0)
    about += fmt::format(", {} not judged ({})", result.not_judged, result.why_not_judged);
  if (result.cases == 0) about = "no case: the manifest claims none of them";
  about += fmt::format(": {}", result.about);
  print_step(to,
             result.wrong > 0    ? "wrong"
             : result.is_empty() ? "none"
                                 : "ok",
             result.name, visible(about));
  for (const StepResult::Fault& fault : result.faults) {
    fmt::print(to, "         {}  {}\n", fault.verdict, fault.line);
    fmt::print(to, "           yours  {}\n           right  {}\n", fault.answer, fault.right);
    fmt::print(to, "           fix    {}\n", fault.mend);
    fmt::print(to, "           again  upcast run {} --subject {} --oracle {}\n",
               shell_word(fault.line), shell_word(result.asks_infer ? inferring_name(side) : side),
               shell_word(result.asks_infer ? side : "impl:cpu"));
  }
}

nlohmann::ordered_json json_of(const StepResult& result) {
  nlohmann::ordered_json json{{"name", result.name},   {"cases", result.cases},
                              {"agree", result.agree}, {"not_judged", result.not_judged},
                              {"wrong", result.wrong}, {"faults", nlohmann::json::array()}};
  for (const StepResult::Fault& fault : result.faults)
    json["faults"].push_back({{"case", fault.line},
                              {"verdict", fault.verdict},
                              {"subject", fault.answer},
                              {"right", fault.right},
                              {"mend", fault.mend}});
  return json;
}

struct CheckOptions {
  std::string given;
  std::string json;
  double time_limit = 10;
};

int check(const CheckOptions& options) {
  const std::string side = side_of(options.given);
  std::FILE* const to = people(options.json);
  nlohmann::ordered_json json{{"$schema", json_schemas::kCheckPlugin},
                              {"subject", side},
                              {"steps", nlohmann::json::array()}};
  std::unique_ptr<Subject> subject;
  const auto end = [&](bool right, std::string_view words) {
    fmt::print(to, "{}\n", words);
    json["ok"] = right;
    write_output(options.json, dump_json(json, 2) + "\n");
    return right ? kAsExpected : kUnexpected;
  };
  try {
    subject = make_subject(side);
  } catch (const UsageError& error) {
    print_step(to, "wrong", "loads", error.what());
    return end(false, "nothing else can be asked until this is fixed");
  }
  print_step(to, "ok", "loads", side);
  const Manifest& manifest = *subject->manifest();
  print_step(to, "ok", "manifest",
             manifest.name() + " " + manifest.version() + asked_in_vain(*subject));
  const std::unique_ptr<Subject> inferring = make_inferring(side, *subject);
  for (Subject* each : {subject.get(), inferring.get()})
    if (each != nullptr) each->watched_by({.time_limit = options.time_limit, .alive = [] {}});
  int agree = 0;
  int wrong = 0;
  const bool whole = run_steps(*subject, inferring.get(), manifest, [&](const StepResult& result) {
    print_result(to, result, side);
    json["steps"].push_back(json_of(result));
    agree += result.agree;
    wrong += result.wrong;
  });
  if (!whole)
    return end(false, "it died too often, so the rest was not asked; fix the crashes first");
  if (wrong > 0) return end(false, fmt::format("{} wrong", counted(wrong, "case is", "cases are")));
  if (agree == 0)
    return end(false, "nothing was judged: the manifest, or supports(), excludes every case");
  return end(true, fmt::format("{}; next: upcast run --grid promotion --subject {} "
                               "--oracle libtorch:cpu",
                               counted(agree, "case agrees", "cases agree"), shell_word(side)));
}

}  // namespace

void add_check_plugin_command(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("check-plugin", "Check a plug-in step by step, and say what is wrong");
  auto options = std::make_shared<CheckOptions>();
  command
      ->add_option("PLUGIN", options->given,
                   "A shared library (oracle/plugin/plugin.h), with ?KEY=VALUE where it has "
                   "settings, or the command of a process (docs/process_protocol.md)")
      ->required();
  add_json_option(*command, options->json);
  command->add_option("--time-limit", options->time_limit, "Seconds that it may take for one case")
      ->capture_default_str()
      ->check(CLI::Range(0.001, 1e6));
  add_memory_limit_option(*command);
  command->callback([options, &action] {
    action = [options] {
      register_remote_plugin();
      protocol::register_process_subjects();
      return check(*options);
    };
  });
}

}  // namespace upcast::tools
