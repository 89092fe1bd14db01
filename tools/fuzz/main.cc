// upcast-fuzz: fuzzing campaigns. Started by `upcast fuzz`.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cases/counted.h"
#include "cases/json_schemas.h"
#include "cases/json_text.h"
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
  Progress progress("case", 0);
  return run_campaign(options, [&](const CampaignState& state) {
    progress.update(state.cases,
                    {counted(state.features, "feature"), counted(state.signatures, "finding"),
                     grouped(state.known) + " known"});
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
void print_findings(std::FILE* to, const CampaignState& state, int most) {
  for (const json& row : state.found.rows()) {
    if (most-- <= 0) return;
    fmt::print(to, "{}\n  {}\n  subject {}\n  oracle  {}\n", row.value("signature", ""),
               row.value("command", ""), row.value("subject", ""), row.value("oracle", ""));
  }
}

int fuzz(FuzzFlags& flags) {
  CampaignOptions& options = flags.campaign;
  if (flags.list) {
    if (!flags.json_out.empty()) throw UsageError("--json is for a campaign, --list is a text");
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
  write_output(flags.json_out, dump_json(to_json(options, state), 2) + "\n");
  std::FILE* const to = people(flags.json_out);
  print_findings(to, state, 10);
  for (const std::string& crash : state.crashes) fmt::print(to, "an engine died of {}\n", crash);
  fmt::print(
      to, "{}: {} in {:.1f} s ({:.0f}/s, {:.0f} a second of a core), {}, {}, {} known, corpus {}\n",
      options.target, counted(state.cases, "case"), state.seconds,
      static_cast<double>(state.cases) / std::max(state.seconds, 1e-3),
      static_cast<double>(state.cases) / std::max(state.cpu_seconds, 1e-3),
      counted(state.features, "feature"), counted(state.signatures, "finding"),
      grouped(state.known), state.corpus);
  if (!state.coverage.is_null()) fmt::print(to, "{}\n", coverage_text(state.coverage));
  if (state.signatures > 0) fmt::print(to, "all of them: {}/findings.ndjson\n", options.log);
  if (!state.stores.empty())
    fmt::print(to, "made simple, with programs: {}/findings; run again: {}\n", options.log,
               fmt::join(state.stores, ", "));
  return exit_code(state);
}

}  // namespace
}  // namespace upcast::tools

int main(int argc, char** argv) {
  using namespace upcast::tools;
  FuzzFlags flags;
  CLI::App app("Coverage-guided campaigns against LibTorch", "upcast fuzz");
  add_fuzz_flags(app, flags);
  return run_command_line(app, argc, argv, [&flags] { return fuzz(flags); });
}
