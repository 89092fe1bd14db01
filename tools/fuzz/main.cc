// upcast-fuzz: fuzzing campaigns. Started by `upcast fuzz`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cases/counted.h"
#include "cases/json_schemas.h"
#include "cases/suggest.h"
#include "fuzz/target_sides.h"
#include "impl/core/error.h"
#include "tools/command_line.h"
#include "tools/fuzz/campaign.h"
#include "tools/fuzz/follow_up.h"
#include "tools/fuzz/tuple_report.h"
#include "tools/paths.h"
#include "tools/progress.h"
#include "tools/write_file.h"

namespace upcast::tools {
namespace {

using nlohmann::json;

constexpr const char* kExamples =
    "Examples:\n"
    "  upcast fuzz --time 60\n"
    "  upcast fuzz --target chain --time 3600 --jobs 4 --corpus corpora/chain\n"
    "  upcast fuzz --runs 200000 --seed 1337 --json -      # the same twice, with one job\n"
    "  upcast fuzz --oracle 'libtorch:cpu?capability=native' --time 600\n"
    "Exit codes: 0 nothing unexplained, 1 findings, 2 usage or harness fault, 3 incomplete.";

struct TargetRow {
  std::string_view name, about;
};

constexpr std::array<TargetRow, 7> kTargets{{
    {"elementwise", "one call beside LibTorch, and beside itself another way"},
    {"chain", "up to four calls that take one another's results; what they left in memory"},
    {"iterator", "shapes, strides and refusals beside LibTorch's meta device"},
    {"kernel", "the GPU's kernels, run on the host, beside the CPU's"},
    {"promotion", "result_type of up to six operands; rule books beside the libraries' tables"},
    {"notation", "text as a case line"},
    {"store", "files of others: case files, known differences, rule books, damaged run stores"},
}};

struct Flags {
  CampaignOptions campaign;
  std::string json_out;
  bool list = false, no_guard = false;
};

/// Where an engine may be: in UPCAST_FUZZ_BIN (preset fuzz, whose guidance follows our branches
/// too, puts them into build/libfuzzer/bin), else beside this program.
std::string find_engine(const std::string& target) {
  namespace fs = std::filesystem;
  const std::string name = "fuzz-" + target;
  if (const char* folder = std::getenv("UPCAST_FUZZ_BIN")) {
    const std::string engine = std::string(folder) + "/" + name;
    if (!fs::exists(engine)) throw UsageError("UPCAST_FUZZ_BIN has no " + engine);
    return engine;
  }
  const bool needs_libtorch = target != "notation" && target != "store";
  if (has_sibling(name)) return needs_libtorch ? libtorch_program(name) : sibling_program(name);
  throw UsageError(
      "there is no engine for the target " + target +
      ": this build found no libFuzzer; install clang and libclang-rt-14-dev, and build again");
}

void check_target(const CampaignOptions& options) {
  std::vector<std::string_view> names;
  for (const TargetRow& row : kTargets) names.push_back(row.name);
  if (std::find(names.begin(), names.end(), options.target) == names.end())
    throw UsageError(fmt::format("there is no target '{}'{}; there are {}", options.target,
                                 did_you_mean(options.target, names), fmt::join(names, ", ")));
  if (fuzz::sides_of_target(options.target) == nullptr &&
      !(options.subject.empty() && options.oracle.empty()))
    throw UsageError("the target " + options.target +
                     " has no sides to choose: leave --subject and --oracle out");
}

CampaignState run_and_show(const CampaignOptions& options) {
  Progress progress("cases", 0);
  return run_campaign(options, [&](const CampaignState& state) {
    progress.update(state.cases,
                    fmt::format("{}  {}  {} known", counted(state.features, "feature"),
                                counted(state.signatures, "finding"), grouped(state.known)));
  });
}

json to_json(const CampaignSamples& samples) {
  json rows = json::array();
  for (const CampaignSample& sample : samples.all())
    rows.push_back({{"seconds", sample.seconds},
                    {"cases", sample.cases},
                    {"features", sample.features},
                    {"findings", sample.signatures}});
  return rows;
}

/// The mean; null where no time was taken.
json microseconds(double seconds, std::int64_t cases) {
  return cases == 0 ? json() : json(1e6 * seconds / static_cast<double>(cases));
}

json to_json(const CampaignOptions& options, const CampaignState& state) {
  return {{"$schema", json_schemas::kFuzz},
          {"target", options.target},
          {"engine", options.engine},
          {"seconds", state.seconds},
          {"cases", state.cases},
          {"cases_per_second", static_cast<double>(state.cases) / std::max(state.seconds, 1e-3)},
          {"cpu_seconds", state.cpu_seconds},
          {"cases_per_cpu_second",
           static_cast<double>(state.cases) / std::max(state.cpu_seconds, 1e-3)},
          {"answer_us", microseconds(state.answer_seconds, state.timed_answers)},
          {"refusal_us", microseconds(state.refusal_seconds, state.timed_refusals)},
          {"features", state.features},
          {"findings", state.signatures},
          {"finding_cases", state.findings},
          {"known", state.known},
          {"known_by_id", state.known_by_id},
          {"refused", state.refused},
          {"both_right", state.both_right},
          {"not_judged", state.not_judged},
          {"not_asked", state.not_asked},
          {"escapes", state.escapes},
          {"restarts", state.restarts},
          {"crashes", state.crashes},
          {"stores", state.stores},
          {"corpus", state.corpus},
          {"samples", to_json(state.samples)},
          {"coverage", state.coverage},
          {"complete", !state.gave_up && !state.interrupted},
          {"log", options.log}};
}

int exit_code(const CampaignState& state) {
  if (state.gave_up || state.interrupted) return 3;
  return state.signatures > 0 || state.findings > 0 || !state.crashes.empty() ? 1 : 0;
}

/// The first findings of this campaign.
void print_findings(const CampaignState& state, int most) {
  for (const json& row : state.found.rows()) {
    if (most-- <= 0) return;
    fmt::print("{}\n  {}\n  subject {}\n  oracle  {}\n", row.value("signature", ""),
               row.value("command", ""), row.value("subject", ""), row.value("oracle", ""));
  }
}

int fuzz(Flags& flags) {
  CampaignOptions& options = flags.campaign;
  if (flags.list) {
    for (const TargetRow& row : kTargets) fmt::print("{:<12} {}\n", row.name, row.about);
    return 0;
  }
  check_target(options);
  options.guard = !flags.no_guard;
  options.engine = find_engine(options.target);
  if (options.corpus.empty()) options.corpus = "upcast-corpus/" + options.target;
  while (options.corpus.size() > 1 && options.corpus.ends_with('/')) options.corpus.pop_back();
  if (options.log.empty()) options.log = options.corpus + ".log";
  if (options.runs > 0) options.seconds = 0;
  CampaignState state = run_and_show(options);
  if (!state.interrupted) follow_up(options, state);
  write_output(flags.json_out, to_json(options, state).dump(2) + "\n");
  if (flags.json_out == "-") return exit_code(state);
  print_findings(state, 10);
  for (const std::string& crash : state.crashes) fmt::print("an engine died of {}\n", crash);
  fmt::print(
      "{}: {} in {:.1f} s ({:.0f}/s, {:.0f} a second of a core), {}, {}, {} known, corpus {}\n",
      options.target, counted(state.cases, "case"), state.seconds,
      static_cast<double>(state.cases) / std::max(state.seconds, 1e-3),
      static_cast<double>(state.cases) / std::max(state.cpu_seconds, 1e-3),
      counted(state.features, "feature"), counted(state.signatures, "finding"),
      grouped(state.known), state.corpus);
  if (!state.coverage.is_null()) fmt::print("{}\n", coverage_text(state.coverage));
  if (state.signatures > 0) fmt::print("all of them: {}/findings.ndjson\n", options.log);
  if (!state.stores.empty())
    fmt::print("made simple, with programs: {}/findings; run again: {}\n", options.log,
               fmt::join(state.stores, ", "));
  return exit_code(state);
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using namespace upcast::tools;
  Flags flags;
  CLI::App app("Coverage-guided campaigns against LibTorch", "upcast fuzz");
  CampaignOptions& campaign = flags.campaign;
  app.add_flag("--list", flags.list, "The targets");
  app.add_option("--target", campaign.target, "What is fuzzed")->capture_default_str();
  app.add_option("--time", campaign.seconds, "Seconds")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--runs", campaign.runs, "Inputs a job, instead of --time")
      ->check(CLI::PositiveNumber);
  app.add_option("--jobs", campaign.jobs, "Processes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--corpus", campaign.corpus,
                 "A folder of inputs, which grows (upcast-corpus/TARGET)");
  app.add_option("--log", campaign.log,
                 "A folder for findings and the engines' output (CORPUS.log)");
  app.add_option("--seed", campaign.seed, "Of chance")->capture_default_str();
  app.add_option("--subject", campaign.subject, "Another subject than the target's own");
  app.add_option("--oracle", campaign.oracle, "Another oracle");
  app.add_flag("--no-guard", flags.no_guard,
               "Traps end the process, and the case is an engine's crash");
  app.add_option("--stuck", campaign.stuck,
                 "Seconds without a case after which an engine is replaced")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--follow-up", campaign.follow_up,
                 "Seconds for making findings simple; 0 leaves them as they are found")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--json", flags.json_out, "A file for the result, or -");
  app.footer(kExamples);
  return run_command_line(app, argc, argv, [&flags] { return fuzz(flags); });
}
